import { consoleArea } from '../console-area.ts'
import { screenPages } from './pages.ts'

export const screenArea = consoleArea('screen', { pages: screenPages })
