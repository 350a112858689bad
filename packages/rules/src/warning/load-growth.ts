import type { Params } from './detector.ts'
import { detector, parameter } from './detector.ts'
import type { Outcome } from './finding.ts'
import { evidence, notEvaluated } from './finding.ts'
import type { LineHours } from './hours.ts'
import { spanOfDays } from './hours.ts'
import { usualPeakShare } from './line-day.ts'
import { mannKendall, quantile, theilSen } from './statistics.ts'
import { timeToLimit } from './time-to-limit.ts'

/** What a line carries grows from week to week, towards its rated current. */
export const loadGrowth = detector({
  key: 'load.growth',
  label: { zh: '负荷增长', en: 'Load growth' },
  priority: 'low',
  // Whole weeks are looked at: a second look that sees anything new comes a week later.
  looks: 1,
  parameters: {
    significance: parameter('显著性', 'Significance', 'σ', [1.5, 2.5, 4], 'Mann-Kendall z, measured on synthetic lines'),
    riseShare: parameter('10 周升幅', 'Rise in 10 weeks', '×In', [0.03, 0.06, 0.5], 'default of ours'),
    fromShare: parameter('起判负荷', 'Load from which it matters', '×In', [0.3, 0.6, 0.9], 'default of ours'),
    limitShare: parameter('限值', 'Limit', '×In', [0.7, 0.9, 1], 'default of ours'),
    horizonWeeks: parameter('预测期限', 'Horizon', 'wk', [2, 8, 26], 'default of ours'),
  },
})
type GrowthParams = Params<typeof loadGrowth>

const weeks = 10
const daysOfWeek = 7
/** Days that are looked at, and at most as many more as since the last week ended. */
export const loadGrowthDays = weeks * daysOfWeek
/** Share of a week's hours that must count. */
const minWeekCoverage = 0.8

/** 1 January 1970 was a Thursday: the days of a week begin with Monday. */
const mondayOffset = 3

/** The last day on or before this one that ends a week, Monday to Sunday. */
export const lastSunday = (today: number): number => today - ((today + mondayOffset + 1) % daysOfWeek)

/** What a phase carries in the week that ends on this Sunday, but for its single highest hours: A, NaN where too few hours count. */
export function weeklyPeak(hours: LineHours, phase: number, sunday: number): number {
  const column = hours.maxA[phase] ?? new Float32Array()
  const [from, to] = spanOfDays(hours, sunday - daysOfWeek + 1, sunday)
  const known = column.subarray(from, to).filter((each, i) => hours.counts[from + i] === 1 && !Number.isNaN(each))
  return known.length >= minWeekCoverage * daysOfWeek * 24 ? quantile(known, usualPeakShare) : Number.NaN
}

/** The Sundays of the weeks that are looked at, the last one last. */
export const sundaysBefore = (today: number): readonly number[] =>
  Array.from({ length: weeks }, (_, week) => lastSunday(today) - (weeks - 1 - week) * daysOfWeek)

/** Evaluates each phase over the last ten whole weeks; it says nothing of a line that has not as many. */
export function evaluateLoadGrowth(
  params: GrowthParams,
  hours: LineHours,
  { today, ratedA, points }: { readonly today: number; readonly ratedA: number; readonly points: readonly string[] },
): readonly Outcome[] {
  const sundays = sundaysBefore(today)
  const peaks = points.map((_, phase) => Float64Array.from(sundays, (sunday) => weeklyPeak(hours, phase, sunday)))
  return evaluateWeeklyPeaks(params, peaks, { ratedA, points })
}

/** The same of the peaks of each phase, week by week. */
export function evaluateWeeklyPeaks(
  params: GrowthParams,
  peaksOfPhases: readonly Float64Array[],
  { ratedA, points }: { readonly ratedA: number; readonly points: readonly string[] },
): readonly Outcome[] {
  return points.map((point, phase) => {
    const peaks = peaksOfPhases[phase] ?? new Float64Array()
    const known = peaks.filter((each) => !Number.isNaN(each)).length
    if (known < weeks) return notEvaluated('coverage', known, weeks)
    const days = Array.from(peaks, (_, week) => week * daysOfWeek)
    const trend = theilSen(days, peaks)
    if (!trend || mannKendall(peaks) <= params.significance) return null
    const limit = params.limitShare * ratedA
    const grows = trend.slope * loadGrowthDays >= params.riseShare * ratedA && trend.now > params.fromShare * ratedA
    if (!grows || (limit - trend.now) / trend.slope >= params.horizonWeeks * daysOfWeek) return null
    return {
      key: loadGrowth.key,
      point,
      level: trend.now > limit ? 'warning' : 'notice',
      evidence: evidence({
        value: trend.now,
        limit,
        unit: 'A',
        baseline: peaks[0] ?? null,
        spread: trend.spread,
        slope: trend.slope,
        toLimit: timeToLimit(days, [...peaks], limit),
        used: weeks,
      }),
    }
  })
}
