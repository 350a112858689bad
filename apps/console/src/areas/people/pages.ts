import type { ConsolePages } from '../console-area.ts'

export const peoplePages: ConsolePages = {
  '/system/roles': async () => (await import('./role-page.tsx')).RolePage,
  '/system/users': async () => (await import('./user-page.tsx')).UserPage,
}
