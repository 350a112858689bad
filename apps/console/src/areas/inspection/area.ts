import { consoleArea } from '../console-area.ts'
import { inspectionLive } from './live.ts'
import { inspectionPages } from './pages.ts'

export const inspectionArea = consoleArea('inspection', { pages: inspectionPages, live: inspectionLive })
