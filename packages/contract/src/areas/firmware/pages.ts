import { page } from '../../terms/page.ts'

export const pages = {
  'system.firmware': page('platform', 1, '网关固件', 'Gateway firmware', '/system/firmware'),
} as const
