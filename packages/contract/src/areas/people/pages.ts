import { page } from '../../terms/page.ts'

export const pages = {
  'system.roles': page('system', 4, '角色管理', 'Roles', '/system/roles'),
  'system.users': page('system', 5, '用户管理', 'Users', '/system/users'),
} as const
