import type { SceneAction } from './override.ts'
import type { SkipNext, TimerAction } from './timer.ts'
import { isSkipped } from './timer.ts'

/** A close or a test that comes later than this is dangerous: somebody may stand there by now. A trip makes safe, and may come a minute late. */
export const maxLateMs = { trip: 60_000, close: 5_000, run: 5_000, test: 5_000 } as const satisfies Record<TimerAction, number>

/** What the server knows of the time before a claim; Unix ms by the database's clock, null: nothing of the kind. */
export interface ClaimFacts {
  readonly claimedAt: number
  /** This server began to keep the project. */
  readonly keptSince: number
  /** The database could be reached again. */
  readonly databaseBackAt: number | null
  /** The clock was set forward over what was due, to this instant. */
  readonly clockSetAt: number | null
}

export const missedReasons = ['clockSet', 'databaseAway', 'serverDown', 'overloaded'] as const
export type MissedReason = (typeof missedReasons)[number]

/** Whether a due row is still run; else why it was missed. A claim before the due instant, by a clock that was set back, is not late. */
export function missedWhy(action: TimerAction, dueAt: number, facts: ClaimFacts): MissedReason | null {
  if (facts.claimedAt - dueAt <= maxLateMs[action]) return null
  if (facts.clockSetAt !== null && facts.clockSetAt >= dueAt) return 'clockSet'
  if (facts.databaseBackAt !== null && facts.databaseBackAt >= dueAt) return 'databaseAway'
  return facts.keptSince >= dueAt ? 'serverDown' : 'overloaded'
}

/** How long a run may take beside its turns: the claim and the last answer. */
const claimMs = 5_000
const answerMs = 30_000

/** How long the lines of a run take that go one after another; trips go at once, beside each other. */
export const turnsMs = (turns: number, staggerMs: number): number => Math.max(0, turns - 1) * staggerMs

/** The instant after which no turn of a run begins: what is left then is missed. */
export const turnsEndAt = (dueAt: number, turns: number, staggerMs: number): number =>
  dueAt + claimMs + turns * staggerMs + answerMs

/** Why a run is not begun at all, before any line is asked; in the order in which it is named. */
export const runSkipReasons = ['disabledMeanwhile', 'changedMeanwhile', 'skipOnce', 'noSun', 'merged'] as const
export type RunSkipReason = (typeof runSkipReasons)[number]

export function runSkip(facts: {
  readonly enabled: boolean
  /** It was changed after it became due, and is no trip: a trip is done all the same. */
  readonly changed: boolean
  /** Of the occurrence that the row was made of. */
  readonly skip: 'skipOnce' | 'noSun' | null
  /** As it is now: somebody may have skipped it after the row was made. */
  readonly skipNext: SkipNext | null
  readonly merged: boolean
  readonly dueAt: number
}): RunSkipReason | null {
  if (!facts.enabled) return 'disabledMeanwhile'
  if (facts.changed) return 'changedMeanwhile'
  if (facts.skip === 'noSun') return 'noSun'
  if (facts.skip === 'skipOnce' || isSkipped(facts.skipNext, facts.dueAt)) return 'skipOnce'
  return facts.merged ? 'merged' : null
}

/** The order in which a run does its lines: trips at once, then closes and tests one after another. */
export const turnOrder = <L extends { readonly action: SceneAction | 'test'; readonly order: number }>(
  lines: readonly L[],
): { readonly trips: readonly L[]; readonly turns: readonly L[] } => {
  const sorted = [...lines].sort((one, other) => one.order - other.order)
  return {
    trips: sorted.filter(({ action }) => action === 'trip'),
    turns: sorted.filter(({ action }) => action !== 'trip'),
  }
}
