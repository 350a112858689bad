import { message } from '../../terms/message.ts'
import { kind, numbered } from '../../terms/subject-kind.ts'
import { refused, text } from '../../terms/text.ts'

export const subjects = {
  /** `{lines}/{BatchID}`; `{BatchID}` where it is not told how many they are. */
  batch: kind('批量参数', 'Settings of several lines', 'name'),
  /** One change of settings, as a refused request names it. */
  change: kind('参数下发', 'Change of settings', 'name'),
  template: numbered('参数模板', 'Settings template'),
} as const

export const actions = {
  'setting.console': text('下发参数', 'Change settings'),
  'setting.copy': text('批量下发参数', 'Set several lines'),
  'setting.template': text('套用参数模板', 'Apply settings template'),
  'setting.undo': text('回退参数', 'Revert settings'),
  'setting.expiry': text('保护到期自动恢复', 'Protection restored automatically'),
  'template.add': text('新增参数模板', 'Add settings template'),
  'template.edit': text('编辑参数模板', 'Edit settings template'),
  'template.delete': text('删除参数模板', 'Delete settings template'),
} as const

export const refusedCalls = {
  setStatus: refused('下发单项参数', 'Change one setting'),
  setController: refused('下发设备参数', 'Change settings of a device'),
  updateLine: refused('下发线路参数', 'Change settings of a line'),
  updateThreeLine: refused('下发三相线路参数', 'Change settings of a three-phase line'),
  updateLines: refused('批量下发参数', 'Change settings of several lines'),
  setReportingInterval: refused('设置上报周期', 'Set reporting interval'),
  undoSetting: refused('回退参数', 'Revert settings'),
  detectorSetPoints: refused('下发探测器报警值', 'Change set points of a detector'),
  detectorAlarmSwitches: refused('下发探测器报警开关', 'Change alarm switches of a detector'),
  insertTemplate: refused('新增参数模板', 'Add settings template'),
  updateTemplate: refused('编辑参数模板', 'Edit settings template'),
  deleteTemplate: refused('删除参数模板', 'Delete settings template'),
} as const

export const refusals = {
  'setting unknown': message('该设备没有参数 {key}，未下发', 'This equipment has no setting {key}. Nothing was sent', 400),
  'setting out of range': message(
    '参数超出允许范围，未下发，请改正后重试',
    'A setting is out of range. Nothing was sent; correct it and try again',
    400,
  ),
  'reason and expiry missing': message(
    '关闭或调至最不灵敏的保护必须填写恢复时间（1 分钟至 24 小时）',
    'Disabling a protection, or setting it to its least sensitive, requires an end time: 1 minute to 24 hours from now',
    400,
  ),
  'nothing to restore': message(
    '设备从未上报原值，无法恢复，请直接设置',
    'The equipment never reported its former value, so it cannot be restored. Set the value directly',
    409,
  ),
  'setting under way': message(
    '该线路有操作或设置正在执行，请等待结果后再试',
    'An operation or setting of this line is in progress. Wait for its result and try again',
    409,
  ),
  'not three-phase': message('该线路不是三相线路', 'This is not a three-phase line', 400),
  'change not exists': message('变更记录不存在', 'The change does not exist', 404),
  'change not done': message('该变更没有生效，无需回退', 'This change never took effect, so there is nothing to revert', 409),
  'template not exists': message('模板不存在', 'The template does not exist', 404),
  'template exists': message('已有同名模板，请换一个名称', 'A template with this name already exists. Choose another name'),
  'template out of range': message(
    '模板中有参数超出允许范围，未保存，请改正后重试',
    'A value of the template is out of range. Not saved; correct it and try again',
    400,
  ),
  'other family': message('模板适用于其他类型的设备', 'The template is for another type of equipment', 400),
} as const
