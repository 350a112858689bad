import { QueryClientProvider } from '@tanstack/react-query'
import { createBrowserRouter, Navigate } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { queryClient } from './app/api.ts'
import { Guard } from './app/guard.tsx'
import { NotFound } from './app/not-found.tsx'
import { Toasts } from './app/toasts.tsx'
import { paths } from './paths.ts'
import { Loading } from './ui/body-state.tsx'

const router = createBrowserRouter([
  {
    path: paths.login,
    HydrateFallback: Loading,
    lazy: async () => ({ Component: (await import('./areas/account/login-page.tsx')).LoginPage }),
  },
  {
    Component: Guard,
    HydrateFallback: Loading,
    children: [
      { path: '/', element: <Navigate to={paths.realtime} replace /> },
      { path: '/devmon', element: <Navigate to={paths.realtime} replace /> },
      { path: paths.notFound, Component: NotFound },
      {
        lazy: async () => ({ Component: (await import('./app/shell.tsx')).Shell }),
        children: [
          {
            path: paths.realtime,
            lazy: async () => ({ Component: (await import('./areas/monitor/realtime-page.tsx')).RealtimePage }),
          },
        ],
      },
      { path: '*', element: <Navigate to={paths.notFound} replace /> },
    ],
  },
])

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toasts />
    </QueryClientProvider>
  )
}
