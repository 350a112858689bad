import { paths } from '../../paths.ts'
import type { ConsolePages } from '../console-area.ts'

export const hazardPages: ConsolePages = {
  [paths.analysis]: async () => (await import('./analysis-page.tsx')).AnalysisPage,
}
