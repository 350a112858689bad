import type { ActionKey } from '@linewarden/equipment'
import { clockToleranceMs, closeClockToleranceMs } from '../quality.ts'

export type CommandState = 'authorised' | 'sent' | 'acknowledged' | 'verified' | 'refused' | 'expired' | 'unknown' | 'failed'

/** A command's life so far; times in Unix ms. */
export interface CommandLife {
  readonly action: ActionKey
  readonly state: CommandState
  /** Why it was refused or failed. */
  readonly outcome: string | null
  readonly issuedAt: number
  readonly deadline: number
  readonly sentAt: number | null
  readonly acknowledgedAt: number | null
  readonly verifiedAt: number | null
  readonly endedAt: number | null
  /** A leakage self-test: how long the breaker took to trip. */
  readonly tripMs: number | null
}

export type CommandFact =
  | { readonly kind: 'sent'; readonly at: number }
  /** It will never be sent. */
  | { readonly kind: 'notSent'; readonly at: number; readonly reason: string }
  | { readonly kind: 'result'; readonly status: 'accepted' | 'refused'; readonly reason: string | null; readonly at: number }
  /** A live report; `deviceAt` is device time, `at` when it was received. */
  | { readonly kind: 'position'; readonly value: 'open' | 'closed'; readonly deviceAt: number; readonly at: number }
  /** Another state that proves an action: the sounder, the outcome of a self-test. */
  | {
      readonly kind: 'state'
      readonly state: string
      readonly value: string
      readonly deviceAt: number
      readonly at: number
    }
  /** The trip time the equipment measured in a leakage self-test. */
  | { readonly kind: 'measured'; readonly tripMs: number; readonly at: number }
  | { readonly kind: 'tick'; readonly at: number }
  /** The server was away: what it had not marked as sent was never sent. */
  | { readonly kind: 'restart'; readonly at: number }

/** How long after the deadline the position may still come before the outcome is unknown. */
export const verifyGraceMs = 5_000
/**
 * How far a report's device time may lie before the sending. Closing is permitted only with a clock that is near, so there the proof must
 * be new; a trip is sent whatever the clock, and must still be provable.
 */
const clockSlackMs = {
  close: closeClockToleranceMs,
  trip: clockToleranceMs,
  silence: closeClockToleranceMs,
  selfTest: closeClockToleranceMs,
} as const satisfies Record<ActionKey, number>

const deadlines = {
  close: { usual: 5_000, most: 10_000 },
  trip: { usual: 30_000, most: 30_000 },
  silence: { usual: 10_000, most: 10_000 },
  selfTest: { usual: 10_000, most: 10_000 },
} as const satisfies Record<ActionKey, { readonly usual: number; readonly most: number }>

/** How long the equipment may act on it: 5 s for close (at most 10), 30 s for trip, 10 s (ours) for the others. */
export const deadlineFor = (action: ActionKey, requestedMs?: number): number =>
  Math.min(requestedMs ?? deadlines[action].usual, deadlines[action].most)

/** Still waiting; blocks another close of the same line. */
export const isUnderWay = (state: CommandState): boolean => state === 'authorised' || state === 'sent' || state === 'acknowledged'
/** No later fact can change it. */
export const isFinal = (state: CommandState): boolean => !isUnderWay(state) && state !== 'unknown'

/** IEC 61009-1, table 2: a breaker of the general type opens within 300 ms at its rated residual current IDn. */
export const tripTimeLimitMs = 300

/** Whether a measured trip time passes. A time that is no positive number was not measured. */
export const tripTimePasses = (tripMs: number): boolean => tripMs > 0 && tripMs <= tripTimeLimitMs

const wantedPosition: Readonly<Partial<Record<ActionKey, 'open' | 'closed'>>> = { trip: 'open', close: 'closed' }

