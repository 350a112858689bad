import { page } from '../../terms/page.ts'

export const pages = {
  'system.keys': page('system', 9, '接口密钥', 'API keys', '/system/keys'),
  'system.branding': page('platform', 2, '品牌设置', 'Branding', '/system/branding'),
} as const
