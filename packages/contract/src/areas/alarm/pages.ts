import { page } from '../../terms/page.ts'

export const pages = {
  'hazard.alarmList': page('hazard', 2, '报警列表', 'Alarms', '/hazard/alarmList'),
} as const
