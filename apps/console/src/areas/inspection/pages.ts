import { paths } from '../../paths.ts'
import type { ConsolePages } from '../console-area.ts'

export const inspectionPages: ConsolePages = {
  [paths.rounds]: async () => (await import('./inspection-page.tsx')).InspectionPage,
}
