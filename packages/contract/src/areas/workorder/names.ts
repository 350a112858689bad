import { message } from '../../terms/message.ts'
import { numbered } from '../../terms/subject-kind.ts'
import { refused, text } from '../../terms/text.ts'

export const subjects = {
  workOrder: numbered('工单', 'Work order'),
} as const

export const actions = {
  'workOrder.add': text('新建工单', 'Create work order'),
  'workOrder.join': text('并入工单', 'Join work order'),
  'workOrder.edit': text('修改工单', 'Edit work order'),
  'workOrder.comment': text('备注工单', 'Comment on work order'),
  'workOrder.photo': text('上传工单照片', 'Add photo to work order'),
  'workOrder.photoBack': text('撤回工单照片', 'Take back photo of work order'),
  'workOrder.dispatch': text('派发工单', 'Dispatch work order'),
  'workOrder.take': text('接单', 'Take work order'),
  'workOrder.decline': text('退单', 'Decline work order'),
  'workOrder.pause': text('暂停工单', 'Pause work order'),
  'workOrder.resume': text('恢复工单', 'Resume work order'),
  'workOrder.process': text('处理工单', 'Process work order'),
  'workOrder.return': text('退回工单', 'Return work order'),
  'workOrder.accept': text('验收工单', 'Accept work order'),
  'workOrder.close': text('关闭工单', 'Close work order'),
  'workOrder.reopen': text('重新打开工单', 'Reopen work order'),
  'workOrder.read': text('查看工单通知', 'Read work order notice'),
  'workOrder.export': text('导出工单', 'Export work orders'),
  'orderRule.add': text('新建自动派单规则', 'Add order rule'),
  'orderRule.edit': text('修改自动派单规则', 'Edit order rule'),
  'orderRule.remove': text('删除自动派单规则', 'Remove order rule'),
  'workOrder.contradict': text('工单自动退回：值又回来了', 'Work order back by itself: the value is back'),
} as const

export const refusedCalls = {
  insertWorkOrder: refused('新建工单', 'Create work order'),
  updateWorkOrder: refused('修改工单', 'Edit work order'),
  commentWorkOrder: refused('备注工单', 'Comment on work order'),
  sendOrderPhoto: refused('上传工单照片', 'Add photo to work order'),
  takeBackOrderPhoto: refused('撤回工单照片', 'Take back photo of work order'),
  dispatchWorkOrders: refused('派发工单', 'Dispatch work orders'),
  takeWorkOrder: refused('接单', 'Take work order'),
  declineWorkOrder: refused('退单', 'Decline work order'),
  pauseWorkOrder: refused('暂停或恢复工单', 'Pause or resume work order'),
  processWorkOrder: refused('处理工单', 'Process work order'),
  returnWorkOrder: refused('退回工单', 'Return work order'),
  acceptWorkOrders: refused('验收工单', 'Accept work orders'),
  closeWorkOrder: refused('关闭工单', 'Close work order'),
  reopenWorkOrder: refused('重新打开工单', 'Reopen work order'),
  updateOrderRule: refused('修改自动派单规则', 'Change order rule'),
  readOrderNotices: refused('查看工单通知', 'Read work order notice'),
} as const

export const refusals = {
  'hazard is gone': message('该隐患已消除，无需工单', 'The hazard is gone: it needs no order', 409),
  'work order not exists': message('工单不存在', 'The work order does not exist', 404),
  'too many work orders': message(
    '符合条件的工单超过 {most} 单，请缩小范围后导出',
    'More than {most} work orders match. Narrow the filter, then export',
    409,
  ),
  'order wrong': message('有 {count} 处填写不正确，未保存', 'Not saved: {count} fields are not right', 400),
  'order description missing': message('描述不能为空', 'Describe what is to be done', 400),
  'order person missing': message('请选择负责人', 'Choose who is in charge', 400),
  'order days wrong': message('须为 {from}–{to} 天的整数', 'Whole days from {from} to {to}', 400),
  'order person blind': message(
    '{name} 看不到此设备，请选择其他负责人，或先为其分配设备',
    'This equipment is not seen by {name}. Choose somebody else, or assign the equipment first',
    409,
  ),
  'order person unfit': message(
    '该账号已停用、为共享账号，或没有工单管理权限，不能作为负责人',
    'This account is disabled, shared, or may not open work orders: it cannot be in charge',
    409,
  ),
  'order state': message(
    '工单现为“{state}”，不能这样操作；现在可以：{can}',
    'The order is {state}, so this cannot be done. What can be done now: {can}',
    409,
  ),
  'order not yours': message('只有{who}可以这样操作', 'Only {who} may do this', 403),
  'order has other person': message(
    '该工单现由 {name} 负责，未提交；已写内容保留为备注',
    'Not processed: {name} has this order now. What you wrote is kept as a comment',
    409,
  ),
  'order four eyes': message(
    '处理人不能验收自己处理的工单，请由建单人或其他管理员验收',
    'Whoever processed an order does not accept it. Its founder or another administrator does',
    409,
  ),
  'order unverified': message(
    '尚未验证：{why}。须由管理员写明理由后验收',
    'Not verified yet: {why}. Only an administrator accepts it so, with a reason',
    409,
  ),
  'order too late': message('关闭已超过 {days} 天，请新建工单', 'It was closed more than {days} days ago. Make a new order', 409),
  'order taken': message('已接单', 'It is taken already', 409),
  'order paused': message('工单已暂停', 'The order is paused already', 409),
  'order not paused': message('工单没有暂停', 'The order is not paused', 409),
  'order pause wrong': message(
    '请选择暂停原因；暂停须到现在以后，每轮合计最多 30 天，还可暂停 {days} 天',
    'Choose why, and an end later than now. Pauses of a round last 30 days in all: {days} are left',
    400,
  ),
  'order reason missing': message('请写明理由', 'Give a reason', 400),
  'order duplicate wrong': message(
    '请选择被重复的工单：同一项目中未关闭的另一张工单',
    'Choose the order that this one repeats: another one of the project that is not closed',
    400,
  ),
  'order has successor': message(
    '该隐患已有未结工单 {number}，请在该工单中处理',
    'Its hazard has another open order, {number}. Work on that one',
    409,
  ),
  'order rule not exists': message('自动派单规则不存在', 'The order rule does not exist', 404),
  'order rule administrator only': message('只有管理员可以修改自动派单规则', 'Only an administrator changes order rules', 403),
  'order rule nameless': message('请填写规则名称', 'Name the rule', 400),
  'order rule of everything': message(
    '请至少选择报警类型或优先级之一',
    'Choose which alarms it is about: by kind or by priority',
    400,
  ),
  'order rule two ways': message('负责人和轮值只能选一种', 'Choose one person or a rota, not both', 400),
  'order rule day wrong': message('请选择一个日期', 'Choose a day', 400),
  'photo not yours': message(
    '只有上传者或管理员可以撤回这张照片',
    'Only whoever sent this photo, or an administrator, takes it back',
    403,
  ),
  'photo stays': message(
    '处理结果已提交或工单已结束，照片作为记录保留',
    'The photo stays on record: the work was reported as done with it, or the order is over',
    409,
  ),
  'order act used': message('该提交编号已被使用，请重新提交', 'This act id was used for something else. Try again', 409),
  'order is open no more': message('工单已结束，不能修改', 'The order is over and is not changed any more', 409),
} as const
