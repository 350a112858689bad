import { consoleArea } from '../console-area.ts'
import { automationPages } from './pages.ts'

export const automationArea = consoleArea('automation', { pages: automationPages })
