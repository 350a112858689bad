import { page } from '../../terms/page.ts'

export const pages = {
  'devmon.params': page('devmon', 6, '参数设置', 'Parameters', '/devmon/params'),
} as const
