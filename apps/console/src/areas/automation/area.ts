import { consoleArea } from '../console-area.ts'
import { automationLive } from './live.ts'
import { automationPages } from './pages.ts'

export const automationArea = consoleArea('automation', { pages: automationPages, live: automationLive })
