import type { Priority } from '@linewarden/equipment'

/** ISA-18.2 alarm states: active and unacknowledged, active and acknowledged, returned but unacknowledged, normal. */
export const alarmStates = ['active', 'acknowledged', 'returned', 'normal'] as const
export type AlarmState = (typeof alarmStates)[number]

/**
 * What happens to an alarm. `expire`: its acknowledgement has run out. `unshelve`: a person takes it off the shelf; `shelfEnd`: its time there
 * is over. `suppress` and `release`: its place is taken out of service, and comes back. `fold`: another event explains it, and shows for it;
 * `alone`: none does any more. `remove`: its equipment was taken out; `merge`: it goes on as another event.
 */
export const alarmActs = [
  'raise',
  'return',
  'acknowledge',
  'expire',
  'shelve',
  'unshelve',
  'shelfEnd',
  'suppress',
  'release',
  'fold',
  'alone',
  'comment',
  'remove',
  'merge',
] as const
export type AlarmAct = (typeof alarmActs)[number]

type Row = Record<AlarmState, AlarmState>
const stays: Row = { active: 'active', acknowledged: 'acknowledged', returned: 'returned', normal: 'normal' }
const ends: Row = { active: 'normal', acknowledged: 'normal', returned: 'normal', normal: 'normal' }
const seen: Row = { ...stays, active: 'acknowledged', returned: 'normal' }

const table: Record<AlarmAct, Row> = {
  raise: { ...stays, returned: 'active', normal: 'active' },
  return: { ...stays, active: 'returned', acknowledged: 'normal' },
  acknowledge: seen,
  expire: { ...stays, acknowledged: 'active' },
  shelve: stays,
  // By hand it comes back acknowledged, by itself unacknowledged where it is still there (ISA-18.2, 11.7.3).
  unshelve: seen,
  shelfEnd: { ...stays, acknowledged: 'active', returned: 'normal' },
  suppress: stays,
  release: stays,
  fold: stays,
  // Nobody acknowledged it by itself: what was acknowledged was the incident.
  alone: { ...stays, acknowledged: 'active' },
  comment: stays,
  remove: ends,
  merge: ends,
}

/** The state after an act. */
export const foldAlarm = (state: AlarmState, act: AlarmAct): AlarmState => table[act][state]

/** The condition is there: it can still return. */
export const activeAlarmStates = alarmStates.filter((state) => foldAlarm(state, 'return') !== state)

/** Nobody has acknowledged it yet. */
export const unacknowledgedStates = alarmStates.filter((state) => foldAlarm(state, 'acknowledge') !== state)

/** It still needs somebody; while it does, the same alarm raised again is this event and no second one. */
export const openAlarmStates = alarmStates.filter((state) => state !== 'normal')

/** Whether somebody still has to acknowledge it. Null: the event is none that could be. */
export const isUnacknowledged = (state: AlarmState | null): boolean => unacknowledgedStates.some((each) => each === state)

/** A value that chatters is announced again after so long: within, the event only counts (IEC 62682: chatter). */
export const announceAgainMs = 10 * 60_000

/** Whether a raise of an alarm that is open already is to be announced like a new one: a trip, gas or smoke each time. Times in Unix ms. */
export const isAnnouncedAgain = (priority: Priority, lastRaisedAt: number, raisedAt: number): boolean =>
  priority === 'critical' || raisedAt - lastRaisedAt >= announceAgainMs

const minuteMs = 60_000
/** The longest that an alarm stays on the shelf. */
export const maxShelfMinutes = 480
const maxShelfMs = maxShelfMinutes * minuteMs

/** How long an acknowledgement holds while the condition is still there; null: as long as it is (default). */
export const acknowledgementMs: Readonly<Record<Priority, number | null>> = {
  critical: 30 * minuteMs,
  high: 4 * 60 * minuteMs,
  medium: 24 * 60 * minuteMs,
  low: null,
}

/** Why an alarm is silent though it is open: a tag hangs on its place, or the root of an incident shows for it. */
export const suppressions = ['tag', 'incident'] as const
export type Suppression = (typeof suppressions)[number]

