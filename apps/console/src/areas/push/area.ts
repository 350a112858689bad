import { consoleArea } from '../console-area.ts'
import { push } from './texts.ts'

export const pushArea = consoleArea('push', { texts: { push } })
