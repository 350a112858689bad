import { page } from '../../terms/page.ts'

export const pages = {
  'report.account': page('report', 3, '设备台账', 'Asset register', '/system/report/account'),
} as const
