import { paths } from '../../paths.ts'
import type { ConsolePages } from '../console-area.ts'

export const screenPages: ConsolePages = {
  [paths.bigScreen]: async () => (await import('./overview-page.tsx')).OverviewPage,
  [paths.screens]: async () => (await import('./links/screens-page.tsx')).ScreensPage,
  [paths.bigScreenHome]: async () => (await import('./plant-page.tsx')).PlantPage,
  [paths.bigScreenDetail]: async () => (await import('./detail-page.tsx')).DetailPage,
}
