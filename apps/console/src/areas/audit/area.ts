import { consoleArea } from '../console-area.ts'
import { auditPages } from './pages.ts'

export const auditArea = consoleArea('audit', { pages: auditPages })
