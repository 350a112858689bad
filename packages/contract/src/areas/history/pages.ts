import { page } from '../../terms/page.ts'

export const pages = {
  'devmon.hisdata': page('devmon', 3, '历史数据', 'History', '/devmon/hisdata'),
} as const
