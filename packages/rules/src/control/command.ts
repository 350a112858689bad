import type { ActionKey } from '@linewarden/equipment'
import { clockToleranceMs, closeClockToleranceMs } from '../quality.ts'

export type CommandState = 'authorised' | 'sent' | 'acknowledged' | 'verified' | 'refused' | 'expired' | 'unknown' | 'failed'

/** What a person can order. `trip` and `close` are proven by a position, the others by the state or settings they name. */
export type CommandAction = ActionKey | 'set'

/** A command's life so far; times in Unix ms. */
export interface CommandLife {
  readonly action: CommandAction
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
  /**
   * A live report of what another command waits for: it proves it, or says why it failed, or neither. `afterAnswer`: before the equipment
   * acknowledged the command it may be the outcome of an earlier one, and says nothing.
   */
  | {
      readonly kind: 'report'
      readonly proves: boolean
      readonly fails: string | null
      readonly afterAnswer?: boolean
      readonly deviceAt: number
      readonly at: number
    }
  /** Another state that proves an action: the sounder, the outcome of a self-test that is measured. */
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
 * How far a report's device time may lie before the sending. All but a trip are permitted only with a clock that is near, so there the proof
 * must be new; a trip is sent whatever the clock, and must still be provable.
 */
const clockSlackOf = (action: CommandAction): number => (action === 'trip' ? clockToleranceMs : closeClockToleranceMs)

const deadlines = { trip: { usual: 30_000, most: 30_000 }, other: { usual: 5_000, most: 10_000 } } as const

/** How long the equipment may act on it: 30 s for trip, 5 s for everything else (at most 10). */
export function deadlineFor(action: CommandAction, requestedMs?: number): number {
  const { usual, most } = action === 'trip' ? deadlines.trip : deadlines.other
  return Math.min(requestedMs ?? usual, most)
}

/** Still waiting; blocks every other command of the same line but a trip. */
export const isUnderWay = (state: CommandState): boolean => state === 'authorised' || state === 'sent' || state === 'acknowledged'
/** No later fact can change it. */
export const isFinal = (state: CommandState): boolean => !isUnderWay(state) && state !== 'unknown'

/** IEC 61009-1, table 2: a breaker of the general type opens within 300 ms at its rated residual current IDn. */
export const tripTimeLimitMs = 300

/** Whether a measured trip time passes. A time that is no positive number was not measured. */
export const tripTimePasses = (tripMs: number): boolean => tripMs > 0 && tripMs <= tripTimeLimitMs

const wantedPosition: Readonly<Partial<Record<CommandAction, 'open' | 'closed'>>> = { trip: 'open', close: 'closed' }

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
    case 'report':
      return onReport(command, fact)
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

function onReport(command: CommandLife, fact: CommandFact & { kind: 'report' }): CommandLife {
  if (wantedPosition[command.action] !== undefined || !isNewReport(command, fact)) return command
  if (fact.afterAnswer && command.acknowledgedAt === null) return command
  if (fact.proves) return verified(command, null, fact.at)
  if (fact.fails !== null) return ended(command, 'failed', fact.fails, fact.at)
  return command.state === 'unknown' && fact.deviceAt > command.deadline ? ended(command, 'failed', 'not_done', fact.at) : command
}

function onState(command: CommandLife, fact: CommandFact & { kind: 'state' }): CommandLife {
  if (!isNewReport(command, fact)) return command
  if (command.action === 'silence' && fact.state === 'sounder')
    return onReport(command, {
      kind: 'report',
      proves: fact.value === 'quiet',
      fails: null,
      deviceAt: fact.deviceAt,
      at: fact.at,
    })
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

/** Only what was measured and received after the sending can be about the command. */
const isNewReport = (command: CommandLife, { deviceAt, at }: { readonly deviceAt: number; readonly at: number }): boolean =>
  command.sentAt !== null && at >= command.sentAt && deviceAt >= command.sentAt - clockSlackOf(command.action)

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
