import { page } from '../../terms/page.ts'

export const pages = {
  'hazard.workorder': page('hazard', 5, '工单管理', 'Work orders', '/hazard/workorder'),
} as const
