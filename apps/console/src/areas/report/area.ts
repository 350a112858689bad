import { consoleArea } from '../console-area.ts'
import { reportPages } from './pages.ts'

export const reportArea = consoleArea('report', { pages: reportPages })
