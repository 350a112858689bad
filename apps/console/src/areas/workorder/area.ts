import { consoleArea } from '../console-area.ts'
import { workOrderLive } from './live.ts'
import { workOrderPages } from './pages.ts'

export const workorderArea = consoleArea('workorder', { pages: workOrderPages, live: workOrderLive })
