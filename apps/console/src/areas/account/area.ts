import { consoleArea } from '../console-area.ts'
import { accountPages } from './pages.ts'
import { security } from './security-texts.ts'

export const accountArea = consoleArea('account', { pages: accountPages, texts: { security } })
