import { clockToleranceMs, closeClockToleranceMs } from '../quality.ts'

export type CommandState = 'authorised' | 'sent' | 'acknowledged' | 'verified' | 'refused' | 'expired' | 'unknown' | 'failed'

/** What a person can order. `trip` and `close` are proven by a position, the others by the state or settings they name. */
export type CommandAction = 'trip' | 'close' | 'silence' | 'selfTest' | 'set'

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
}

export type CommandFact =
  | { readonly kind: 'sent'; readonly at: number }
  /** It will never be sent. */
  | { readonly kind: 'notSent'; readonly at: number; readonly reason: string }
  | { readonly kind: 'result'; readonly status: 'accepted' | 'refused'; readonly reason: string | null; readonly at: number }
  /** A live report; `deviceAt` is device time, `at` when it was received. */
  | { readonly kind: 'position'; readonly value: 'open' | 'closed'; readonly deviceAt: number; readonly at: number }
  /** A live report of what another command waits for: it proves it, or says why it failed, or neither. */
  | {
      readonly kind: 'report'
      readonly proves: boolean
      readonly fails: string | null
      readonly deviceAt: number
      readonly at: number
    }
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

const wanted: Partial<Record<CommandAction, 'open' | 'closed'>> = { trip: 'open', close: 'closed' }

/** What a fact makes of a command; the same object when nothing changes. An acknowledgement never ends it: only a position proves. */
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
  if (wanted[command.action] === undefined || !isNewer(command, fact)) return command
  if (fact.value === wanted[command.action]) return { ...ended(command, 'verified', null, fact.at), verifiedAt: fact.at }
  // Measured before the deadline the breaker may still have been on its way, however late the report came; measured after it, a contrary
  // position says that nothing happened.
  return command.state === 'unknown' && fact.deviceAt > command.deadline ? ended(command, 'failed', 'not_done', fact.at) : command
}

function onReport(command: CommandLife, fact: CommandFact & { kind: 'report' }): CommandLife {
  if (wanted[command.action] !== undefined || !isNewer(command, fact)) return command
  if (fact.proves) return { ...ended(command, 'verified', null, fact.at), verifiedAt: fact.at }
  if (fact.fails !== null) return ended(command, 'failed', fact.fails, fact.at)
  return command.state === 'unknown' && fact.deviceAt > command.deadline ? ended(command, 'failed', 'not_done', fact.at) : command
}

/** Only what was measured and received after the sending can be about the command. */
const isNewer = (command: CommandLife, { at, deviceAt }: { readonly at: number; readonly deviceAt: number }): boolean =>
  command.sentAt !== null && at >= command.sentAt && deviceAt >= command.sentAt - clockSlackOf(command.action)

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
