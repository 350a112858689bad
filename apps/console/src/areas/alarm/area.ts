import { consoleArea } from '../console-area.ts'
import { alarmLive } from './live.ts'

export const alarmArea = consoleArea('alarm', { live: alarmLive })
