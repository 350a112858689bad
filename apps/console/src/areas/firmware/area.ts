import { consoleArea } from '../console-area.ts'
import { firmwarePages } from './pages.ts'
import { firmware } from './texts.ts'

export const firmwareArea = consoleArea('firmware', { pages: firmwarePages, texts: { firmware } })
