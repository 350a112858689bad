import { page } from '../../terms/page.ts'

export const pages = {
  'system.log': page('system', 6, '系统日志', 'System log', '/system/log'),
} as const
