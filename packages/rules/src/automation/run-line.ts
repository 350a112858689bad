import type { GroupLineState } from '../control/group-operation.ts'
import type { CommandState } from '../control/life.ts'
import { isUnderWay } from '../control/life.ts'

/**
 * What became of a line of a run, by what its equipment reported: that an order was sent proves nothing. `already`: it stood so before and
 * nothing was sent. `failed`: it was ordered and is not reported so. `unknown`: ordered, and what became of it is not known.
 */
export const lineOutcomes = [
  'verified',
  'already',
  'underWay',
  'waiting',
  'refused',
  'failed',
  'unknown',
  'missed',
  'skipped',
  'stopped',
] as const
export type LineOutcome = (typeof lineOutcomes)[number]

/** Why a line is left out that stands as it is meant to. */
const alreadyKeys: readonly string[] = ['alreadySo', 'scene already so']

export function lineOutcome(line: {
  readonly state: GroupLineState
  /** Why it was not ordered, as it is stored. */
  readonly why: string | null
  readonly command: CommandState | null
}): LineOutcome {
  const { state, why, command } = line
  if (state === 'waiting') return command !== null && isUnderWay(command) ? 'underWay' : 'waiting'
  if (state === 'skipped') return why !== null && alreadyKeys.includes(why) ? 'already' : 'skipped'
  if (state !== 'ordered') return state
  if (command === null || command === 'unknown') return 'unknown'
  if (command === 'verified') return 'verified'
  return isUnderWay(command) ? 'underWay' : 'failed'
}

/** Whether somebody should look at a line of a run: it does not stand as it was meant to, or that is not known. */
export const isAmiss = (outcome: LineOutcome): boolean =>
  outcome === 'refused' || outcome === 'failed' || outcome === 'unknown' || outcome === 'missed' || outcome === 'stopped'
