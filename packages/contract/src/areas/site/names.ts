import { message } from '../../terms/message.ts'
import { kind, numbered } from '../../terms/subject-kind.ts'
import { refused, text } from '../../terms/text.ts'

export const subjects = {
  project: numbered('项目', 'Project'),
  group: numbered('分组', 'Group'),
  /** By the number that stands on it. */
  gateway: kind('网关', 'Gateway', 'name'),
  /** By its number in the database: as a refused request names it, or one that is not there any more. */
  gatewayId: numbered('网关', 'Gateway'),
  device: kind('设备', 'Device', 'name'),
  line: kind('线路', 'Line', 'line'),
  /** Only in entries from before 2026-11: an inspection of a gateway or of one device, which its number does not say. */
  gatewayOrDevice: kind('网关或设备', 'Gateway or device', 'name'),
} as const

export const actions = {
  'gateway.refused': text('网关接入被拒绝（汇总）', 'Gateway connections refused (summary)'),
  'group.add': text('新增分组', 'Add group'),
  'group.edit': text('编辑分组', 'Edit group'),
  'group.move': text('移动项目到分组', 'Move projects to group'),
  'group.delete': text('删除分组', 'Delete group'),
  'project.add': text('新增项目', 'Add project'),
  'project.edit': text('编辑项目', 'Edit project'),
  'project.ccid': text('设置项目编码', 'Set project code'),
  'project.delete': text('删除项目', 'Remove project'),
  'project.simulated': text('标记为演示数据', 'Mark as demo data'),
  'project.transfer': text('迁移项目', 'Transfer project'),
  'gateway.add': text('新增网关', 'Add gateway'),
  'gateway.enrol': text('登记网关', 'Enrol gateway'),
  'gateway.rename': text('修改网关名称', 'Rename gateway'),
  'gateway.enable': text('启用网关', 'Enable gateway'),
  'gateway.disable': text('停用网关', 'Disable gateway'),
  'device.life': text('修改设备台账', 'Edit asset register'),
  'gateway.dismiss': text('忽略未登记网关', 'Dismiss an unknown gateway'),
  'gateway.secret': text('更换网关密钥', 'New gateway secret'),
  'gateway.delete': text('删除网关', 'Remove gateway'),
  'gateway.transfer': text('迁移网关', 'Transfer gateway'),
  'line.rename': text('修改线路名称', 'Rename line'),
} as const

export const refusedCalls = {
  addGateway: refused('新增网关', 'Add gateway'),
  addGateways: refused('批量新增网关', 'Add several gateways'),
  proposeNumbers: refused('申请网关编号', 'Propose gateway numbers'),
  renameGateway: refused('修改网关名称', 'Rename gateway'),
  renameLine: refused('修改线路名称', 'Rename line'),
  deleteGateway: refused('删除网关', 'Remove gateway'),
  enableGateway: refused('启用或停用网关', 'Enable or disable gateway'),
  rotateSecret: refused('更换网关密钥', 'New gateway secret'),
  transferGateways: refused('迁移网关', 'Transfer gateways'),
  editEquipment: refused('修改设备台账', 'Edit asset register'),
  deleteProject: refused('删除项目', 'Remove project'),
  transferProject: refused('迁移项目', 'Transfer project'),
  dismissGateway: refused('忽略未登记网关', 'Dismiss an unknown gateway'),
  addProject: refused('新增项目', 'Add project'),
  editProject: refused('编辑项目', 'Edit project'),
  setProjectCcid: refused('设置项目编码', 'Set project code'),
  addGroup: refused('新增分组', 'Add group'),
  editGroup: refused('编辑分组', 'Edit group'),
  moveToGroup: refused('移动项目到分组', 'Move projects to group'),
  deleteGroup: refused('删除分组', 'Delete group'),
} as const

export const refusals = {
  'too many taken': message(
    '一小时内您填写的编号或账号多次已被他人占用，请稍后再试；批量导入请核对文件，或联系平台管理员',
    'Too many of the numbers or accounts you entered within an hour are in use by somebody else. Check them (of a list, the file), wait, or ask whoever runs the installation',
    429,
  ),
  'project not exists': message('项目不存在', 'The project does not exist', 404),
  'too many gateways': message('每个项目最多 {most} 个网关', 'A project holds at most {most} gateways'),
  'gateway not exists': message('网关不存在', 'The gateway does not exist', 404),
  'group not exists': message('分组不存在', 'The group does not exist', 404),
  'group exists': message('已有同名分组，请换一个名称', 'A group with this name already exists. Choose another name'),
  'group not empty': message(
    '分组下还有 {count} 个项目，请先移到其他分组',
    'The group still contains projects ({count}). Move them to another group first',
  ),
  'other owner': message(
    '只能在同一管理员名下操作',
    'These do not belong to the same administrator. Choose from one administrator only',
  ),
  'project not empty': message(
    '项目下还有 {count} 个网关，请先迁移或删除网关',
    'The project still contains gateways ({count}). Move or remove them first',
  ),
  'project has statements': message(
    '项目有电费结算单，须留存备查，不能删除；可移到其他分组',
    'The project has electricity statements, which are kept: it cannot be removed. Move it to another group instead',
  ),
  'time zone unknown': message(
    '时区无效，请选择如 Asia/Shanghai 的时区',
    'This time zone is not known. Choose one such as Asia/Shanghai',
  ),
  'coordinates incomplete': message('经度和纬度须同时填写或同时留空', 'Enter both latitude and longitude, or neither'),
  'coordinates in use': message(
    '日出日落定时正在使用经纬度，请先停用或删除：{timers}',
    'Timers by sunrise and sunset go by the coordinates. Disable or remove them first: {timers}',
    409,
  ),
  'currency unknown': message('币种无效，请选择如 CNY 的币种', 'This currency is not known. Choose one such as CNY'),
  'IMEI wrong': message(
    'IMEI 校验位不正确，请对照铭牌核对 15 位数字',
    'The check digit of the IMEI is wrong. Compare its 15 digits with the nameplate',
  ),
  'equipment dates wrong': message('日期有误，未保存，请改正', 'A date is wrong. Nothing was saved; correct it'),
  'gateway tagged': message(
    '{gateway} 上有未取下的挂牌：{holders}。全部取下后才能删除',
    'Tags are applied to {gateway}: {holders}. It can be deleted once all of them are removed',
    409,
  ),
  'command under way': message(
    '{gateway} 上有操作正在执行，请等待结束后再试',
    'An operation is in progress on {gateway}. Wait for its result and try again',
    409,
  ),
  'line not exists': message('线路不存在', 'The line does not exist', 404),
} as const
