import type { AlarmState } from './lifecycle.ts'
import { isUnacknowledged } from './lifecycle.ts'

/** Whether an acknowledgement has something to do with an event: it waits for one, somebody was faster, or it is none to acknowledge. */
export const acknowledgeable = (state: AlarmState | null): 'waits' | 'already' | 'never' =>
  state === null ? 'never' : isUnacknowledged(state) ? 'waits' : 'already'

/** By which share of what a person was shown the number of events may differ from what they acknowledge unseen. */
const maxDrift = 0.1

/** Whether so many events are not what a person was shown, so that they look again before they acknowledge all of them. */
export const isAnotherCount = (expected: number, now: number): boolean => Math.abs(now - expected) > expected * maxDrift
