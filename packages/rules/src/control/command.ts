import type { ActionKey } from '@linewarden/equipment'
import { clockToleranceMs, closeClockToleranceMs } from '../monitor/quality.ts'
import type { Life, LifeFact, Reported } from './life.ts'
import { ended, foldLife, isFinal, isNewReport as isNew, reportsNotDone, verified, verifyGraceMs } from './life.ts'

/**
 * What a person can order. `trip` and `close` are proven by a position, the others by the state they name. `set` is what a settings order is to
 * the permit and to the gateway; its life is that of `settings/change.ts`.
 */
export type CommandAction = ActionKey | 'set'

/** A command's life so far. */
export interface CommandLife extends Life {
  readonly action: ActionKey
  /** A leakage self-test: how long the breaker says that it took to trip. */
  readonly tripMs: number | null
  /**
   * A leakage self-test: open once the line was reported so after the sending and in time; closed while it still is after the trip time was
   * told, of a line that was watched all the time.
   */
  readonly positionAfter: 'open' | 'closed' | null
}

export type CommandFact =
  | LifeFact
  /** A live report; `deviceAt` is device time, `at` when it was received. */
  | {
      readonly kind: 'position'
      readonly value: 'open' | 'closed'
      /** It may be what was before another command that still travels: it proves nothing before the equipment acknowledged this one. */
      readonly afterAnswer?: boolean
      /** A protection has opened the line since the command was authorised. */
      readonly trippedAgain?: boolean
      /** A trip that was ordered later may have opened it. */
      readonly byTrip?: boolean
      /**
       * When its trip time was reported. Only of a self-test whose line was watched since it was sent: nothing was missed and nobody told the line
       * open, so an opening would have been told.
       */
      readonly measuredAt?: number
      readonly deviceAt: number
      readonly at: number
    }
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
  /** Another state that ends an action: the sounder, a self-test that is measured and failed. */
  | {
      readonly kind: 'state'
      readonly state: string
      readonly value: string
      readonly deviceAt: number
      readonly at: number
    }
  /** The trip time the equipment measured in a leakage self-test. */
  | { readonly kind: 'measured'; readonly tripMs: number; readonly at: number }
  /** From here an opening of the line may have been missed. */
  | { readonly kind: 'unwatched'; readonly at: number }

/**
 * How far a report's device time may lie before the sending. All but a trip are permitted only with a clock that is near, so there the proof
 * must be new; a trip is sent whatever the clock, and must still be provable.
 */
const clockSlackOf = (action: ActionKey): number => (action === 'trip' ? clockToleranceMs : closeClockToleranceMs)

const deadlines = {
  trip: { usual: 30_000, most: 30_000 },
  // A batch of settings leaves in one go and the gateway takes them one by one.
  set: { usual: 10_000, most: 10_000 },
  other: { usual: 5_000, most: 10_000 },
} as const

/** How long the equipment may act on it: 30 s for trip, 10 s for a setting, 5 s for everything else (at most 10). */
export function deadlineFor(action: CommandAction, requestedMs?: number): number {
  const { usual, most } = action === 'trip' || action === 'set' ? deadlines[action] : deadlines.other
  return Math.min(requestedMs ?? usual, most)
}

/** The same in whole seconds, as people are told who order it. */
export const validSeconds = (action: CommandAction): number => deadlineFor(action) / 1_000

/** IEC 61009-1, table 2: a breaker of the general type opens within 300 ms at its rated residual current IDn. */
export const tripTimeLimitMs = 300

/** Whether a measured trip time passes. A time that is no positive number was not measured. */
export const tripTimePasses = (tripMs: number): boolean => tripMs > 0 && tripMs <= tripTimeLimitMs

const wantedPosition: Readonly<Partial<Record<ActionKey, 'open' | 'closed'>>> = { trip: 'open', close: 'closed' }

/** What a fact makes of a command; the same object when nothing changes. An acknowledgement never ends it: only a report proves. */
export function foldCommand<L extends CommandLife>(command: L, fact: CommandFact): L {
  if (isFinal(command.state)) return command
  switch (fact.kind) {
    case 'position':
      return onPosition(command, fact)
    case 'report':
      return onReport(command, fact)
    case 'state':
      return onState(command, fact)
    case 'measured':
      return onMeasured(command, fact)
    case 'unwatched':
      return worthless(command)
    // What happened while the server was away nobody saw.
    case 'restart':
      return keepingWorth(worthless(command), fact)
    default:
      // The breaker says that it tripped, and its contacts never opened.
      if (fact.kind === 'tick' && command.positionAfter === 'closed' && fact.at > command.deadline + verifyGraceMs)
        return ended(command, 'failed', 'not_done', fact.at)
      // A trip is sent again until it is proven; what was taken once is refused as old only in a copy of it.
      if (command.action === 'trip' && command.acknowledgedAt !== null && isOlderFence(fact)) return command
      // What has told how long it took was done, whatever is refused of it afterwards.
      if (fact.kind === 'result' && fact.status === 'refused' && command.tripMs !== null) return command
      return keepingWorth(command, fact)
  }
}

