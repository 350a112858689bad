import { consoleArea } from '../console-area.ts'
import { warningPages } from './pages.ts'

export const warningArea = consoleArea('warning', { pages: warningPages })
