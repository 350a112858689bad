import { consoleArea } from '../console-area.ts'
import { hazardPages } from './pages.ts'

export const hazardArea = consoleArea('hazard', { pages: hazardPages })
