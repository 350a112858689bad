import type { LinkageLimits } from './linkage-limits.ts'
import { decideFiring } from './linkage-limits.ts'

/** What would have become of a firing. `halted`: the linkage had stopped itself before. */
export type FiringOutcome = 'fired' | 'outsideHours' | 'cooldown' | 'maxPerHour' | 'maxPerDay' | 'halted'

export interface FiringOutcomes {
  /** In the order of the firings. */
  readonly outcomes: readonly FiringOutcome[]
  /** When it would have stopped itself; null: never. */
  readonly haltedAt: number | null
}

/**
 * What becomes of each of the firings of a linkage by itself, in order of time: nobody clears what has halted it, and no other linkage is its
 * cause. `isDangerTrip`: it cuts the power for a danger, also where the linkage has halted. `isActive`: whether it acts at that time of day.
 */
export function outcomesOf(
  firings: readonly { readonly at: number; readonly isDangerTrip: boolean }[],
  limits: LinkageLimits,
  isActive: (at: number) => boolean,
): FiringOutcomes {
  const fired: number[] = []
  let haltedAt: number | null = null
  const outcomes = firings.map(({ at, isDangerTrip }): FiringOutcome => {
    if (!isActive(at)) return 'outsideHours'
    if (haltedAt !== null && !isDangerTrip) return 'halted'
    const decision = decideFiring(0, limits, fired, [], isDangerTrip, at)
    if (decision.do === 'act') {
      fired.push(at)
      return 'fired'
    }
    if (decision.do === 'halt') {
      haltedAt = at
      return decision.why
    }
    return 'cooldown'
  })
  return { outcomes, haltedAt }
}
