import { paths } from '../../paths.ts'
import type { ConsolePages } from '../console-area.ts'

export const monitorPages: ConsolePages = {
  [paths.realtime]: async () => (await import('./realtime-page.tsx')).RealtimePage,
}
