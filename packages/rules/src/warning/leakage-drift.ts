import type { Params } from './detector.ts'
import { detector, parameter } from './detector.ts'
import type { Outcome } from './finding.ts'
import { evidence, notEvaluated } from './finding.ts'
import { leakageLevel, mayTripShare } from './leakage-level.ts'
import type { LeakageDay } from './line-day.ts'
import { mannKendall, quantile, theilSen } from './statistics.ts'
import { latestRise, timeToLimit } from './time-to-limit.ts'

/** The insulation of a line gives way slowly: its residual current rises from week to week. */
export const leakageDrift = detector({
  key: 'leakage.drift',
  label: { zh: '漏电缓升', en: 'Residual current drift' },
  priority: 'medium',
  looks: 2,
  parameters: {
    significance: parameter('显著性', 'Significance', 'σ', [3, 4, 8], 'Mann-Kendall z, measured on synthetic lines'),
    riseShare: parameter('30 天升幅', 'Rise in 30 days', '×IΔn', [0.04, 0.08, 0.5], 'default of ours'),
    minRiseMa: parameter('最小升幅', 'Smallest rise', 'mA', [1, 3, 100], 'default of ours'),
    horizonDays: parameter('预测期限', 'Horizon', 'd', [14, 60, 365], 'default of ours'),
  },
})
type DriftParams = Params<typeof leakageDrift>

/** Days that a trend is made of, and how many of them must have a floor. */
const trendDays = 30
const minDays = 20
/** As many before them say how high the line stands at times without any trend: what damp weather does. */
const usualHighShare = 0.65
const minUsualDays = 10
/** Days up to today that `evaluateLeakageDrift` looks at. */
export const leakageDriftDays = 2 * trendDays

/**
 * Evaluates the daily floors of the last 30 days: significant, worth telling, above what the 30 days before often had, and soon where the
 * device may trip. IΔn in mA.
 */
export function evaluateLeakageDrift(
  params: DriftParams,
  days: readonly LeakageDay[],
  { today, tripMa }: { readonly today: number; readonly tripMa: number | null },
): Outcome {
  if (tripMa === null) return notEvaluated('settingUnknown')
  const known = floorsOf(days, today - trendDays, today)
  if (known.length < minDays) return notEvaluated('tooFewDays', known.length, minDays)
  // Without them a finding could come of days that are missing.
  const before = floorsOf(days, today - leakageDriftDays, today - trendDays).map(({ floorMa }) => floorMa)
  if (before.length < minUsualDays) return notEvaluated('tooFewDays', before.length, minUsualDays)
  const floors = known.map(({ floorMa }) => floorMa)
  if (mannKendall(floors) <= params.significance) return null
  const at = known.map(({ day }) => day)
  const trend = theilSen(at, floors)
  const recent = latestRise(at, floors)
  if (!trend || !recent) return null
  const rise = Math.max(params.riseShare * tripMa, params.minRiseMa)
  const usualHigh = quantile(before, usualHighShare)
  const limit = mayTripShare * tripMa
  // How soon is asked of the days that rise, at the steepest that they allow: sound ones before them would make it look slower.
  const { slope, slopeTo, now } = recent
  if (!(slope > 0) || trend.slope * trendDays < rise || now - usualHigh < params.riseShare * tripMa) return null
  if ((limit - now) / Math.max(slope, slopeTo) >= params.horizonDays) return null
  return {
    key: leakageDrift.key,
    point: 'residual',
    level: leakageLevel(trend.now, tripMa),
    evidence: evidence({
      value: trend.now,
      limit,
      unit: 'mA',
      baseline: trend.now - trend.slope * trendDays,
      spread: recent.spread,
      slope,
      toLimit: timeToLimit(at, floors, limit),
      used: known.length,
    }),
  }
}

/** Days with a floor after the first of these and up to the last. */
const floorsOf = (days: readonly LeakageDay[], after: number, upTo: number) =>
  days.flatMap(({ day, floorMa }) => (day > after && day <= upTo && floorMa !== null ? [{ day, floorMa }] : []))
