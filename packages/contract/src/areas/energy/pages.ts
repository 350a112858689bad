import { page } from '../../terms/page.ts'

export const pages = {
  'energy.energy': page('energy', 1, '用电统计', 'Consumption', '/energyStatistics/energy'),
} as const
