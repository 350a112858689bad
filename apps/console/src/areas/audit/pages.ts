import type { ConsolePages } from '../console-area.ts'

export const auditPages: ConsolePages = {
  '/system/log': async () => (await import('./log-page.tsx')).LogPage,
}
