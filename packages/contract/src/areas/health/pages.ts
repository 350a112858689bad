import { page } from '../../terms/page.ts'

export const pages = {
  'hazard.devTest': page('hazard', 4, '设备体检', 'Health check', '/hazard/devTest'),
} as const
