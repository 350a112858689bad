import { page } from '../../terms/page.ts'

export const pages = {
  'hazard.patrol': page('hazard', 1, '隐患巡检', 'Inspection rounds', '/hazard/patrol'),
} as const
