import { paths } from '../../paths.ts'
import type { ConsolePages } from '../console-area.ts'

export const healthPages: ConsolePages = {
  [paths.healthCheck]: async () => (await import('./health-page.tsx')).HealthPage,
}
