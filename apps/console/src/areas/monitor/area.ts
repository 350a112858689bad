import { consoleArea } from '../console-area.ts'
import { monitorPages } from './pages.ts'
import { monitor } from './texts.ts'

export const monitorArea = consoleArea('monitor', { pages: monitorPages, texts: { monitor } })
