import { message } from '../../terms/message.ts'
import { kind } from '../../terms/subject-kind.ts'
import { refused, text } from '../../terms/text.ts'

export const subjects = {
  /** A group operation. */
  run: kind('批量操作', 'Group operation', 'name'),
  /** What the control password was given for, as the caller named it. */
  operation: kind('控制操作', 'Operation', 'name'),
} as const

export const actions = {
  'trip.cause': text('登记跳闸原因', 'Record trip cause'),
  'line.trip': text('分闸', 'Trip line'),
  'line.close': text('合闸', 'Close line'),
  'line.silence': text('消音', 'Silence sounder'),
  'line.selfTest': text('自检', 'Self-test'),
  'line.feed': text('设置上级线路', 'Set upstream feeder'),
  'selfTest.result': text('漏电自检结果', 'RCD test result'),
  'selfTest.plan': text('设置自检周期', 'Set RCD test plan'),
  'quietHours.set': text('设置禁止自检时段', 'Set quiet hours'),
  'run.trip': text('批量分闸', 'Trip several lines'),
  'run.close': text('批量合闸', 'Close several lines'),
  'run.selfTest': text('批量漏电自检', 'RCD test of several lines'),
  'run.stop': text('停止批量操作', 'Stop group operation'),
  'reclosure.set': text('设置自动重合闸', 'Set auto-reclose'),
  'tag.place': text('挂牌', 'Apply tag'),
  'tag.remove': text('取下挂牌', 'Remove tag'),
  'tag.removeOfAnother': text('取下他人挂牌', 'Remove tag of another holder'),
  'gateway.placeTag': text('在网关上挂牌', 'Apply tag to gateway'),
  'gateway.removeTag': text('取下网关挂牌', 'Remove tag from gateway'),
  'gateway.removeTagOfAnother': text('取下他人的网关挂牌', 'Remove tag of another holder from gateway'),
  'inspection.begin': text('开始巡检', 'Start inspection'),
} as const

export const refusedCalls = {
  operateLine: refused('操作线路', 'Operate line'),
  recordTripCause: refused('登记跳闸原因', 'Record trip cause'),
  placeTag: refused('挂牌', 'Apply tag'),
  removeTag: refused('取下挂牌', 'Remove tag'),
  inspect: refused('开始巡检', 'Start inspection'),
  startRun: refused('批量分合闸', 'Operate several lines'),
  stopRun: refused('停止批量操作', 'Stop group operation'),
  testLeakages: refused('漏电自检', 'RCD test'),
  setDetection: refused('设置自检周期', 'Set RCD test plan'),
  setQuietHours: refused('设置禁止自检时段', 'Set quiet hours'),
  setReclosure: refused('设置自动重合闸', 'Set auto-reclose'),
  setFeed: refused('设置上级线路', 'Set upstream feeder'),
} as const

export const refusals = {
  'close not permitted': message('当前不允许合闸', 'Closing is not permitted now', 409),
  'confirmation needed': message(
    '此操作涉及 {count} 路，请输入该数量确认',
    'Lines affected by this operation: {count}. Enter that number to confirm',
    409,
  ),
  'trip not possible': message('无法远程分闸', 'The line cannot be tripped from here', 409),
  'operation not permitted': message('当前不允许此操作：{why}', 'This operation is not permitted now: {why}', 409),
  'not reachable': message('无法下发：{why}', 'Cannot be sent: {why}', 409),
  'action unknown': message('该设备没有这个操作', 'This equipment has no such operation', 400),
  'command id used': message('该操作编号已用于另一条命令', 'This command id has already been used for another command', 409),
  'tripped meanwhile': message(
    '未登记：登记期间该线路又跳闸，请重新查明原因',
    'Not recorded: the line has tripped again meanwhile. Find the cause of that trip as well',
    409,
  ),
  'tripped since begun': message(
    '操作开始后该线路又被分闸，不再合闸',
    'Somebody tripped the line after this operation began: it is not closed',
    409,
  ),
  'no trip to explain': message(
    '该线路没有待登记原因的跳闸，请刷新查看',
    'No trip of this line is waiting for its cause. Reload to check',
    409,
  ),
  'silence not possible': message('无法消音：{why}', 'Cannot be silenced: {why}', 409),
  'self-test not permitted': message('当前不允许自检：{why}', 'A self-test is not permitted now: {why}', 409),
  'tag not exists': message('挂牌不存在或已取下', 'The tag does not exist or has already been removed', 404),
  'tag of another': message(
    '这是 {holder} 的挂牌，只能由本人取下；管理员取下须填写原因',
    'This tag belongs to {holder} and can only be removed by its holder. An administrator must give a reason',
    403,
  ),
  'tag id used': message('该挂牌编号已用于别处', 'This tag id has already been used elsewhere', 409),
  'expected end past': message('预计结束时间须晚于现在', 'The expected end must be later than now'),
  'photo malformed': message(
    '照片须为 JPEG、PNG 或 WebP，边长不超过 {side} 像素，请换一张',
    'A photo must be JPEG, PNG or WebP, at most {side} pixels a side. Choose another',
  ),
  'operation not exists': message('批量操作不存在', 'The group operation does not exist', 404),
  'group operation over': message(
    '批量操作已结束，该线路未执行',
    'The group operation has ended: this line was not operated',
    409,
  ),
  'run sign-in ended': message(
    '发起人的登录已被终止，该线路未执行',
    'The session that started it was ended: this line was not operated',
    409,
  ),
  'operation id used': message('该批量操作编号已被使用', 'This group operation id has already been used', 409),
  'command not exists': message('操作记录不存在', 'The command does not exist', 404),
  'test not exists': message('自检记录不存在', 'The test does not exist', 404),
  'test not possible': message('该线路没有漏电自检功能', 'This line has no RCD test'),
  'reclosure not permitted': message('不允许自动重合闸：{why}', 'Auto-reclose is not allowed: {why}', 409),
  'reclosure missed': message(
    '已错过重合闸时刻，不再补合',
    'The time for this reclosing attempt has passed; it is not made up for',
    409,
  ),
  'feeds itself then': message(
    '自 {date} 起，线路会由自己或自己的下级供电：{path}',
    'From {date} on a line would be fed by itself or by one of its downstream lines: {path}',
    409,
  ),
  'feed date wrong': message(
    '请填写存在的日期，不晚于今天，且不早于 10 年前',
    'Enter a date that exists, not after today and at most ten years ago',
    400,
  ),
  'feeds itself': message(
    '线路不能由自己或自己的下级供电',
    'A line cannot be fed by itself or by one of its downstream lines',
    409,
  ),
} as const
