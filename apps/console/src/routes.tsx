import { pages } from '@linewarden/contract'
import type { RouteObject } from 'react-router'
import { createBrowserRouter, Navigate } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { builtPages } from './app/built-pages.ts'
import { lazyPage } from './app/lazy-part.tsx'
import { everyRoute } from './app/menu.ts'
import { NotFound } from './app/not-found.tsx'
import { Permitted } from './app/permitted.tsx'
import { SectionStart } from './app/section-start.tsx'
import { Start } from './app/start.tsx'
import { Toasts } from './app/toasts.tsx'
import { UnderDevelopment } from './app/under-development.tsx'
import { paths } from './paths.ts'
import { addTexts } from './texts/i18n.ts'
import { Loading } from './ui/body-state.tsx'

/** Every primitive in every state; the build leaves it out. */
const gallery: RouteObject[] = import.meta.env.DEV
  ? [
      {
        path: '/dev/gallery',
        lazy: async () => {
          const [{ GalleryPage }, { areas }] = await Promise.all([import('./dev/gallery-page.tsx'), import('./texts/areas.ts')])
          addTexts(areas)
          return { Component: GalleryPage }
        },
      },
    ]
  : []

const router = createBrowserRouter([
  ...gallery,
  {
    path: paths.login,
    HydrateFallback: Loading,
    lazy: lazyPage(async () => (await import('./areas/account/login-page.tsx')).LoginPage),
  },
  {
    HydrateFallback: Loading,
    lazy: lazyPage(async () => (await import('./app/guard.tsx')).Guard),
    children: [
      { path: '/advance', element: <Navigate to={paths.warningRules} replace /> },
      ...[paths.bigScreen, paths.bigScreenHome, paths.bigScreenDetail].map(pageRoute),
      {
        lazy: lazyPage(async () => (await import('./app/shell.tsx')).Shell),
        children: [
          { path: '/', Component: Start },
          { path: paths.notFound, Component: NotFound },
          ...pages.map(({ route }): RouteObject => ({ path: route, Component: SectionStart })),
          { path: '/system/report', Component: SectionStart },
          { Component: Permitted, children: everyRoute.map(pageRoute) },
        ],
      },
      { path: '*', element: <Navigate to={paths.notFound} replace /> },
    ],
  },
])

function pageRoute(path: string): RouteObject {
  const built = builtPages[path]
  return built ? { path, lazy: lazyPage(built) } : { path, Component: UnderDevelopment }
}

export function App() {
  return (
    <>
      <RouterProvider router={router} />
      <Toasts />
    </>
  )
}
