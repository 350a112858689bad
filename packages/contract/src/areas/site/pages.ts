import { page } from '../../terms/page.ts'

export const pages = {
  'system.project': page('system', 1, '项目管理', 'Projects', '/system/project'),
  'system.city': page('system', 2, '分组管理', 'Groups', '/system/city'),
  'system.geteway': page('system', 3, '网关管理', 'Gateways', '/system/geteway'),
  'system.devLists': page('system', 7, '设备列表', 'Devices', '/system/devLists'),
} as const
