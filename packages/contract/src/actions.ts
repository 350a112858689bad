import type { Text } from '@linewarden/equipment'

const named = (zh: string, en: string): Text => ({ zh, en })

/** What the system log calls each action. An action that is not here is shown by its key. */
export const actionNames: Readonly<Record<string, Text>> = {
  login: named('登录', 'Sign in'),
  'login.partner': named('第三方登录', 'Partner sign-on'),
  logout: named('退出登录', 'Sign out'),
  'session.end': named('结束会话', 'End session'),
  'control.grant': named('验证控制密码', 'Control password'),
  'account.create': named('新增用户', 'Add user'),
  'account.edit': named('编辑用户', 'Edit user'),
  'account.password': named('修改密码', 'Change password'),
  'account.assign': named('分配设备', 'Assign devices'),
  'account.delete': named('删除用户', 'Remove user'),
  'role.add': named('新增角色', 'Add role'),
  'role.edit': named('编辑角色', 'Edit role'),
  'role.delete': named('删除角色', 'Delete role'),
  'group.add': named('新增分组', 'Add group'),
  'group.edit': named('编辑分组', 'Edit group'),
  'group.move': named('移动项目到分组', 'Move projects to group'),
  'group.delete': named('删除分组', 'Delete group'),
  'project.add': named('新增项目', 'Add project'),
  'project.edit': named('编辑项目', 'Edit project'),
  'project.ccid': named('设置项目编码', 'Set project code'),
  'project.delete': named('删除项目', 'Remove project'),
  'project.transfer': named('迁移项目', 'Transfer project'),
  'gateway.add': named('新增网关', 'Add gateway'),
  'gateway.enrol': named('登记网关', 'Enrol gateway'),
  'gateway.rename': named('修改网关名称', 'Rename gateway'),
  'gateway.enable': named('启用网关', 'Enable gateway'),
  'gateway.disable': named('停用网关', 'Disable gateway'),
  'gateway.secret': named('更换网关密钥', 'New gateway secret'),
  'gateway.delete': named('删除网关', 'Remove gateway'),
  'gateway.transfer': named('迁移网关', 'Transfer gateway'),
  'token.issue': named('生成设备访问码', 'Make device token'),
  'token.revoke': named('收回设备访问码', 'Take back device token'),
  'push.add': named('新增推送订阅', 'Add push subscription'),
  'push.edit': named('编辑推送订阅', 'Edit push subscription'),
  'push.secret': named('更换推送密钥', 'New push secret'),
  'push.delete': named('删除推送订阅', 'Remove push subscription'),
  'push.receive': named('接收平台推送', 'Receive platform push'),
  'line.rename': named('修改线路名称', 'Rename line'),
  'event.acknowledge': named('确认报警', 'Acknowledge alarm'),
  'trip.cause': named('登记跳闸原因', 'Record trip cause'),
  'line.trip': named('分闸', 'Trip line'),
  'line.close': named('合闸', 'Close line'),
}

/** The action's name; its key in both languages when it has none. */
export const actionName = (key: string): Text =>
  (Object.hasOwn(actionNames, key) ? actionNames[key] : undefined) ?? named(key, key)
