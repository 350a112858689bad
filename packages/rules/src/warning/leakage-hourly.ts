import type { Outcome } from './finding.ts'
import { evidence, notEvaluated } from './finding.ts'
import type { LineHours } from './hours.ts'
import { spanOfDays } from './hours.ts'
import { leakageLevel } from './leakage-level.ts'
import type { LeakageStepParams } from './leakage-step.ts'
import { leakageStep, minSpreadShare } from './leakage-step.ts'
import { centreAndSpread } from './statistics.ts'

const hoursInARow = 3
/** Four weeks of hours alike. */
export const leakageHourlyDays = 28
const minAlike = 5

/**
 * Evaluates the hours of `today` against hours alike of the four weeks before: a step that a fifth of the day would not show yet. Raised
 * after three hours in a row; an hour that does not count interrupts nothing.
 */
export function evaluateLeakageHours(
  params: LeakageStepParams,
  hours: LineHours,
  { today, tripMa }: { readonly today: number; readonly tripMa: number | null },
): Outcome {
  if (tripMa === null) return notEvaluated('settingUnknown')
  const [from, to] = spanOfDays(hours, today, today)
  const [past] = spanOfDays(hours, today - leakageHourlyDays, today)
  const step = Math.max(params.hourlyShare * tripMa, params.minHourlyMa)
  const alikeOf = hoursAlike(hours, past, from)
  let inARow = 0
  let compared = 0
  for (let i = from; i < to; i++) {
    const value = hours.residualMa[i] ?? Number.NaN
    if (hours.counts[i] !== 1 || Number.isNaN(value)) continue
    const alike = alikeOf.get(hours.slot[i] ?? 0) ?? []
    if (alike.length < minAlike) continue
    compared++
    const limit = value - lowest(alike) >= step ? limitOf(params, alike, tripMa, step) : null
    inARow = limit && value >= limit.limit ? inARow + 1 : 0
    if (limit && inARow >= hoursInARow)
      return {
        key: leakageStep.key,
        point: 'residual',
        level: leakageLevel(value, tripMa),
        evidence: evidence({ value, unit: 'mA', used: alike.length, ...limit }),
      }
  }
  return compared >= hoursInARow ? null : notEvaluated('coverage', compared, hoursInARow)
}

/** The values of past hours that count, by the hours that they are alike. */
function hoursAlike({ slot, counts, residualMa }: LineHours, from: number, to: number): ReadonlyMap<number, readonly number[]> {
  const alike = new Map<number, number[]>()
  for (let i = from; i < to; i++) {
    const value = residualMa[i] ?? Number.NaN
    if (counts[i] !== 1 || Number.isNaN(value)) continue
    const own = alike.get(slot[i] ?? 0)
    if (own) own.push(value)
    else alike.set(slot[i] ?? 0, [value])
  }
  return alike
}

const lowest = (values: readonly number[]): number => values.reduce((low, each) => Math.min(low, each), Number.POSITIVE_INFINITY)

function limitOf(params: LeakageStepParams, alike: readonly number[], tripMa: number, step: number) {
  const { centre, spread } = centreAndSpread(alike)
  const believed = Math.max(spread, minSpreadShare * tripMa, params.minSpreadMa)
  return { baseline: centre, spread: believed, limit: centre + Math.max(params.hourlySpreads * believed, step) }
}
