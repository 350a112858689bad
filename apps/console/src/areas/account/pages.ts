import { paths } from '../../paths.ts'
import type { ConsolePages } from '../console-area.ts'

export const accountPages: ConsolePages = {
  [paths.branding]: async () => (await import('./branding-page.tsx')).BrandingPage,
}
