import { paths } from '../../paths.ts'
import type { ConsolePages } from '../console-area.ts'

export const accountPages: ConsolePages = {
  '/system/keys': async () => (await import('./keys-page.tsx')).KeysPage,
  [paths.branding]: async () => (await import('./branding-page.tsx')).BrandingPage,
}
