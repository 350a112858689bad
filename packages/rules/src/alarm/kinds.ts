import type { AlarmKind, Priority } from '@linewarden/equipment'
import { alarmKinds, priorities } from '@linewarden/equipment'

/** What an event can be: an alarm of one of its kinds, a work order for somebody, or an entry of the journal. */
export const eventKinds = [...alarmKinds, 'order', 'journal'] as const
export type EventKind = (typeof eventKinds)[number]

/** The worst of these kinds; null: none of them is the kind of an alarm. */
export const worstKind = (kinds: Iterable<string>): AlarmKind | null => {
  const all = new Set(kinds)
  return alarmKinds.find((kind) => all.has(kind)) ?? null
}

/** Whether an event of this kind is an alarm, with a life of its own. */
export const isAlarmKind = (kind: string): kind is AlarmKind => alarmKinds.some((each) => each === kind)

/** How far from the worst: 0 for the worst priority. */
export const severityRank = (priority: Priority): number => priorities.indexOf(priority)
