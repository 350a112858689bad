import type { Outcome } from './finding.ts'
import { evidence, notEvaluated } from './finding.ts'
import type { LineHours, Span } from './hours.ts'
import { spanOfDays } from './hours.ts'
import { leakageLevel } from './leakage-level.ts'
import type { LeakageStepParams } from './leakage-step.ts'
import { leakageStep, minSpreadShare } from './leakage-step.ts'
import type { CentreAndSpread } from './statistics.ts'
import { centreAndSpread } from './statistics.ts'

const hoursInARow = 3
/** Four weeks of hours alike. */
export const leakageHourlyDays = 28
const minAlike = 5
/** Hours of a workday, and of another day. */
const slots = 48

/** What the hours of a day are compared with, whatever the figures of a rule are: where several are tried on one night, it is made once. */
export interface HourlyFacts {
  readonly hours: LineHours
  /** The day itself. */
  readonly span: Span
  /** By the hours that are alike, how many past ones count and the lowest of them. */
  readonly known: Uint16Array
  readonly lowest: Float64Array
  readonly alike: (slot: number) => CentreAndSpread
}

/** Looks at the four weeks before `today`. What only few hours need is made when it is asked for. */
export function hourlyFacts(hours: LineHours, today: number): HourlyFacts {
  const span = spanOfDays(hours, today, today)
  const [past] = spanOfDays(hours, today - leakageHourlyDays, today)
  const made: CentreAndSpread[] = []
  return {
    ...{ hours, span, ...alikeBySlot(hours, past, span[0]) },
    alike(slot) {
      made[slot] ??= centreAndSpread(hoursAlike(hours, [past, span[0]], slot))
      return made[slot]
    },
  }
}

/**
 * Evaluates the hours of `today` against hours alike of the four weeks before: a step that a fifth of the day would not show yet. Raised
 * after three hours in a row; an hour that does not count interrupts nothing.
 */
export const evaluateLeakageHours = (
  params: LeakageStepParams,
  hours: LineHours,
  { today, tripMa }: { readonly today: number; readonly tripMa: number | null },
): Outcome => hoursOutcome(params, hourlyFacts(hours, today), tripMa)

/** The same of facts that are there. */
export function hoursOutcome(
  params: LeakageStepParams,
  { hours, span: [from, to], known, lowest, alike }: HourlyFacts,
  tripMa: number | null,
): Outcome {
  if (tripMa === null) return notEvaluated('settingUnknown')
  const step = Math.max(params.hourlyShare * tripMa, params.minHourlyMa)
  let inARow = 0
  let compared = 0
  for (let i = from; i < to; i++) {
    const value = hours.residualMa[i] ?? Number.NaN
    const slot = hours.slot[i] ?? 0
    if (hours.counts[i] !== 1 || Number.isNaN(value) || (known[slot] ?? 0) < minAlike) continue
    compared++
    const limit = value - (lowest[slot] ?? value) >= step ? limitOf(params, alike(slot), tripMa, step) : null
    inARow = limit && value >= limit.limit ? inARow + 1 : 0
    if (limit && inARow >= hoursInARow)
      return {
        key: leakageStep.key,
        point: 'residual',
        level: leakageLevel(value, tripMa),
        evidence: evidence({ value, unit: 'mA', used: known[slot] ?? 0, ...limit }),
      }
  }
  return compared >= hoursInARow ? null : notEvaluated('coverage', compared, hoursInARow)
}

/** By the hours that are alike, how many past ones count and the lowest of them: a value hardly above it needs no comparing. */
function alikeBySlot({ slot, counts, residualMa }: LineHours, from: number, to: number) {
  const known = new Uint16Array(slots)
  const lowest = new Float64Array(slots).fill(Number.POSITIVE_INFINITY)
  for (let i = from; i < to; i++) {
    const value = residualMa[i] ?? Number.NaN
    if (counts[i] !== 1 || Number.isNaN(value)) continue
    const own = slot[i] ?? 0
    known[own] = (known[own] ?? 0) + 1
    if (value < (lowest[own] ?? value)) lowest[own] = value
  }
  return { known, lowest }
}

/** The values of past hours that count and are alike. */
const hoursAlike = ({ slot, counts, residualMa }: LineHours, [from, to]: Span, alike: number): Float32Array =>
  residualMa.subarray(from, to).filter((value, i) => slot[from + i] === alike && counts[from + i] === 1 && !Number.isNaN(value))

function limitOf(params: LeakageStepParams, { centre, spread }: CentreAndSpread, tripMa: number, step: number) {
  const believed = Math.max(spread, minSpreadShare * tripMa, params.minSpreadMa)
  return { baseline: centre, spread: believed, limit: centre + Math.max(params.hourlySpreads * believed, step) }
}