/** What a fact makes of a command; the same object when nothing changes. An acknowledgement never ends it: only a report proves. */
export function foldCommand(command: CommandLife, fact: CommandFact): CommandLife {
  if (isFinal(command.state)) return command
  switch (fact.kind) {
    case 'sent':
      return command.state === 'authorised' ? { ...command, state: 'sent', sentAt: fact.at } : command
    case 'notSent':
      return command.state === 'authorised' ? ended(command, 'expired', fact.reason, fact.at) : command
    case 'result':
      return onResult(command, fact)
    case 'position':
      return onPosition(command, fact)
    case 'state':
      return onState(command, fact)
    case 'measured':
      return onMeasured(command, fact)
    case 'tick':
      return onTick(command, fact.at)
    case 'restart':
      if (command.state === 'authorised') return ended(command, 'expired', 'server_restarted', fact.at)
      return isUnderWay(command.state) ? { ...command, state: 'unknown', outcome: 'server_restarted' } : command
  }
}

function onResult(command: CommandLife, fact: CommandFact & { kind: 'result' }): CommandLife {
  if (command.sentAt === null) return command
  if (fact.status === 'refused') {
    // A seen id means an earlier copy was taken: that is no refusal of the command itself.
    return fact.reason === 'seen_id' ? command : ended(command, 'refused', fact.reason, fact.at)
  }
  return command.state === 'sent' ? { ...command, state: 'acknowledged', acknowledgedAt: fact.at } : command
}

function onPosition(command: CommandLife, fact: CommandFact & { kind: 'position' }): CommandLife {
  if (!isNewReport(command, fact)) return command
  const wanted = wantedPosition[command.action]
  if (wanted !== undefined && fact.value === wanted) return verified(command, null, fact.at)
  // Measured before the deadline the breaker may still have been on its way, however late the report came; measured after it, a contrary
  // position says that nothing happened. A self-test that leaves the line closed has not tripped it.
  const contrary = wanted !== undefined || (command.action === 'selfTest' && fact.value === 'closed')
  return contrary && command.state === 'unknown' && fact.deviceAt > command.deadline
    ? ended(command, 'failed', 'not_done', fact.at)
    : command
}

function onState(command: CommandLife, fact: CommandFact & { kind: 'state' }): CommandLife {
  if (!isNewReport(command, fact)) return command
  if (command.action === 'silence' && fact.state === 'sounder') {
    if (fact.value === 'quiet') return verified(command, null, fact.at)
    return command.state === 'unknown' && fact.deviceAt > command.deadline
      ? ended(command, 'failed', 'not_done', fact.at)
      : command
  }
  // Before the acknowledgement it is the outcome of an earlier test.
  if (command.action !== 'selfTest' || fact.state !== 'selfTest' || command.acknowledgedAt === null) return command
  if (fact.value === 'passed') return verified(command, null, fact.at)
  return fact.value === 'failed' ? verified(command, 'test_failed', fact.at) : command
}

/** The measured time is the proof of a leakage self-test; whether it passes is told by the outcome. */
function onMeasured(command: CommandLife, { tripMs, at }: CommandFact & { kind: 'measured' }): CommandLife {
  if (command.action !== 'selfTest' || command.sentAt === null || at < command.sentAt || !(tripMs > 0)) return command
  return { ...verified(command, tripTimePasses(tripMs) ? null : 'too_slow', at), tripMs }
}

const isNewReport = (command: CommandLife, { deviceAt, at }: { readonly deviceAt: number; readonly at: number }): boolean =>
  command.sentAt !== null && at >= command.sentAt && deviceAt >= command.sentAt - clockSlackMs[command.action]

const verified = (command: CommandLife, outcome: string | null, at: number): CommandLife => ({
  ...ended(command, 'verified', outcome, at),
  verifiedAt: at,
})

function onTick(command: CommandLife, at: number): CommandLife {
  if (command.state === 'unknown') return command
  if (command.state === 'authorised') return at > command.deadline ? ended(command, 'expired', 'deadline_passed', at) : command
  return at > command.deadline + verifyGraceMs ? { ...command, state: 'unknown', outcome: 'no_answer' } : command
}

const ended = (command: CommandLife, state: CommandState, outcome: string | null, at: number): CommandLife => ({
  ...command,
  state,
  outcome,
  endedAt: at,
})
