import type { CommandState } from '../control/life.ts'
import { sameSetting } from './change.ts'

/** The equipment took the order, or may have: what it set may stand there now, and can be taken back. */
export const mayHaveTaken = ['verified', 'unknown', 'failed'] as const satisfies readonly CommandState[]

/** What is known of a setting when a change of it is to be taken back. */
export interface UndoFacts {
  /** What stood there before the change, and what it set. */
  readonly former: number
  readonly wanted: number
  /** As the equipment last reported it; null: it never did. */
  readonly reported: number | null
  /** Another order may have set it, and the equipment has not reported since. */
  readonly unconfirmed: boolean
  /** What was set last since the change, as far as it may have been taken, and whether it is known that it was; null: nothing. */
  readonly newer: { readonly value: number; readonly isVerified: boolean } | null
  /** The value in the sight of the person who takes it back; null: they did not say. */
  readonly seen: number | null
}

/** Whether taking the change back would overwrite, unseen, what somebody has set since. */
export function changedSince({ former, wanted, reported, unconfirmed, newer, seen }: UndoFacts): boolean {
  if (unconfirmed) return true
  const isSeen = (value: number) => seen !== null && sameSetting(seen, value)
  // Once the equipment has taken it, what it reports is what counts: on site it may have been set otherwise since.
  if (newer !== null && !isSeen(newer.isVerified && reported !== null ? reported : newer.value)) return true
  return reported !== null && !isSeen(reported) && !sameSetting(reported, former) && !sameSetting(reported, wanted)
}
