import { page } from '../../terms/page.ts'

export const pages = {
  'devmon.faultalarm': page('devmon', 4, '故障预警', 'Early warning', '/devmon/faultalarm'),
  'advance.warning': page('devmon', 5, '预警规则', 'Warning rules', '/advance/warning'),
} as const
