import type { ConsolePages } from '../console-area.ts'

export const sitePages: ConsolePages = {
  '/system/project': async () => (await import('./project-page.tsx')).ProjectPage,
  '/system/geteway': async () => (await import('./gateway-page.tsx')).GatewayPage,
  '/system/devLists': async () => (await import('./device-page.tsx')).DevicePage,
  '/system/city': async () => (await import('./city-page.tsx')).CityPage,
}
