import { paths } from '../../paths.ts'
import type { ConsolePages } from '../console-area.ts'

export const settingsPages: ConsolePages = {
  [paths.params]: async () => (await import('./params-page.tsx')).ParamsPage,
}