/** An alarm as it stands. Times in Unix ms. */
export interface AlarmCondition {
  readonly state: AlarmState
  /** Null: it is not on the shelf. */
  readonly shelvedUntil: number | null
  /** When its acknowledgement runs out; null: nobody acknowledged it, or it holds as long as the condition does. */
  readonly acknowledgedUntil: number | null
  /** Null: it is neither out of service nor folded. */
  readonly suppressed: Suppression | null
}

/** Something that happens to an alarm, at a time. */
export interface AlarmStep {
  readonly act: AlarmAct
  /** Unix ms. */
  readonly at: number
  /** Of a shelving: until when. */
  readonly until?: number
}

const leavesShelf: ReadonlySet<AlarmAct> = new Set(['unshelve', 'shelfEnd', 'remove', 'merge'])

/** How an alarm of a priority stands after a step: the one place where that is decided. */
export function alarmAfter(alarm: AlarmCondition, priority: Priority, { act, at, until = at }: AlarmStep): AlarmCondition {
  const state = foldAlarm(alarm.state, act)
  // Of what is over only the shelf goes on: the same alarm raised there meanwhile is silent.
  if (state === 'normal')
    return { state, shelvedUntil: leavesShelf.has(act) ? null : alarm.shelvedUntil, acknowledgedUntil: null, suppressed: null }
  const after = { ...alarm, state }
  switch (act) {
    case 'acknowledge':
      return state === alarm.state ? after : { ...after, acknowledgedUntil: runsOut(state, priority, at) }
    case 'unshelve':
      return { ...after, shelvedUntil: null, acknowledgedUntil: runsOut(state, priority, at) }
    case 'shelve':
      return { ...after, shelvedUntil: Math.min(until, at + maxShelfMs) }
    case 'shelfEnd':
      return { ...after, shelvedUntil: null, acknowledgedUntil: null }
    case 'expire':
      return { ...after, acknowledgedUntil: null }
    case 'suppress':
      return { ...after, suppressed: alarm.suppressed ?? 'tag' }
    case 'release':
      return { ...after, suppressed: alarm.suppressed === 'tag' ? null : alarm.suppressed }
    case 'fold':
      return { ...after, suppressed: 'incident' }
    case 'alone':
      return { ...after, suppressed: null, acknowledgedUntil: null }
    default:
      return after
  }
}

function runsOut(state: AlarmState, priority: Priority, at: number): number | null {
  const ms = acknowledgementMs[priority]
  return ms === null || state !== 'acknowledged' ? null : at + ms
}

/** By the time alone: nothing has to happen for an alarm to leave the shelf. */
export const isShelved = (until: number | null, now: number): boolean => until !== null && now < until

/** Whether it neither pops up nor waits for an acknowledgement for now, though it is open. */
export const isSilent = (
  { shelvedUntil, suppressed }: Omit<AlarmCondition, 'state' | 'acknowledgedUntil'>,
  now: number,
): boolean => suppressed !== null || isShelved(shelvedUntil, now)

/** What time has done to an alarm by now, with the moment it did; null: nothing. On the shelf no acknowledgement runs out. */
export function dueStep({ state, shelvedUntil, acknowledgedUntil }: AlarmCondition, now: number): AlarmStep | null {
  if (shelvedUntil !== null) return isShelved(shelvedUntil, now) ? null : { act: 'shelfEnd', at: shelvedUntil }
  if (state !== 'acknowledged' || acknowledgedUntil === null || now < acknowledgedUntil) return null
  return { act: 'expire', at: acknowledgedUntil }
}

/** Whether it calls for somebody again by what a step has done to it: it is there, unacknowledged and no longer silent. */
export const callsAgain = (act: AlarmAct, after: AlarmCondition, now: number): boolean =>
  (act === 'expire' || act === 'shelfEnd' || act === 'release' || act === 'alone') &&
  after.state === 'active' &&
  !isSilent(after, now)
