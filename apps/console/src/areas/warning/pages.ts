import { paths } from '../../paths.ts'
import type { ConsolePages } from '../console-area.ts'

export const warningPages: ConsolePages = {
  [paths.warnings]: async () => (await import('./warnings-page.tsx')).WarningsPage,
  [paths.warningRules]: async () => (await import('./rules-page.tsx')).WarningRulesPage,
}
