import { consoleArea } from '../console-area.ts'
import { equipmentPages } from './pages.ts'

export const equipmentArea = consoleArea('equipment', { pages: equipmentPages })
