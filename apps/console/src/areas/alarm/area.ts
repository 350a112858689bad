import { consoleArea } from '../console-area.ts'
import { alarmLive } from './live.ts'
import { alarmPages } from './pages.ts'

export const alarmArea = consoleArea('alarm', { pages: alarmPages, live: alarmLive })
