import type { Params } from './detector.ts'
import { detector, parameter } from './detector.ts'
import type { Outcome } from './finding.ts'
import { evidence, notEvaluated } from './finding.ts'
import { leakageLevel } from './leakage-level.ts'
import type { LeakageDay } from './line-day.ts'
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

/**
 * Evaluates the daily floors of a line, in order of days, up to `today`, against their own past: a cumulated sum of what lies above the
 * baseline, and a step worth telling. Days without a floor say nothing. IΔn in mA.
 */
export function evaluateLeakageStep(
  params: LeakageStepParams,
  days: readonly LeakageDay[],
  { today, tripMa }: { readonly today: number; readonly tripMa: number | null },
): Outcome {
  if (tripMa === null) return notEvaluated('settingUnknown')
  const floors = new Float64Array(leakageStepDays + 1).fill(Number.NaN)
  for (const { day, floorMa } of days) {
    const place = day - today + leakageStepDays
    if (place >= 0 && place <= leakageStepDays && floorMa !== null) floors[place] = floorMa
  }
  const baselineOf = (place: number) => {
    const { centre, spread, known } = centreAndSpread(floors.subarray(Math.max(0, place - baselineFrom), place - baselineTo + 1))
    return { centre, spread: Math.max(spread, minSpreadShare * tripMa, params.minSpreadMa), known }
  }
  let known = 0
  let lowest = Number.POSITIVE_INFINITY
  for (let place = sumDays; place <= leakageStepDays - recentDays; place++) {
    const floor = floors[place] ?? Number.NaN
    if (Number.isNaN(floor)) continue
    if (place <= leakageStepDays - baselineTo) known++
    lowest = Math.min(lowest, floor)
  }
  if (known < minBaselineDays) return notEvaluated('tooFewDays', known, minBaselineDays)
  const recent = floors.subarray(-recentDays)
  const value = median(recent)
  if (Number.isNaN(value)) return notEvaluated('tooFewDays', 0, 1)
  const step = Math.max(params.stepShare * tripMa, params.minStepMa)
  // No middle of those days lies below the lowest of them: of most days nothing else needs to be known.
  if (value - lowest < step) return null
  const baseline = baselineOf(leakageStepDays)
  const late = centreAndSpread(floors.subarray(-recentDays - lateDays, -recentDays))
  const from = late.known >= minLateDays ? Math.min(baseline.centre, late.centre) : baseline.centre
  if (value - from < step) return null
  let sum = 0
  for (let place = leakageStepDays - sumDays + 1; place <= leakageStepDays; place++) {
    const floor = floors[place] ?? Number.NaN
    if (Number.isNaN(floor)) continue
    const { centre, spread, known } = baselineOf(place)
    if (known < minBaselineDays) continue
    const deviation = Math.max(-maxDeviation, Math.min(maxDeviation, (floor - centre) / spread))
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
      spread: baseline.spread,
      used: baseline.known,
    }),
  }
}
