import type { ConsolePages } from '../console-area.ts'

export const equipmentPages: ConsolePages = {
  '/system/report/account': async () => (await import('./register-page.tsx')).AssetRegisterPage,
}
