import { consoleArea } from '../console-area.ts'
import { healthPages } from './pages.ts'

export const healthArea = consoleArea('health', { pages: healthPages })
