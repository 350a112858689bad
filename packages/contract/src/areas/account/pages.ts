import { page } from '../../terms/page.ts'

export const pages = {
  'system.branding': page('platform', 2, '品牌设置', 'Branding', '/system/branding'),
} as const
