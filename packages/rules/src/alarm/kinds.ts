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

/** The name under which alarms of a kind are counted on the wire: `Alarm` of `alarm`. */
export type CountName = Capitalize<AlarmKind>
export const countNameOf = (kind: AlarmKind): CountName => `${kind.charAt(0).toUpperCase()}${kind.slice(1)}` as CountName

/** One for each kind of alarm. */
export const byAlarmKind = <T>(each: (kind: AlarmKind) => T): Record<AlarmKind, T> =>
  Object.fromEntries(alarmKinds.map((kind) => [kind, each(kind)])) as Record<AlarmKind, T>

/** One for each kind of alarm, by the name under which it is counted. */
export const byCountName = <T>(each: (kind: AlarmKind) => T): Record<CountName, T> =>
  Object.fromEntries(alarmKinds.map((kind) => [countNameOf(kind), each(kind)])) as Record<CountName, T>

/** Whether an event of this kind is an alarm, with a life of its own. */
export const isAlarmKind = (kind: string): kind is AlarmKind => alarmKinds.some((each) => each === kind)

/** How far from the worst: 0 for the worst priority. */
export const severityRank = (priority: Priority): number => priorities.indexOf(priority)
