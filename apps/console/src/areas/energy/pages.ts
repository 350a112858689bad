import { paths } from '../../paths.ts'
import type { ConsolePages } from '../console-area.ts'

export const energyPages: ConsolePages = {
  [paths.energy]: async () => (await import('./energy-page.tsx')).EnergyPage,
}
