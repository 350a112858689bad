import { page } from '../../terms/page.ts'

export const pages = {
  'hazard.analysis': page('hazard', 3, '隐患统计', 'Statistics', '/hazard/analysis'),
} as const
