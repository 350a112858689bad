import type { OrderReading, OrderVerification } from '@linewarden/contract'
import { text } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { hourMs } from '@linewarden/equipment'
import type { CloseReason, OrderStatus, OrderType, PauseReason } from '@linewarden/rules/workorder'

export const fileName = text('工单', 'work-orders')

/** The heads of exported orders, in the order of their cells. */
export const columns: readonly Text[] = [
  text('建单时间', 'Created'),
  text('编号', 'Number'),
  text('类型', 'Type'),
  text('状态', 'Status'),
  text('优先级', 'Priority'),
  text('标题', 'Title'),
  text('项目', 'Project'),
  text('网关', 'Gateway'),
  text('线路', 'Line'),
  text('负责人', 'Person in charge'),
  text('协助人', 'Helpers'),
  text('建单人', 'Founder'),
  text('处理人', 'Processed by'),
  text('报警时间', 'Alarm time'),
  text('派单时间', 'Dispatch time'),
  text('接单时间', 'Taken'),
  text('处理时间', 'Deal time'),
  text('验收时间', 'Accepted'),
  text('关闭时间', 'Closed'),
  text('到期日', 'Due day'),
  text('时限', 'Clock'),
  text('处理已用（分钟）', 'Used to process it (min)'),
  text('处理时限（分钟）', 'Allowed to process it (min)'),
  text('暂停至', 'On hold until'),
  text('暂停原因', 'On hold because'),
  text('验证', 'Verification'),
  text('原因', 'Cause'),
  text('处理措施', 'What was done'),
  text('更换备件', 'Parts'),
  text('工时（分钟）', 'Labour (min)'),
  text('关闭原因', 'Closed because'),
  text('重复的工单', 'Duplicate of'),
  text('退回次数', 'Times returned'),
  text('重开次数', 'Times reopened'),
  text('描述', 'Description'),
]

export const statuses: Readonly<Record<OrderStatus, Text>> = {
  undispatched: text('未派发', 'Not distributed'),
  dispatched: text('已派发未处理', 'Dispatched, not processed'),
  processed: text('已派发已处理', 'Dispatched and processed'),
  accepted: text('已验收', 'Accepted'),
  closed: text('已关闭', 'Closed'),
}
export const types: Readonly<Record<OrderType, Text>> = {
  repair: text('设备维修', 'Device repair'),
  inspection: text('设备巡检', 'Device inspection'),
}
export const marks: Readonly<Record<OrderReading['Mark'], Text>> = {
  onTime: text('按时', 'On time'),
  near: text('已用 80% 以上', 'More than 80 % used'),
  over: text('超时', 'Overdue'),
}
export const whys: Readonly<Record<PauseReason | CloseReason, Text>> = {
  access: text('无法进入', 'No access'),
  parts: text('待料', 'Waiting for parts'),
  outage: text('待停电', 'Waiting for an outage'),
  customer: text('客户原因', 'Customer'),
  falseAlarm: text('误报', 'False alarm'),
  duplicate: text('重复', 'Duplicate'),
  cancelled: text('取消', 'Cancelled'),
  notFound: text('未复现', 'Not reproduced'),
}
const proofs: Readonly<Record<OrderVerification['State'], Text>> = {
  none: text('由验收人判断', 'For whoever accepts it to check'),
  running: text('验证中', 'Verifying'),
  verified: text('已验证', 'Verified'),
  contradicted: text('值又回来了', 'The value is back'),
  noData: text('无法验证：没有数据', 'Cannot be verified: no data'),
}

const missing: Readonly<Record<NonNullable<OrderVerification['Missing']>, Text>> = {
  cause: text('跳闸原因未登记', 'Cause of the trip not recorded'),
  closed: text('合闸不足 24 h', 'Not closed for 24 h yet'),
  return: text('报警未恢复', 'The alarm is still there'),
  data: text('数据不足', 'Too little data'),
  load: text('负荷未到当时 70%', 'Load below 70% of then'),
  selfTest: text('待自检合格', 'Waits for a self-test that passes'),
  exam: text('待再次体检', 'Waits for the next health check'),
  patrol: text('待再次巡检', 'Waits for the next patrol'),
}

/** How far it is proved, as the page says it: what is missing, or hours where they are. */
export function proofWords({ State, HaveMs, NeedMs, Missing }: OrderVerification): Text {
  const { zh, en } = proofs[State]
  if (State !== 'running') return { zh, en }
  if (Missing) return missing[Missing]
  const hours = `${Math.floor(HaveMs / hourMs)}/${Math.round(NeedMs / hourMs)} h`
  return { zh: `${zh} ${hours}`, en: `${en} ${hours}` }
}
