import { consoleArea } from '../console-area.ts'
import { historyPages } from './pages.ts'
import { history } from './texts.ts'

export const historyArea = consoleArea('history', { pages: historyPages, texts: { history } })
