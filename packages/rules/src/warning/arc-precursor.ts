import type { Params } from './detector.ts'
import { detector, parameter } from './detector.ts'
import type { Outcome } from './finding.ts'
import { evidence, notEvaluated } from './finding.ts'

/** Arcing that stays below the alarm comes more often than it used to: a joint begins to give way. */
export const arcPrecursor = detector({
  key: 'arc.precursor',
  label: { zh: '电弧先兆', en: 'Arcing below the alarm' },
  priority: 'high',
  // The cumulated sum has itself looked for days.
  looks: 1,
  parameters: {
    halfCycles: parameter(
      '计入半周期数',
      'Half-cycles that count',
      '',
      [3, 5, 9],
      'default of ours; GB 14287.4: 9 must not alarm',
    ),
    decision: parameter('判定阈值', 'Decision limit', '', [2, 4, 10], 'Poisson CUSUM h of a line that never arced, measured'),
    increase: parameter('每日增量', 'Increase a day', 'h/d', [0.5, 1.5, 5], 'default of ours'),
    minHours: parameter('3 天内最少小时数', 'Hours within 3 days', 'h', [2, 3, 24], 'default of ours'),
  },
})
type ArcParams = Params<typeof arcPrecursor>

/** Hours of a local day in which arcing was seen below the alarm; null: the day is not known. */
export interface ArcDay {
  readonly day: number
  readonly hours: number | null
}

const [baselineFrom, baselineTo] = [35, 8]
const minBaselineDays = 7
const sumDays = 14
const recentDays = 3
/** A line that never arced is expected to do so this often, so that a first hour is no finding. */
const minRate = 0.1
export const arcPrecursorDays = sumDays + baselineFrom

/** Whether the most half-cycles of an hour are arcing that is no alarm: `alarmAt` is the setting of the detector. */
export const isArcHour = (params: ArcParams, mostHalfCycles: number, alarmAt: number): boolean =>
  mostHalfCycles >= params.halfCycles && mostHalfCycles < alarmAt

/** Evaluates the daily counts up to `today` by a cumulated sum for Poisson counts. */
export function evaluateArcPrecursor(params: ArcParams, days: readonly ArcDay[], { today }: { readonly today: number }): Outcome {
  const counts = new Float64Array(arcPrecursorDays + 1).fill(Number.NaN)
  for (const { day, hours } of days) {
    const place = day - today + arcPrecursorDays
    if (place >= 0 && place <= arcPrecursorDays && hours !== null) counts[place] = hours
  }
  const own = meanOf(counts, arcPrecursorDays)
  if (own.known < minBaselineDays) return notEvaluated('tooFewDays', own.known, minBaselineDays)
  const recent = counts.subarray(-recentDays).reduce((sum, each) => sum + (Number.isNaN(each) ? 0 : each), 0)
  if (recent < params.minHours) return null
  const decision = params.decision * Math.log((minRate + params.increase) / minRate)
  let sum = 0
  for (let place = arcPrecursorDays - sumDays + 1; place <= arcPrecursorDays; place++) {
    const count = counts[place] ?? Number.NaN
    const { rate, known } = meanOf(counts, place)
    if (Number.isNaN(count) || known < minBaselineDays) continue
    // Each count by its likelihood: where it arced already, the same excess says less.
    const gain = count * Math.log((rate + params.increase) / rate) - params.increase
    sum = Math.min(2 * decision, Math.max(0, sum + gain))
  }
  if (sum <= decision) return null
  return {
    key: arcPrecursor.key,
    point: 'arc.halfCycles',
    level: 'warning',
    evidence: evidence({
      value: recent / recentDays,
      limit: own.rate + params.increase,
      unit: 'h/d',
      baseline: own.rate,
      used: own.known,
    }),
  }
}

function meanOf(counts: Float64Array, place: number): { readonly rate: number; readonly known: number } {
  const known = counts.subarray(Math.max(0, place - baselineFrom), place - baselineTo + 1).filter((each) => !Number.isNaN(each))
  return { rate: Math.max(minRate, known.reduce((sum, each) => sum + each, 0) / known.length), known: known.length }
}
