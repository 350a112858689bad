import { message } from '../../terms/message.ts'
import { numbered } from '../../terms/subject-kind.ts'
import { refused, text } from '../../terms/text.ts'

export const subjects = {
  warningRule: numbered('预警规则', 'Warning rule'),
} as const

export const actions = {
  'event.explain': text('认定为正常变化', 'Explain warning as normal change'),
  'event.unexplain': text('撤销正常变化认定', 'Undo normal change of warning'),
  'warningRule.edit': text('修改预警规则', 'Change warning rule'),
  'warningRule.restore': text('预警规则恢复默认', 'Restore default of warning rule'),
} as const

export const refusedCalls = {
  explainWarning: refused('认定为正常变化', 'Explain warning as normal change'),
  undoNormalChange: refused('撤销正常变化认定', 'Undo normal change of warning'),
  updateWarningRule: refused('修改预警规则', 'Change warning rule'),
  restoreWarningRule: refused('预警规则恢复默认', 'Restore default of warning rule'),
} as const

export const refusals = {
  'warning not exists': message('预警不存在', 'The early warning does not exist', 404),
  'too many warnings': message(
    '符合条件的预警超过 {most} 条，请缩小范围后导出',
    'More than {most} early warnings match. Narrow the filter, then export',
    409,
  ),
  'warning over': message('该预警已恢复，无需认定', 'This warning is over: there is nothing to explain', 409),
  'warning not explained': message(
    '该预警未被认定为正常变化，或已撤销',
    'This warning is not explained as a normal change, or that was taken back',
    409,
  ),
  'baseline day wrong': message(
    '基线起始日应在 {from} 至 {to} 之间，请改选日期',
    'The new baseline must begin between {from} and {to}. Choose another day',
    400,
  ),
  'warning rule not exists': message('没有这条预警规则：{key}', 'There is no warning rule {key}', 404),
  'rule out of range': message(
    '有参数超出允许范围，未保存，请改正后重试',
    'A figure of the rule is out of range. Not saved; correct it and try again',
    400,
  ),
  'rule not measurable': message(
    '现有设备均不测量该量，规则无法启用',
    'No equipment measures this quantity, so the rule cannot be switched on',
    409,
  ),
  'default rule by administrators': message(
    '默认规则对所有项目生效，只能由管理员修改，请联系管理员',
    'The default applies to every project and is changed by administrators only. Ask one',
    403,
  ),
  'preview busy': message('正在预演其他规则，请稍后重试', 'Another preview is running. Try again in a moment', 409),
  'preview ended': message('预演已取消', 'The preview was cancelled', 409),
  'preview too wide': message(
    '预演范围过大：最多 {days} 天、{lines} 条线路，请缩小范围',
    'The preview covers too much: at most {days} days and {lines} lines. Narrow it',
    400,
  ),
} as const
