import type { Text } from '@linewarden/equipment'
import type { Call } from '../../core/call.ts'
import { mayMoveEquipment } from '../../core/call.ts'
import { refusedNames } from './refused-names.ts'

const named = (zh: string, en: string): Text => ({ zh, en })

/** What the system log calls each action. The audit log takes no action that is not here. */
export const actionNames = {
  login: named('登录', 'Sign in'),
  'login.refused': named('登录尝试被拒绝（汇总）', 'Sign-ins refused (summary)'),
  'session.refused': named('请求签名、时间或随机数不正确（汇总）', 'Requests with a wrong signature, time or nonce (summary)'),
  'gateway.refused': named('网关接入被拒绝（汇总）', 'Gateway connections refused (summary)'),
  'login.partner': named('第三方登录', 'Partner sign-on'),
  logout: named('退出登录', 'Sign out'),
  'session.end': named('结束会话', 'End session'),
  'control.grant': named('验证控制密码', 'Control password'),
  'account.create': named('新增用户', 'Add user'),
  'login.remembered': named('免密登录', 'Sign in without password'),
  'login.signon': named('单点登录', 'Organisation sign-on'),
  'login.factor': named('两步验证', 'Second factor'),
  'login.recovery': named('使用恢复码', 'Recovery code used'),
  'account.factor.on': named('启用两步验证', 'Second factor on'),
  'account.factor.off': named('停用两步验证', 'Second factor off'),
  'account.factor.codes': named('更换恢复码', 'New recovery codes'),
  'account.factor.reset': named('重置两步验证', 'Second factor reset'),
  'branding.edit': named('修改品牌', 'Edit branding'),
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
  'device.life': named('修改设备台账', 'Edit asset register'),
  'gateway.dismiss': named('忽略未登记网关', 'Dismiss an unknown gateway'),
  'gateway.secret': named('更换网关密钥', 'New gateway secret'),
  'gateway.delete': named('删除网关', 'Remove gateway'),
  'gateway.transfer': named('迁移网关', 'Transfer gateway'),
  'token.issue': named('生成设备访问码', 'Create device token'),
  'token.revoke': named('收回设备访问码', 'Revoke device token'),
  'push.add': named('新增推送订阅', 'Add push subscription'),
  'push.edit': named('编辑推送订阅', 'Edit push subscription'),
  'push.secret': named('更换推送密钥', 'New push secret'),
  'push.shut': named('停用推送订阅（项目更换管理员）', 'Push subscription disabled (project changed administrator)'),
  'push.delete': named('删除推送订阅', 'Remove push subscription'),
  'push.receive': named('接收平台推送', 'Receive platform push'),
  'line.rename': named('修改线路名称', 'Rename line'),
  'event.acknowledge': named('确认报警', 'Acknowledge alarm'),
  'trip.cause': named('登记跳闸原因', 'Record trip cause'),
  'line.trip': named('分闸', 'Trip line'),
  'line.close': named('合闸', 'Close line'),
  'line.silence': named('消音', 'Silence sounder'),
  'line.selfTest': named('自检', 'Self-test'),
  'line.feed': named('设置上级线路', 'Set upstream feeder'),
  'selfTest.result': named('漏电自检结果', 'RCD test result'),
  'selfTest.plan': named('设置自检周期', 'Set RCD test plan'),
  'quietHours.set': named('设置禁止自检时段', 'Set quiet hours'),
  'run.trip': named('批量分闸', 'Trip several lines'),
  'run.close': named('批量合闸', 'Close several lines'),
  'run.selfTest': named('批量漏电自检', 'RCD test of several lines'),
  'run.stop': named('停止批量操作', 'Stop group operation'),
  'reclosure.set': named('设置自动重合闸', 'Set auto-reclose'),
  'tag.place': named('挂牌', 'Apply tag'),
  'tag.remove': named('取下挂牌', 'Remove tag'),
  'tag.removeOfAnother': named('取下他人挂牌', 'Remove tag of another holder'),
  'gateway.placeTag': named('在网关上挂牌', 'Apply tag to gateway'),
  'gateway.removeTag': named('取下网关挂牌', 'Remove tag from gateway'),
  'gateway.removeTagOfAnother': named('取下他人的网关挂牌', 'Remove tag of another holder from gateway'),
  'inspection.begin': named('开始巡检', 'Start inspection'),
  'setting.console': named('下发参数', 'Change settings'),
  'setting.copy': named('批量下发参数', 'Set several lines'),
  'setting.template': named('套用参数模板', 'Apply settings template'),
  'setting.undo': named('回退参数', 'Revert settings'),
  'setting.expiry': named('保护到期自动恢复', 'Protection restored automatically'),
  'template.add': named('新增参数模板', 'Add settings template'),
  'template.edit': named('编辑参数模板', 'Edit settings template'),
  'template.delete': named('删除参数模板', 'Delete settings template'),
  'firmware.upload': named('上传固件', 'Upload firmware'),
  'firmware.ready': named('固件上传完成', 'Firmware ready'),
  'firmware.withdraw': named('撤回固件', 'Withdraw firmware'),
  'firmware.campaign': named('开始升级任务', 'Start firmware upgrade'),
  'firmware.stage': named('升级任务进入下一阶段', 'Next stage of upgrade'),
  'firmware.pause': named('暂停升级任务', 'Pause upgrade'),
  'firmware.goOn': named('继续升级任务', 'Continue upgrade'),
  'firmware.abort': named('中止升级任务', 'Abort upgrade'),
  'firmware.end': named('升级任务结束', 'Upgrade ended'),
  'firmware.outcome': named('网关升级结果', 'Upgrade of a gateway'),
  'audit.subjects': named('日志条目补记对象', 'Subjects of log entries filled in'),
  ...refusedNames,
} satisfies Readonly<Record<string, Text>>

export type AuditAction = keyof typeof actionNames

/**
 * Whoever is refused a change is in the log, whatever the reason and wherever it was found. Who is refused reading learns nothing, and may ask
 * as often as they like: see docs/security.md. A control password that was wrong is counted where it is looked at.
 */
export const refusalLogged = (call: Call): boolean =>
  call.audited === true || (mayMoveEquipment(call) && call.permission !== 'session')

/** How a call that was refused stands in the log: by the call's own name, since what it would have done was not decided yet. */
export const refusedAction = ({ name }: Pick<Call, 'name'>): AuditAction => (isAction(name) ? name : 'call')

/** The action's name; its key in both languages when it has none, as one that a former version wrote. */
export const actionName = (key: string): Text => (isAction(key) ? actionNames[key] : named(key, key))

/** How an entry of the system log went, as people read it. The audit log takes no outcome that is not here. */
export const outcomeNames = {
  done: named('完成', 'Done'),
  // Allowed and written down before it was sent: what became of it is told by the command, or by the change of settings.
  authorised: named('已授权', 'Authorised'),
  refused: named('被拒绝', 'Refused'),
  passed: named('自检合格', 'Self-test passed'),
  failed: named('自检不合格', 'Self-test failed'),
} as const satisfies Readonly<Record<string, Text>>

export type AuditOutcome = keyof typeof outcomeNames

/** The outcome in words; its key in both languages when it has none, as one that a former version wrote. */
export const outcomeName = (key: string): Text =>
  Object.hasOwn(outcomeNames, key) ? outcomeNames[key as AuditOutcome] : named(key, key)

export const isAction = (key: string): key is AuditAction => Object.hasOwn(actionNames, key)
