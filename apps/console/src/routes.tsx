import { pages } from '@linewarden/contract'
import type { RouteObject } from 'react-router'
import { createBrowserRouter, Navigate } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { lazyPage } from './app/net/lazy-part.tsx'
import { Toasts } from './app/notify/toasts.tsx'
import { Permitted } from './app/session/permitted.tsx'
import { everyRoute } from './app/shell/menu.ts'
import { NotFound } from './app/shell/not-found.tsx'
import { SectionStart } from './app/shell/section-start.tsx'
import { Start } from './app/shell/start.tsx'
import { UnderDevelopment } from './app/shell/under-development.tsx'
import { BuiltPages } from './app/shell/use-menu.ts'
import { phonePages } from './areas/inspection/phone/pages.ts'
import { builtPages } from './areas/pages.ts'
import { paths } from './paths.ts'
import { Loading } from './ui/body-state.tsx'
import { addTexts } from './ui/i18n.ts'
import { addIcons } from './ui/icon.tsx'

/** Every primitive in every state; the build leaves it out. */
const gallery: RouteObject[] = import.meta.env.DEV
  ? [
      {
        path: '/dev/gallery',
        lazy: async () => {
          const [{ GalleryPage }, { texts }, { moreShapes }] = await Promise.all([
            import('./dev/gallery-page.tsx'),
            import('./areas/areas.ts'),
            import('./ui/icon-shapes.ts'),
          ])
          addTexts(texts)
          addIcons(moreShapes)
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
    lazy: lazyPage(async () => (await import('./frame/wall-gate.tsx')).WallGate),
    children: [
      {
        lazy: lazyPage(async () => (await import('./frame/wall.tsx')).Wall),
        children: [paths.bigScreen, paths.bigScreenHome, paths.bigScreenDetail].map(pageRoute),
      },
    ],
  },
  {
    HydrateFallback: Loading,
    lazy: lazyPage(async () => (await import('./frame/guard.tsx')).Guard),
    children: [
      { path: '/advance', element: <Navigate to={paths.warningRules} replace /> },
      {
        lazy: lazyPage(async () => (await import('./frame/phone.tsx')).Phone),
        children: Object.entries(phonePages).map(([path, page]): RouteObject => ({ path, lazy: lazyPage(page) })),
      },
      {
        lazy: lazyPage(async () => (await import('./frame/shell.tsx')).Shell),
        children: [
          { path: '/', Component: Start },
          { path: paths.notFound, Component: NotFound },
          ...pages.map(({ route }): RouteObject => ({ path: route, Component: SectionStart })),
          { path: '/system/report', Component: SectionStart },
          { Component: Permitted, children: [...everyRoute, paths.screens].map(pageRoute) },
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

const built = new Set(Object.keys(builtPages))

export function App() {
  return (
    <BuiltPages value={built}>
      <RouterProvider router={router} />
      <Toasts />
    </BuiltPages>
  )
}
