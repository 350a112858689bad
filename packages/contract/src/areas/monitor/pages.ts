import { page } from '../../terms/page.ts'

export const pages = {
  'devmon.realtime': page('devmon', 1, '实时监控', 'Live', '/devmon/realtime'),
} as const
