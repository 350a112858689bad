import { paths } from '../../paths.ts'
import type { ConsolePages } from '../console-area.ts'

export const historyPages: ConsolePages = {
  [paths.history]: async () => (await import('./history-page.tsx')).HistoryPage,
}
