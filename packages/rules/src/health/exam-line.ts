import type { HealthBand, HealthCategory, HealthCeiling, HealthGap, HealthItem } from './categories.ts'
import { bandOf, detectorWeights, healthCeiling, lineWeights, minHealthCoverage } from './categories.ts'
import type { CheckOutcome, HealthCheck } from './check.ts'
import { electricalChecks } from './electrical.ts'
import type { HealthFacts } from './facts.ts'
import { detectorChecks, historyChecks, linkChecks } from './link-and-history.ts'
import { protectionChecks } from './protection.ts'

/** What one category cost of what it can cost at most. */
export interface HealthPart {
  readonly category: HealthCategory
  readonly weight: number
  /** Sum of its deductions, and what of it counted. */
  readonly deducted: number
  readonly counted: number
}

/** What a line, or a detector, came to. */
export interface LineExam {
  /** 0 to 100; null: too little of it could be examined. */
  readonly score: number | null
  readonly band: HealthBand | null
  /** What is left of 100, whatever was examined. */
  readonly points: number
  /** Share of what there is to examine, in whole percent. */
  readonly coverage: number
  readonly parts: readonly HealthPart[]
  readonly ceilings: readonly HealthCeiling[]
  /** What the ceiling took beyond the deductions. */
  readonly ceilingCost: number
  readonly items: readonly HealthItem[]
  readonly gaps: readonly HealthGap[]
}

const lineChecks: readonly HealthCheck[] = [...protectionChecks, ...electricalChecks, ...linkChecks, ...historyChecks]

interface Looked {
  readonly check: HealthCheck
  readonly outcome: Exclude<CheckOutcome, 'notApplicable'>
}

/**
 * Examines one line or detector. What is not known costs nothing and lowers the coverage; below 60 % there is no score, and none is ever
 * rescaled.
 */
export function examLine(facts: HealthFacts, now: number): LineExam {
  const isDetector = facts.family.level === 'device'
  const weights: Readonly<Partial<Record<HealthCategory, number>>> = isDetector ? detectorWeights : lineWeights
  const looked = (isDetector ? detectorChecks : lineChecks).flatMap((check): Looked[] => {
    const outcome = check.of(facts, now)
    return outcome === 'notApplicable' ? [] : [{ check, outcome }]
  })
  const found = looked.flatMap(foundBy)
  const parts = Object.entries(weights).map(([category, weight]): HealthPart => {
    const deducted = found.reduce((sum, item) => sum + (item.category === category ? item.deduct : 0), 0)
    return { category: category as HealthCategory, weight, deducted, counted: Math.min(weight, deducted) }
  })
  const left = parts.reduce((rest, { counted }) => rest - counted, 100)
  const ceilings = ceilingsOf(facts)
  const points = below(ceilings, left)
  const items = found.map((item): HealthItem => {
    const back = givenBack(parts, item)
    return { ...item, gain: below(ceilingsOf(facts, item.key), left + back) - points }
  })
  const coverage = coverageOf(looked, weights)
  const score = coverage < minHealthCoverage ? null : points
  return {
    ...{ score, band: score === null ? null : bandOf(score), points, coverage, parts, ceilings },
    ...{ ceilingCost: left - points, items, gaps: looked.flatMap(gapOf) },
  }
}

/** What is left of a line while these keep it down. */
const below = (ceilings: readonly HealthCeiling[], left: number): number =>
  ceilings.length > 0 ? Math.min(left, healthCeiling) : left

/** What a category costs less without one of its deductions. */
function givenBack(parts: readonly HealthPart[], { category, deduct }: Pick<HealthItem, 'category' | 'deduct'>): number {
  const part = parts.find((each) => each.category === category)
  return part ? part.counted - Math.min(part.weight, part.deducted - deduct) : 0
}

const foundBy = ({ check: { key, category }, outcome }: Looked): Omit<HealthItem, 'gain'>[] =>
  outcome === 'notExamined'
    ? []
    : outcome.map(({ part, ...deduction }) => ({ key: part === undefined ? key : `${key}:${part}`, category, ...deduction }))

const gapOf = ({ check: { key, category, label }, outcome }: Looked): HealthGap[] =>
  outcome === 'notExamined' ? [{ key, category, text: label }] : []

/** Each category by its weight, as far as there is anything of it to examine. */
function coverageOf(looked: readonly Looked[], weights: Readonly<Partial<Record<HealthCategory, number>>>): number {
  let [examined, all] = [0, 0]
  for (const [category, weight] of Object.entries(weights)) {
    const own = looked.filter(({ check }) => check.category === category)
    if (own.length === 0) continue
    all += weight
    examined += (weight * own.filter(({ outcome }) => outcome !== 'notExamined').length) / own.length
  }
  // A share that is whole but for how numbers are kept is whole.
  return all === 0 ? 0 : Math.floor((100 * examined) / all + 1e-9)
}

/** `mended`: the key of a deduction that is taken as mended; with it goes what it says is wrong. */
function ceilingsOf(
  { family, selfTest, states, alarms, lockoutCause }: HealthFacts,
  mended: string | null = null,
): HealthCeiling[] {
  const found: HealthCeiling[] = []
  const isTested = family.states.some(({ key }) => key === 'selfTest')
  const hasFailed = selfTest.last?.result === 'failed' || (isTested && states.get('selfTest') === 'failed')
  if (hasFailed && mended !== 'selfTest') found.push('selfTest')
  const left = alarms.filter(({ key, kind }) => kind === 'warning' || mended !== `alarms:${key}`)
  if (left.some(({ danger, priority }) => danger || priority === 'critical')) found.push('danger')
  if (lockoutCause !== null && mended !== 'trip.cause') found.push('trip')
  return found
}
