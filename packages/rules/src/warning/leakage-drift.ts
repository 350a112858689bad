import type { Params } from './detector.ts'
import { detector, parameter } from './detector.ts'
import type { Outcome } from './finding.ts'
import { evidence, notEvaluated } from './finding.ts'
import { leakageLevel, mayTripShare } from './leakage-level.ts'
import type { LeakageDay } from './line-day.ts'
import { mannKendall, theilSen } from './statistics.ts'
import { latestRise, timeToLimit } from './time-to-limit.ts'

/** The insulation of a line gives way slowly: its residual current rises from week to week. */
export const leakageDrift = detector({
  key: 'leakage.drift',
  label: { zh: '漏电缓升', en: 'Residual current drift' },
  priority: 'medium',
  looks: 2,
  parameters: {
    significance: parameter('显著性', 'Significance', 'σ', [3, 4.5, 8], 'Mann-Kendall z, measured on synthetic lines'),
    riseShare: parameter('30 天升幅', 'Rise in 30 days', '×IΔn', [0.04, 0.08, 0.5], 'default of ours'),
    minRiseMa: parameter('最小升幅', 'Smallest rise', 'mA', [1, 3, 100], 'default of ours'),
    horizonDays: parameter('预测期限', 'Horizon', 'd', [14, 60, 365], 'default of ours'),
  },
})
type DriftParams = Params<typeof leakageDrift>

/** Days that a trend is made of, and how many of them must have a floor. */
export const leakageDriftDays = 30
const minDays = 20

/** Evaluates the daily floors of the last 30 days: significant, worth telling, and soon where the device may trip. IΔn in mA. */
export function evaluateLeakageDrift(
  params: DriftParams,
  days: readonly LeakageDay[],
  { today, tripMa }: { readonly today: number; readonly tripMa: number | null },
): Outcome {
  if (tripMa === null) return notEvaluated('settingUnknown')
  const known = days.flatMap(({ day, floorMa }) =>
    day > today - leakageDriftDays && day <= today && floorMa !== null ? [{ day, floorMa }] : [],
  )
  if (known.length < minDays) return notEvaluated('tooFewDays', known.length, minDays)
  const floors = known.map(({ floorMa }) => floorMa)
  if (mannKendall(floors) <= params.significance) return null
  const at = known.map(({ day }) => day)
  const trend = theilSen(at, floors)
  const recent = latestRise(at, floors)
  if (!trend || !recent) return null
  const rise = Math.max(params.riseShare * tripMa, params.minRiseMa)
  const limit = mayTripShare * tripMa
  // How soon is asked of the days that rise: sound ones before them would make it look slower.
  const { slope, now } = recent.trend
  if (trend.slope * leakageDriftDays < rise || !(slope > 0) || (limit - now) / slope >= params.horizonDays) return null
  return {
    key: leakageDrift.key,
    point: 'residual',
    level: leakageLevel(trend.now, tripMa),
    evidence: evidence({
      value: trend.now,
      limit,
      unit: 'mA',
      baseline: trend.now - trend.slope * leakageDriftDays,
      spread: recent.trend.spread,
      slope,
      toLimit: timeToLimit(recent.trend, limit, recent.used),
      used: known.length,
    }),
  }
}
