import type { Priority } from '@linewarden/equipment'

/** ISA-18.2 alarm states: active and unacknowledged, active and acknowledged, returned but unacknowledged, normal. */
export const alarmStates = ['active', 'acknowledged', 'returned', 'normal'] as const
export type AlarmState = (typeof alarmStates)[number]
export type AlarmAct = 'raise' | 'return' | 'acknowledge'

const table: Record<AlarmState, Record<AlarmAct, AlarmState>> = {
  active: { raise: 'active', return: 'returned', acknowledge: 'acknowledged' },
  acknowledged: { raise: 'acknowledged', return: 'normal', acknowledge: 'acknowledged' },
  returned: { raise: 'active', return: 'returned', acknowledge: 'normal' },
  normal: { raise: 'active', return: 'normal', acknowledge: 'normal' },
}

/** The state after an act. */
export const foldAlarm = (state: AlarmState, act: AlarmAct): AlarmState => table[state][act]

/** The condition is there: it can still return. */
export const activeAlarmStates = alarmStates.filter((state) => foldAlarm(state, 'return') !== state)
/** Nobody has acknowledged it yet. */
export const unacknowledgedStates = alarmStates.filter((state) => foldAlarm(state, 'acknowledge') !== state)
/** It still needs somebody; while it does, the same alarm raised again is this event and no second one. */
export const openAlarmStates = alarmStates.filter((state) => state !== 'normal')

/** Whether somebody still has to acknowledge it. Null: the event is none that could be. */
export const isUnacknowledged = (state: AlarmState | null): boolean =>
  state !== null && unacknowledgedStates.some((each) => each === state)

/** A value that chatters is announced again after so long: within, the event only counts (IEC 62682: chatter). */
export const announceAgainMs = 10 * 60_000

/** Whether a raise of an alarm that is open already is to be announced like a new one: a trip, gas or smoke each time. Times in Unix ms. */
export const isAnnouncedAgain = (priority: Priority, lastRaisedAt: number, raisedAt: number): boolean =>
  priority === 'critical' || raisedAt - lastRaisedAt >= announceAgainMs
