import type { Params } from './detector.ts'
import { detector, parameter } from './detector.ts'
import type { Outcome } from './finding.ts'
import { evidence, notEvaluated } from './finding.ts'
import { leakageLevel } from './leakage-level.ts'
import type { LeakageDay } from './line-day.ts'
import type { CentreAndSpread } from './statistics.ts'
import { centreAndSpread, median } from './statistics.ts'

/** The residual current of a line has risen from one day to the next and stayed there. */
export const leakageStep = detector({
  key: 'leakage.step',
  label: { zh: '漏电突增', en: 'Residual current step' },
  priority: 'medium',
  // The cumulated sum has itself looked for three days.
  looks: 1,
  parameters: {
    stepShare: parameter('突增幅度', 'Size of the step', '×IΔn', [0.05, 0.1, 0.5], 'default of ours'),
    minStepMa: parameter('最小突增', 'Smallest step', 'mA', [1, 3, 100], 'default of ours'),
    decision: parameter('判定阈值', 'Decision limit', 'σ', [4, 5.5, 16], 'CUSUM h, measured on synthetic lines'),
    hourlyShare: parameter('逐时突增幅度', 'Size within hours', '×IΔn', [0.05, 0.15, 0.5], 'default of ours'),
    minHourlyMa: parameter('逐时最小突增', 'Smallest within hours', 'mA', [1, 5, 100], 'default of ours'),
    hourlySpreads: parameter('逐时偏差倍数', 'Deviations within hours', 'σ', [4, 6, 12], 'measured on synthetic lines'),
    minSpreadMa: parameter('最小离散度', 'Smallest spread', 'mA', [0.1, 0.5, 10], 'resolution of the sensors'),
  },
})
export type LeakageStepParams = Params<typeof leakageStep>

/** The spread that is believed at least, as a share of IΔn. */
export const minSpreadShare = 0.02
/** The baseline of a day: from this many days before it to this many. */
const [baselineFrom, baselineTo] = [35, 8]
const minBaselineDays = 7
/** Days just before the recent ones: a line that leaked less of late steps from there. */
const lateDays = 7
const minLateDays = 4
/** Days that the sum runs over; it falls by one a sound day, so that older ones are forgotten anyway. */
const sumDays = 14
/** A single wild day is worth this much at most. */
const maxDeviation = 4
/** What a day must lie above its baseline to count (CUSUM k). */
const allowance = 1
const recentDays = 3

/** Days before today that `evaluateLeakageStep` looks at. */
export const leakageStepDays = sumDays + baselineFrom

/** What the floors up to a day come to, whatever the figures of a rule are: where several are tried on one night, it is made once. */
export interface StepFacts {
  readonly floors: Float64Array
  /** Days of the baseline that have a floor, and the lowest floor before the recent days. */
  readonly known: number
  readonly lowest: number
  /** The middle of the recent days; NaN: none of them has a floor. */
  readonly value: number
  readonly baselineOf: (place: number) => CentreAndSpread
  readonly late: () => CentreAndSpread
}

/** Lays the floors of a line, in order of days, out up to `today`. What only few nights need is made when it is asked for. */
export function stepFacts(days: readonly LeakageDay[], today: number): StepFacts {
  const floors = new Float64Array(leakageStepDays + 1).fill(Number.NaN)
  for (const { day, floorMa } of days) {
    const place = day - today + leakageStepDays
    if (place >= 0 && place <= leakageStepDays && floorMa !== null) floors[place] = floorMa
  }
  let known = 0
  let lowest = Number.POSITIVE_INFINITY
  for (let place = sumDays; place <= leakageStepDays - recentDays; place++) {
    const floor = floors[place] ?? Number.NaN
    if (Number.isNaN(floor)) continue
    if (place <= leakageStepDays - baselineTo) known++
    lowest = Math.min(lowest, floor)
  }
  const baselines: CentreAndSpread[] = []
  let late: CentreAndSpread | null = null
  return {
    ...{ floors, known, lowest, value: median(floors.subarray(-recentDays)) },
    baselineOf(place) {
      baselines[place] ??= centreAndSpread(floors.subarray(Math.max(0, place - baselineFrom), place - baselineTo + 1))
      return baselines[place]
    },
    late() {
      late ??= centreAndSpread(floors.subarray(-recentDays - lateDays, -recentDays))
      return late
    },
  }
}

/**
 * Evaluates the daily floors of a line, in order of days, up to `today`, against their own past: a cumulated sum of what lies above the
 * baseline, and a step worth telling. Days without a floor say nothing. IΔn in mA.
 */
export const evaluateLeakageStep = (
  params: LeakageStepParams,
  days: readonly LeakageDay[],
  { today, tripMa }: { readonly today: number; readonly tripMa: number | null },
): Outcome => stepOutcome(params, stepFacts(days, today), tripMa)

/** The same of facts that are there. */
export function stepOutcome(
  params: LeakageStepParams,
  { floors, known, lowest, value, baselineOf, late }: StepFacts,
  tripMa: number | null,
): Outcome {
  if (tripMa === null) return notEvaluated('settingUnknown')
  if (known < minBaselineDays) return notEvaluated('tooFewDays', known, minBaselineDays)
  if (Number.isNaN(value)) return notEvaluated('tooFewDays', 0, 1)
  const step = Math.max(params.stepShare * tripMa, params.minStepMa)
  // No middle of those days lies below the lowest of them: of most days nothing else needs to be known.
  if (value - lowest < step) return null
  const baseline = baselineOf(leakageStepDays)
  const from = late().known >= minLateDays ? Math.min(baseline.centre, late().centre) : baseline.centre
  if (value - from < step) return null
  const minSpread = Math.max(minSpreadShare * tripMa, params.minSpreadMa)
  let sum = 0
  for (let place = leakageStepDays - sumDays + 1; place <= leakageStepDays; place++) {
    const floor = floors[place] ?? Number.NaN
    if (Number.isNaN(floor)) continue
    const own = baselineOf(place)
    if (own.known < minBaselineDays) continue
    const deviation = Math.max(-maxDeviation, Math.min(maxDeviation, (floor - own.centre) / Math.max(own.spread, minSpread)))
    // Twice the decision is enough: a step that was mended is forgotten as soon as it was learnt.
    sum = Math.min(2 * params.decision, Math.max(0, sum + deviation - allowance))
  }
  if (sum <= params.decision) return null
  return {
    key: leakageStep.key,
    point: 'residual',
    level: leakageLevel(value, tripMa),
    evidence: evidence({
      value,
      limit: from + step,
      unit: 'mA',
      baseline: baseline.centre,
      spread: Math.max(baseline.spread, minSpread),
      used: baseline.known,
    }),
  }
}
