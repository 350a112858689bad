import { message } from '../../terms/message.ts'
import { kind, numbered } from '../../terms/subject-kind.ts'
import { refused, text } from '../../terms/text.ts'

export const subjects = {
  inspectionPlan: numbered('巡检计划', 'Inspection plan'),
  inspectionRound: { ...kind('巡检', 'Inspection round', 'name'), labelled: true },
} as const

export const actions = {
  'inspectionPlan.add': text('新建巡检计划', 'Create inspection plan'),
  'inspectionPlan.edit': text('修改巡检计划', 'Edit inspection plan'),
  'inspectionPlan.remove': text('删除巡检计划', 'Remove inspection plan'),
  'inspectionRound.start': text('开始隐患巡检', 'Start inspection round'),
  'inspectionRound.answer': text('提交巡检结果', 'Answer inspection round'),
  'inspectionRound.photo': text('上传巡检照片', 'Send photo of inspection round'),
  'inspectionRound.order': text('巡检异常转工单', 'Order for a defect of a round'),
  'inspectionRound.finish': text('完成巡检', 'Finish inspection round'),
  'inspectionRound.approve': text('审核巡检', 'Approve inspection round'),
  'inspectionRound.return': text('退回巡检', 'Return inspection round'),
  'inspectionRound.abandon': text('中止巡检', 'Abandon inspection round'),
  'inspectionRound.lapse': text('巡检过期', 'Inspection round lapsed'),
  'inspectionLabel.issue': text('生成巡检标签', 'Issue inspection labels'),
  'inspectionLabel.reissue': text('重新生成巡检标签', 'Issue inspection labels anew'),
} as const

export const refusedCalls = {
  insertInspectionPlan: refused('新建巡检计划', 'Create inspection plan'),
  updateInspectionPlan: refused('修改巡检计划', 'Edit inspection plan'),
  deleteInspectionPlan: refused('删除巡检计划', 'Remove inspection plan'),
  startRound: refused('开始隐患巡检', 'Start inspection round'),
  answerRound: refused('提交巡检结果', 'Answer inspection round'),
  sendRoundPhoto: refused('上传巡检照片', 'Send photo of inspection round'),
  orderOfDefect: refused('巡检异常转工单', 'Order for a defect of a round'),
  finishRound: refused('完成巡检', 'Finish inspection round'),
  approveRound: refused('审核巡检', 'Approve inspection round'),
  returnRound: refused('退回巡检', 'Return inspection round'),
  abandonRound: refused('中止巡检', 'Abandon inspection round'),
  inspectionLabels: refused('生成巡检标签', 'Issue inspection labels'),
} as const

export const refusals = {
  'inspection plan not exists': message('巡检计划不存在', 'The inspection plan does not exist', 404),
  'inspection plan wrong': message('有 {count} 处填写不正确，未保存', 'Not saved: {count} fields are not right', 400),
  'plan name used': message('该项目已有同名巡检计划', 'A plan of this project has this name already', 409),
  'plan stop wrong': message(
    '第 {stop} 个巡检点不可用：请选择本项目的一台网关、一台设备，或填写一个地点',
    'Stop {stop} cannot be used: choose a gateway or a device of this project, or name a place',
    400,
  ),
  'plan stop twice': message('第 {stop} 个巡检点与前面重复', 'Stop {stop} stands on the route before', 400),
  'plan online place': message(
    '在线巡检只能选择网关或设备，第 {stop} 个巡检点是地点',
    'An online round walks gateways and devices: stop {stop} is a place',
    400,
  ),
  'plan item wrong': message(
    '自定义检查项“{item}”不正确：数值项的下限不能大于上限，选择项须有 2–8 个选项且有正常选项',
    'Item {item} is not right: a lower bound is not above the upper one, and a choice has 2 to 8, one of them in order',
    400,
  ),
  'plan cycle wrong': message('周期须为 1–{most} 的整数', 'The cycle is a whole number from 1 to {most}', 400),
  'plan window wrong': message(
    '提前与延后合计须少于一个周期，最多 {most} 天',
    'Days before and after are together shorter than the cycle: at most {most}',
    400,
  ),
  'plan day wrong': message('首次到期日不是有效日期', 'The first due date is no date', 400),
  'plan person blind': message(
    '{name} 看不到此项目或没有隐患巡检权限，不能指派',
    'Not assigned: {name} does not see this project, or may not open inspection rounds',
    409,
  ),
  'plan list empty': message(
    '第 {stop} 个巡检点没有检查项，请保留或添加至少一项',
    'Nothing is checked at stop {stop}: keep or add an item',
    400,
  ),
  'round not exists': message('巡检不存在', 'The inspection round does not exist', 404),
  'round state': message('巡检现为“{state}”，不能这样操作', 'The round is {state}, so this cannot be done', 409),
  'round lapsed': message(
    '巡检窗口已过，该巡检已过期；请开始一次新的巡检',
    'The window of this round is over, and it has lapsed. Start a new round',
    409,
  ),
  'round not yours': message('该巡检已指派给其他人', 'This round is given to somebody else', 403),
  'round incomplete': message(
    '还缺 {missing} 项（检查结果、原因或照片），不能完成',
    'It cannot be finished: {missing} answers, reasons or photos are missing',
    409,
  ),
  'round signature missing': message('请先签名', 'It is to be signed first', 409),
  'round four eyes': message(
    '巡检人不能审核自己的巡检，请由其他人审核',
    'Whoever inspected does not approve. Somebody else does',
    409,
  ),
  'round empty': message('所选范围内没有可巡检的设备', 'There is nothing to inspect', 409),
  'round too large': message(
    '所选范围超过 {most} 条线路，请分次巡检',
    'There are more than {most} lines. Inspect in several rounds',
    409,
  ),
  'round under way': message(
    '该项目已有一次在线巡检正在进行，请等待完成或先中止',
    'An online round of this project is under way. Wait for it, or abandon it first',
    409,
  ),
  'round id used': message('该巡检编号已被使用，请重新开始', 'This id was used for another round. Start again', 409),
  'round no defect': message('该检查项没有异常，不能生成工单', 'This item has no defect to make an order of', 409),
  'round sheet missing': message('该巡检还没有完成，没有巡检表', 'The round is not finished: there is no sheet yet', 404),
  'day wrong': message('日期无效', 'This is no date', 400),
  'calendar too long': message('一次最多查看 {days} 天', 'At most {days} days at once', 400),
  'code unknown': message('无法识别该二维码', 'This code is not known', 404),
  'label wrong': message(
    '第 {label} 个标签不可用：请选择本项目的一台网关、一台设备，或填写一个地点',
    'Label {label} cannot be made: choose a gateway or a device of this project, or name a place',
    400,
  ),
} as const
