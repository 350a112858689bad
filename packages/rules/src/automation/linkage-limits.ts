import { dayMs, hourMs } from '@linewarden/equipment'
import type { Truth } from './linkage.ts'
import type { LinkageActionKind } from './linkage-problems.ts'

export interface LinkageLimits {
  readonly cooldownS: number
  readonly maxPerHour: number
  readonly maxPerDay: number
  /** When a person cleared its halt last: what it did before counts for no further halt. Left out or null: nobody has. */
  readonly clearedAt?: number | null
}

/** What becomes of a firing: done, left out once, or the linkage stops itself until a person clears it. */
export type FiringDecision =
  | { readonly do: 'act' }
  | { readonly do: 'suppress'; readonly why: 'cooldown' | 'chain' | 'chainTooLong' }
  | { readonly do: 'halt'; readonly why: 'maxPerHour' | 'maxPerDay' }

/** So many runs may cause one another. */
export const maxChain = 3

/**
 * Whether a firing acts. `firedAt`: when the linkage acted before, and `chain`: the linkages whose runs caused this one, the first cause first.
 * Trips on danger alarms are exempt from the limits, not from the chain: a linkage never fires from itself.
 */
export function decideFiring(
  linkageId: number,
  limits: LinkageLimits,
  firedAt: readonly number[],
  chain: readonly number[],
  isDangerTrip: boolean,
  at: number,
): FiringDecision {
  if (chain.includes(linkageId)) return { do: 'suppress', why: 'chain' }
  if (chain.length >= maxChain) return { do: 'suppress', why: 'chainTooLong' }
  if (isDangerTrip) return { do: 'act' }
  const since = (ms: number, had: readonly number[]) => had.filter((each) => each <= at && at - each < ms).length
  if (since(limits.cooldownS * 1_000, firedAt) > 0) return { do: 'suppress', why: 'cooldown' }
  const { clearedAt } = limits
  // By a clock that was set back behind it, it says nothing.
  const counted = clearedAt != null && clearedAt <= at ? firedAt.filter((each) => each > clearedAt) : firedAt
  if (since(hourMs, counted) >= limits.maxPerHour) return { do: 'halt', why: 'maxPerHour' }
  return since(dayMs, counted) >= limits.maxPerDay ? { do: 'halt', why: 'maxPerDay' } : { do: 'act' }
}

/** Whether a firing cuts the power for a danger that is there now; live and in a replay alike. A scene counts as what it may be. */
export const isDangerTrip = (
  actions: readonly LinkageActionKind[],
  conditions: readonly { readonly isDanger: boolean; readonly truth: Truth }[],
): boolean =>
  actions.some((kind) => kind === 'trip' || kind === 'scene') &&
  conditions.some(({ isDanger, truth }) => isDanger && truth === true)

/** Closes of one line by automation in any hour, by whatever linkage or timer. */
export const maxClosesPerHour = 6

export const mayCloseAgain = (closedAt: readonly number[], at: number): boolean =>
  closedAt.filter((each) => each <= at && at - each < hourMs).length < maxClosesPerHour
