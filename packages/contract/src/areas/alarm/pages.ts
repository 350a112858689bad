import { page } from '../../terms/page.ts'

export const pages = {
  'hazard.alarmList': page('hazard', 2, '报警列表', 'Alarms', '/hazard/alarmList'),
  'hazard.rationale': page('hazard', 6, '报警合理化', 'Rationalisation', '/hazard/rationale'),
} as const
