import type { StateAlarm } from '@linewarden/equipment'

/** Where one alarm of one point stands. */
export const Phase = { normal: 0, pendingOn: 1, active: 2, pendingOff: 3 } as const
export type Phase = (typeof Phase)[keyof typeof Phase]

export type Transition = 'raised' | 'returned' | null

/** The state of one evaluation; changed in place, because a busy plant makes a quarter of a million evaluations a second. */
export interface Standing {
  phase: Phase
  /** Device time since when it is pending, Unix ms. */
  since: number
}

export const newStanding = (active = false): Standing => ({ phase: active ? Phase.active : Phase.normal, since: 0 })

interface Limit {
  readonly sign: 1 | -1
  readonly trigger: number
  readonly release: number
  readonly ignoreAtOrBelow: number
  readonly alarm: { readonly onDelayMs: number; readonly offDelayMs: number }
}

/**
 * Evaluates one value against one limit. Raised when it has been beyond the limit for the on-delay, returned when it has been back by the
 * dead-band for the off-delay; in between nothing moves, so a value on the limit does not chatter. A missing value (NaN) says nothing.
 */
export function evaluateLimit(limit: Limit, standing: Standing, value: number, at: number): Transition {
  if (Number.isNaN(value) || value <= limit.ignoreAtOrBelow) return null
  const signed = limit.sign * value
  return advance(standing, signed > limit.trigger, signed <= limit.release, limit.alarm.onDelayMs, limit.alarm.offDelayMs, at)
}

/** Evaluates a reported state. Latching alarms return like others: only the device's own report ends them, never the server. */
export function evaluateState(
  alarm: Pick<StateAlarm, 'values' | 'undecided' | 'onDelayMs' | 'offDelayMs'>,
  standing: Standing,
  value: string,
  at: number,
): Transition {
  if (alarm.undecided?.includes(value)) return null
  const bad = alarm.values.includes(value)
  return advance(standing, bad, !bad, alarm.onDelayMs, alarm.offDelayMs, at)
}

function advance(standing: Standing, bad: boolean, good: boolean, onDelayMs: number, offDelayMs: number, at: number): Transition {
  switch (standing.phase) {
    case Phase.normal:
      if (!bad) return null
      if (onDelayMs === 0) return to(standing, Phase.active, at, 'raised')
      return to(standing, Phase.pendingOn, at, null)
    case Phase.pendingOn:
      if (!bad) return to(standing, Phase.normal, at, null)
      return at - standing.since >= onDelayMs ? to(standing, Phase.active, at, 'raised') : null
    case Phase.active:
      if (!good) return null
      if (offDelayMs === 0) return to(standing, Phase.normal, at, 'returned')
      return to(standing, Phase.pendingOff, at, null)
    case Phase.pendingOff:
      if (!good) return to(standing, Phase.active, at, null)
      return at - standing.since >= offDelayMs ? to(standing, Phase.normal, at, 'returned') : null
  }
}

function to(standing: Standing, phase: Phase, at: number, transition: Transition): Transition {
  standing.phase = phase
  standing.since = at
  return transition
}
