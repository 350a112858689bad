import { page } from '../../terms/page.ts'

export const pages = {
  'system.report': page('system', 8, '报表管理', 'Reports', '/system/report'),
  'report.deviceData': page('report', 1, '设备数据', 'Device data', '/system/report/deviceData'),
  'report.powerReport': page('report', 2, '用电报表', 'Electricity statement', '/system/report/powerReport'),
  'report.schedules': page('report', 3, '定时报表', 'Scheduled reports', '/system/report/schedules'),
} as const
