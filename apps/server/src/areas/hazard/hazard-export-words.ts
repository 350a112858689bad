import { text } from '@linewarden/contract'
import type { Priority, Text } from '@linewarden/equipment'
import type { HazardSource, HazardState } from '@linewarden/rules/hazard'

export const fileName = text('隐患', 'hazards')

/** The heads of exported hazards, in the order of their cells. */
export const columns: readonly Text[] = [
  text('首次发现', 'First seen'),
  text('等级', 'Level'),
  text('隐患', 'Hazard'),
  text('状态', 'Status'),
  text('来源', 'Found by'),
  text('项目', 'Project'),
  text('网关', 'Gateway'),
  text('线路', 'Line'),
  text('次数', 'Times'),
  text('最近出现', 'Last seen'),
  text('带病运行至', 'Accepted until'),
  text('工单', 'Work order'),
  text('工单状态', 'Status of the order'),
  text('验证', 'Verification'),
  text('编号', 'Number'),
  text('代号', 'Key'),
]

/** Hazards have levels of their own names. */
export const levels: Readonly<Record<Priority, Text>> = {
  critical: text('重大', 'Critical'),
  high: text('较大', 'High'),
  medium: text('一般', 'Medium'),
  low: text('低', 'Low'),
}
export const states: Readonly<Record<HazardState, Text>> = {
  open: text('待处理', 'Open'),
  ordered: text('处理中', 'Being dealt with'),
  verifying: text('待验证', 'Being verified'),
  gone: text('已消除', 'Gone'),
  accepted: text('带病运行', 'Accepted risk'),
}
export const sources: Readonly<Record<HazardSource, Text>> = {
  alarm: text('报警', 'Alarm'),
  finding: text('预警', 'Finding'),
  selfTest: text('漏电自检', 'RCD test'),
  patrol: text('巡检', 'Patrol'),
  exam: text('体检', 'Health check'),
  person: text('人工', 'A person'),
}
