import type { Params } from './detector.ts'
import { detector, parameter } from './detector.ts'
import type { Outcome } from './finding.ts'
import { evidence, notEvaluated } from './finding.ts'
import { leakageLevel, mayTripShare } from './leakage-level.ts'
import type { LeakageDay } from './line-day.ts'
import type { Trend } from './statistics.ts'
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

/** What the floors up to a day come to, whatever the figures of a rule are: where several are tried on one night, it is made once. */
export interface DriftFacts {
  readonly at: readonly number[]
  readonly floors: readonly number[]
  /** Floors of the 30 days before. */
  readonly before: readonly number[]
  readonly significance: () => number
  readonly usualHigh: () => number
  readonly trend: () => Trend | null
  readonly latest: () => Trend | null
}

/** Looks at the floors up to `today`. What only few nights need is made when it is asked for. */
export function driftFacts(days: readonly LeakageDay[], today: number): DriftFacts {
  const { at, floors } = floorsOf(days, today - trendDays, today)
  const before = floorsOf(days, today - leakageDriftDays, today - trendDays).floors
  return {
    ...{ at, floors, before },
    significance: once(() => mannKendall(floors)),
    usualHigh: once(() => quantile(before, usualHighShare)),
    trend: once(() => theilSen(at, floors)),
    latest: once(() => latestRise(at, floors)),
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly is: T } | null = null
  return () => {
    made ??= { is: make() }
    return made.is
  }
}

/**
 * Evaluates the daily floors of the last 30 days: significant, worth telling, above what the 30 days before often had, and soon where the
 * device may trip. IΔn in mA.
 */
export const evaluateLeakageDrift = (
  params: DriftParams,
  days: readonly LeakageDay[],
  { today, tripMa }: { readonly today: number; readonly tripMa: number | null },
): Outcome => driftOutcome(params, driftFacts(days, today), { tripMa, isTimed: true })

/** The same of facts that are there. Not `isTimed`: how long it takes to the limit is left out of the proof, because nobody will see it. */
export function driftOutcome(
  params: DriftParams,
  { at, floors, before, significance, usualHigh, trend: ofDays, latest }: DriftFacts,
  { tripMa, isTimed }: { readonly tripMa: number | null; readonly isTimed: boolean },
): Outcome {
  if (tripMa === null) return notEvaluated('settingUnknown')
  if (floors.length < minDays) return notEvaluated('tooFewDays', floors.length, minDays)
  // Without them a finding could come of days that are missing.
  if (before.length < minUsualDays) return notEvaluated('tooFewDays', before.length, minUsualDays)
  if (significance() <= params.significance) return null
  const trend = ofDays()
  const rise = Math.max(params.riseShare * tripMa, params.minRiseMa)
  if (!trend || trend.slope * trendDays < rise) return null
  const recent = latest()
  if (!recent) return null
  const limit = mayTripShare * tripMa
  // How soon is asked of the days that rise, at the steepest that they allow: sound ones before them would make it look slower.
  const { slope, slopeTo, now } = recent
  if (!(slope > 0) || now - usualHigh() < params.riseShare * tripMa) return null
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
      toLimit: isTimed ? timeToLimit(at, floors, limit) : null,
      used: floors.length,
    }),
  }
}

/** Days with a floor after the first of these and up to the last. */
function floorsOf(days: readonly LeakageDay[], after: number, upTo: number) {
  const at: number[] = []
  const floors: number[] = []
  for (const { day, floorMa } of days) {
    if (day <= after || day > upTo || floorMa === null) continue
    at.push(day)
    floors.push(floorMa)
  }
  return { at, floors }
}
