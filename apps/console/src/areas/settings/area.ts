import { consoleArea } from '../console-area.ts'
import { settingsLive } from './live.ts'
import { settingsPages } from './pages.ts'
import { settings } from './texts.ts'

export const settingsArea = consoleArea('settings', { pages: settingsPages, texts: { settings }, live: settingsLive })
