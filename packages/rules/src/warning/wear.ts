import type { Params } from './detector.ts'
import { detector, parameter } from './detector.ts'
import type { Outcome } from './finding.ts'
import { evidence, levelAt } from './finding.ts'

/** The contacts of a breaker have done a good part of the operations they are made for. */
export const wear = detector({
  key: 'wear',
  label: { zh: '触头磨损', en: 'Contact wear' },
  priority: 'medium',
  looks: 1,
  parameters: {
    noticePercent: parameter('注意值', 'Notice', '%', [30, 60, 90], 'makers signal 60, 95 and 100 %, or 80 and 100 %'),
    warningPercent: parameter('预警值', 'Warning', '%', [50, 80, 99], 'makers signal 60, 95 and 100 %, or 80 and 100 %'),
  },
})
type WearParams = Params<typeof wear>

/** Operations that a breaker is made for. */
export interface Endurance {
  readonly mechanical: number
  /** At rated current. */
  readonly electrical: number
}

/** Rated currents up to which IEC 60898-1 covers breakers for households and similar uses. */
const maxMiniatureA = 125
/** IEC 60898-1, 9.11: 4,000 at rated current; 10,000 without is what makers give. */
const miniature: Endurance = { electrical: 4_000, mechanical: 10_000 }
/** IEC 60947-2, table 8, by rated current. */
const mouldedCase: readonly (readonly [maxA: number, Endurance])[] = [
  [100, { electrical: 1_500, mechanical: 10_000 }],
  [315, { electrical: 1_000, mechanical: 8_000 }],
  [630, { electrical: 1_000, mechanical: 5_000 }],
  [2_500, { electrical: 500, mechanical: 3_000 }],
  [Number.POSITIVE_INFINITY, { electrical: 500, mechanical: 2_000 }],
]

export type Construction = 'miniature' | 'mouldedCase'

/** What a breaker is made for where its maker gives no figures; of an unknown construction, by its rated current. */
export function enduranceOf(
  ratedA: number,
  construction: Construction = ratedA <= maxMiniatureA ? 'miniature' : 'mouldedCase',
): Endurance {
  const row = mouldedCase.find(([maxA]) => ratedA <= maxA)
  return construction === 'miniature' || !row ? miniature : row[1]
}

/** A breaker opened. */
export interface Opening {
  readonly ratedA: number
  /** Largest of the last three samples before it opened; null: not known. */
  readonly brokenA: number | null
  readonly shortCircuit: boolean
}

/** A breaker that broke a short circuit is used up by a tenth, whatever current was seen (ours). */
const shortCircuitWear = 0.1

/** What an opening takes of a breaker's life, as a share. A current that nobody knows is taken as the rated one: not known is not nothing. */
export function openingWear({ ratedA, brokenA, shortCircuit }: Opening, { mechanical, electrical }: Endurance): number {
  const current = (brokenA ?? ratedA) / ratedA
  return Math.max(shortCircuit ? shortCircuitWear : 0, 1 / mechanical, current ** 2 / electrical)
}

/** Evaluates the share of its life that a breaker has done since it was first seen, and in how many openings. */
export function evaluateWear(
  params: WearParams,
  { share, openings }: { readonly share: number; readonly openings: number },
): Outcome {
  const limits = { notice: params.noticePercent, warning: params.warningPercent, alarm: 100 }
  const value = 100 * share
  const level = levelAt(value, limits)
  return (
    level && { key: wear.key, point: null, level, evidence: evidence({ value, limit: limits[level], unit: '%', used: openings }) }
  )
}
