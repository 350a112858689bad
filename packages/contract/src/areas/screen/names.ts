import { message } from '../../terms/message.ts'
import { numbered } from '../../terms/subject-kind.ts'
import { refused, text } from '../../terms/text.ts'

export const subjects = {
  screen: numbered('大屏链接', 'Screen link'),
} as const

export const actions = {
  'topology.save': text('修改供电接线', 'Change supply topology'),
  'screen.add': text('新建大屏链接', 'Add screen link'),
  'screen.edit': text('修改大屏链接', 'Change screen link'),
  'screen.revoke': text('吊销大屏链接', 'Revoke screen link'),
  'screen.open': text('打开大屏', 'Screen opened'),
  'screen.take': text('解除在线大屏', 'Take over screen'),
  'screen.approve': text('大屏配对', 'Pair screen'),
} as const

export const refusedCalls = {
  saveTopology: refused('修改供电接线', 'Change supply topology'),
  addScreen: refused('新建大屏链接', 'Add screen link'),
  editScreen: refused('修改大屏链接', 'Change screen link'),
  revokeScreen: refused('吊销大屏链接', 'Revoke screen link'),
  approveScreen: refused('大屏配对', 'Pair screen'),
} as const

export const refusals = {
  'screen not exists': message('大屏链接不存在', 'The screen link does not exist', 404),
  'screen over': message('大屏链接已吊销，不能再使用', 'This screen link was revoked and cannot be used any more', 409),
  'screen scope wrong': message('请选择一个分组，或至少一个项目', 'Choose a group, or at least one project', 400),
  'screen page wrong': message(
    '有页面不在该链接的项目内，请重新选择',
    'A page is not in the projects of this link: choose again',
    400,
  ),
  'screen time past': message('截止时间已过，请另选', 'It would have ended already: choose another time', 400),
  'too many screens': message('最多可有 {most} 个大屏链接', 'There are at most {most} screen links', 409),
  'screen key wrong': message('链接已失效，请联系管理员', 'This link is not valid any more. Ask its administrator', 401),
  'screen revoked': message('链接已被吊销，请联系管理员', 'This link was revoked. Ask its administrator', 401),
  'screen expired': message('链接已到期，请联系管理员', 'This link has ended. Ask its administrator', 401),
  'screen taken': message(
    '此大屏已被管理员解除，请联系管理员',
    'An administrator ended this screen so that another takes its place. Ask the administrator',
    401,
  ),
  'screen in use': message(
    '此链接已在另一块屏上使用，请联系管理员',
    'This link is in use on another screen. Ask its administrator',
    409,
  ),
  'screen without projects': message(
    '此链接没有可显示的项目，请联系管理员',
    'This link has no project to show. Ask its administrator',
    409,
  ),
  'screen waits': message('等待管理员确认配对', 'Waiting for the administrator to pair this screen', 409),
  'screen code wrong': message(
    '配对码不正确或已过期，请看大屏上的配对码',
    'This pairing code is wrong or has ended: read it from the screen again',
    404,
  ),
  'topology wrong': message('有 {count} 处填写不正确，未保存', 'Not saved: {count} entries are not right', 400),
  'topology source twice': message('电源编号重复，请刷新后重试', 'A source is there twice: reload and try again', 400),
  'topology bus twice': message('同一母线填了两个名称，请只保留一个', 'A bus has two names: keep one', 400),
  'topology not here': message(
    '所选线路或母线已不在本项目，请重新选择',
    'A line or bus is no longer in this project: choose again',
    400,
  ),
  'topology line twice': message('“{line}”重复，请只保留一处', 'There twice: {line}. Keep it once', 400),
  'topology line fed': message(
    '“{line}”由“{feeder}”供电，不能直接接在电源上，也不能作母联；请先更正其供电关系',
    'Fed by {feeder}, {line} hangs on no source and is no tie. Correct what feeds it first',
    400,
  ),
  'topology one bus': message(
    '母联“{line}”两端是同一条母线，请改选一端',
    'Both ends of {line} are one bus: choose another for one end',
    400,
  ),
  'topology tie feeds': message(
    '“{line}”为其他线路供电，不能作母联；请先更正下级线路的供电关系',
    'No tie feeds other lines, as {line} does. Correct what feeds those first',
    400,
  ),
} as const