/** That a test is worth nothing says more than that nobody answered. */
function keepingWorth<L extends CommandLife>(command: L, fact: LifeFact): L {
  const life = foldLife(command, fact)
  return life !== command && life.state === 'unknown' && command.outcome === 'not_watched'
    ? { ...life, outcome: command.outcome }
    : life
}

const isOlderFence = (fact: LifeFact): boolean =>
  fact.kind === 'result' && fact.status === 'refused' && fact.reason === 'older_fence'

function onPosition<L extends CommandLife>(command: L, fact: CommandFact & { kind: 'position' }): L {
  if (!isNewReport(command, fact)) return command
  if (command.action === 'selfTest') return onPositionAfterTest(command, fact)
  const wanted = wantedPosition[command.action]
  if (wanted !== undefined && fact.value === wanted)
    return fact.afterAnswer && command.acknowledgedAt === null ? command : verified(command, null, fact.at)
  const why = fact.trippedAgain ? 'tripped_again' : 'not_done'
  return wanted !== undefined && reportsNotDone(command, fact) ? ended(command, 'failed', why, fact.at) : command
}

/** A self-test that leaves the line closed has not tripped it, whatever the breaker says. */
function onPositionAfterTest<L extends CommandLife>(test: L, fact: CommandFact & { kind: 'position' }): L {
  if (fact.value === 'open') {
    // The test is over, or a trip came after it: it was something else that opened it since, and who knows what before.
    if (fact.byTrip || fact.deviceAt > test.deadline + clockSlackOf(test.action)) return worthless(test)
    return test.positionAfter === 'open' ? test : testedBy({ ...test, positionAfter: 'open' }, fact.at)
  }
  if (stayedClosed(test, fact)) return test.positionAfter === 'closed' ? test : { ...test, positionAfter: 'closed' as const }
  if (!reportsNotDone(test, fact)) return test
  if (test.tripMs === null) return ended(test, 'failed', 'not_done', fact.at)
  // It says that it tripped, and may have opened unseen and been closed again on site: the test is worth nothing, and did not fail.
  return test.outcome === 'not_watched' ? test : { ...test, outcome: 'not_watched' }
}

/** What said that it stayed closed says so no longer: something may have been missed before it could be said to have failed. */
const worthless = <L extends CommandLife>(test: L): L =>
  test.positionAfter === 'closed' ? { ...test, positionAfter: null, outcome: 'not_watched' } : test

/**
 * Measured before the trip time was reported it may be how the line stood before it opened, and the equipment's clock may be ahead. Where nobody
 * watched, it may have opened and been closed again.
 */
const stayedClosed = ({ action, tripMs }: CommandLife, { deviceAt, measuredAt }: CommandFact & { kind: 'position' }): boolean =>
  tripMs !== null && measuredAt !== undefined && deviceAt >= measuredAt + clockSlackOf(action)

function onReport<L extends CommandLife>(command: L, fact: CommandFact & { kind: 'report' }): L {
  if (wantedPosition[command.action] !== undefined || !isNewReport(command, fact)) return command
  if (fact.afterAnswer && command.acknowledgedAt === null) return command
  if (fact.proves) return verified(command, null, fact.at)
  if (fact.fails !== null) return ended(command, 'failed', fact.fails, fact.at)
  return reportsNotDone(command, fact) ? ended(command, 'failed', 'not_done', fact.at) : command
}

function onState<L extends CommandLife>(command: L, fact: CommandFact & { kind: 'state' }): L {
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
  return fact.value === 'failed' ? verified(command, slowOf(command) ?? 'test_failed', fact.at) : command
}

/** The first measured time counts: the gateway may say it again. */
function onMeasured<L extends CommandLife>(command: L, { tripMs, at }: CommandFact & { kind: 'measured' }): L {
  if (command.action !== 'selfTest' || command.tripMs !== null || !(tripMs > 0)) return command
  return command.sentAt === null || at < command.sentAt ? command : testedBy({ ...command, tripMs }, at)
}

/**
 * A leakage self-test is proven by the measured time and the open position, whichever comes first: a breaker with welded contacts may well
 * measure a time. Whether it passed is told by the outcome.
 */
const testedBy = <L extends CommandLife>(test: L, at: number): L =>
  test.tripMs === null || test.positionAfter !== 'open' ? test : verified(test, slowOf(test), at)

const slowOf = ({ tripMs }: CommandLife): 'too_slow' | null => (tripMs === null || tripTimePasses(tripMs) ? null : 'too_slow')

const isNewReport = (command: CommandLife, report: Reported): boolean => isNew(command, report, clockSlackOf(command.action))
