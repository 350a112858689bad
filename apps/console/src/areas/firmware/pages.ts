import { paths } from '../../paths.ts'
import type { ConsolePages } from '../console-area.ts'

export const firmwarePages: ConsolePages = {
  [paths.firmware]: async () => (await import('./firmware-page.tsx')).FirmwarePage,
}
