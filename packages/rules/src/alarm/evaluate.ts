import type { StateAlarm } from '@linewarden/equipment'

/** Where one alarm of one point stands. */
export const Phase = { normal: 0, pendingOn: 1, active: 2, pendingOff: 3 } as const
export type Phase = (typeof Phase)[keyof typeof Phase]

export type Transition = 'raised' | 'returned' | null

/** The state of one evaluation; changed in place, because a busy plant makes a quarter of a million evaluations a second. */
export interface EvaluationState {
  phase: Phase
  /** Device time since when it is pending, Unix ms. */
  since: number
}

export const newEvaluationState = (active = false): EvaluationState => ({ phase: active ? Phase.active : Phase.normal, since: 0 })

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
export function evaluateLimit(limit: Limit, evaluationState: EvaluationState, value: number, at: number): Transition {
  if (Number.isNaN(value) || value <= limit.ignoreAtOrBelow) return null
  const signed = limit.sign * value
  return advance(
    evaluationState,
    signed > limit.trigger,
    signed <= limit.release,
    limit.alarm.onDelayMs,
    limit.alarm.offDelayMs,
    at,
  )
}

/** Evaluates a reported state. Latching alarms return like others: only the device's own report ends them, never the server. */
export function evaluateState(
  alarm: Pick<StateAlarm, 'values' | 'undecided' | 'onDelayMs' | 'offDelayMs'>,
  evaluationState: EvaluationState,
  value: string,
  at: number,
): Transition {
  if (alarm.undecided?.includes(value)) return null
  const bad = alarm.values.includes(value)
  return advance(evaluationState, bad, !bad, alarm.onDelayMs, alarm.offDelayMs, at)
}

function advance(
  evaluationState: EvaluationState,
  bad: boolean,
  good: boolean,
  onDelayMs: number,
  offDelayMs: number,
  at: number,
): Transition {
  switch (evaluationState.phase) {
    case Phase.normal:
      if (!bad) return null
      if (onDelayMs === 0) return to(evaluationState, Phase.active, at, 'raised')
      return to(evaluationState, Phase.pendingOn, at, null)
    case Phase.pendingOn:
      if (!bad) return to(evaluationState, Phase.normal, at, null)
      return at - evaluationState.since >= onDelayMs ? to(evaluationState, Phase.active, at, 'raised') : null
    case Phase.active:
      if (!good) return null
      if (offDelayMs === 0) return to(evaluationState, Phase.normal, at, 'returned')
      return to(evaluationState, Phase.pendingOff, at, null)
    case Phase.pendingOff:
      if (!good) return to(evaluationState, Phase.active, at, null)
      return at - evaluationState.since >= offDelayMs ? to(evaluationState, Phase.normal, at, 'returned') : null
  }
}

function to(evaluationState: EvaluationState, phase: Phase, at: number, transition: Transition): Transition {
  evaluationState.phase = phase
  evaluationState.since = at
  return transition
}
