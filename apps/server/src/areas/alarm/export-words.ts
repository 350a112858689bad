import type { EventRecord } from '@linewarden/contract'
import { text } from '@linewarden/contract'
import type { Priority, Text } from '@linewarden/equipment'
import { priorityWords } from '@linewarden/equipment'
import type { AlarmState, EventKind } from '@linewarden/rules/alarm'

export const fileName = text('报警列表', 'alarms')

/** The heads of an exported list, in the order of its cells. */
export const columns: readonly Text[] = [
  text('发生时间', 'Raised'),
  text('类别', 'Kind'),
  text('优先级', 'Priority'),
  text('状态', 'State'),
  text('报警', 'Alarm'),
  text('值', 'Value'),
  text('限值', 'Limit'),
  text('单位', 'Unit'),
  text('项目', 'Project'),
  text('网关', 'Gateway'),
  text('线路', 'Line'),
  text('次数', 'Occurrences'),
  text('最近发生', 'Last raised'),
  text('恢复', 'Returned'),
  text('持续（秒）', 'Duration (s)'),
  text('确认时间', 'Acknowledged'),
  text('确认人', 'Acknowledged by'),
  text('搁置至', 'Shelved until'),
  text('编号', 'Number'),
  text('处置建议', 'What to do'),
  text('搁置原因', 'Reason for shelving'),
]

const kinds: Readonly<Record<EventKind, Text>> = {
  alarm: text('报警', 'Alarm'),
  fault: text('故障', 'Fault'),
  warning: text('预警', 'Early warning'),
  order: text('工单', 'Work order'),
  journal: text('记录', 'Record'),
}
const states: Readonly<Record<AlarmState, Text>> = {
  active: text('未确认', 'Unacknowledged'),
  acknowledged: text('已确认', 'Acknowledged'),
  returned: text('已恢复未确认', 'Returned, unacknowledged'),
  normal: text('已结束', 'Over'),
}

/** What stands in the cells, as its reader speaks. */
export function wordsOf(language: 'CN' | 'EN') {
  const localised = ({ zh, en }: Text): string => (language === 'EN' ? en : zh)
  return {
    localised,
    kind: (kind: EventKind) => localised(kinds[kind]),
    priority: (priority: Priority) => localised(text(priorityWords.zh[priority], priorityWords.en[priority])),
    state: (state: EventRecord['State']) => (state === null ? null : localised(states[state])),
  }
}
