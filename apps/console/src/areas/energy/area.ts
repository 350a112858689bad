import { consoleArea } from '../console-area.ts'
import { energyPages } from './pages.ts'

export const energyArea = consoleArea('energy', { pages: energyPages })
