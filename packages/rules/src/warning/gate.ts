import type { NotEvaluated } from './finding.ts'
import { notEvaluated } from './finding.ts'

/** Days that a line is learnt before anything about it is compared with what is usual (ours). */
export const learningDays = 14
/** Share of the expected samples below which a day or a stretch says nothing (ours). */
export const minCoverage = 0.5

/** What is known of a line on the day that it is looked at. */
export interface LineConditions {
  /** Days since it was first seen, was last explained as a normal change, or its breaker or IΔn was changed. */
  readonly daysLearnt: number
  readonly open: boolean
  readonly tagged: boolean
  readonly inspected: boolean
  /** Share of the expected samples of the day. */
  readonly coverage: number
}

/** Why a line is not evaluated today, the reason that a person can do most about first; null: it is. */
export function evaluationGate({ daysLearnt, open, tagged, inspected, coverage }: LineConditions): NotEvaluated | null {
  if (tagged) return notEvaluated('tagged')
  if (inspected) return notEvaluated('inspected')
  if (open) return notEvaluated('open')
  if (daysLearnt < learningDays) return notEvaluated('learning', daysLearnt, learningDays)
  if (coverage < minCoverage) return notEvaluated('coverage', coverage, minCoverage)
  return null
}
