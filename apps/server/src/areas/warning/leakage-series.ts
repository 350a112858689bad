import type { Reply, warningDetails } from '@linewarden/contract'
import { hourMs } from '@linewarden/equipment'
import type { LineHours, LineKind, NotEvaluatedReason } from '@linewarden/rules/warning'
import { learningDays, median, minCoverage, spanOfDays } from '@linewarden/rules/warning'
import type { FeatureRow } from '../../store/warning/feature.ts'
import type { FindingRow } from '../../store/warning/finding.ts'
import { dayText } from './line-facts.ts'

type LeakageSeries = NonNullable<Reply<typeof warningDetails>['Leakage']>

/** The baseline of a day: from this many days before it to this many, as the step detector has it. */
const [baselineFrom, baselineTo] = [35, 8]
/** Hours before and after the hour it was raised in. */
const [hoursBefore, hoursAfter] = [36, 36]
const weeksAlike = 28

/** What the picture of a leakage is drawn from: daily floors with the days that do not count, and the hours around its raise. */
export function leakageSeries(
  { evidence, day }: FindingRow,
  {
    kind,
    hours,
    features,
    today,
    raisedAt,
    raisedDay,
    learntFrom,
  }: {
    readonly kind: LineKind
    readonly hours: LineHours
    readonly features: readonly FeatureRow[]
    readonly today: number
    /** When it was raised, or would have been in time: Unix ms, and the local day. */
    readonly raisedAt: number
    readonly raisedDay: number
    /** First day that the line is compared with; null: it was never looked at. */
    readonly learntFrom: number | null
  },
): LeakageSeries {
  const comparedDay = day ?? raisedDay
  return {
    RaisedAt: raisedAt,
    TripMa: kind.tripMa,
    Baseline: evidence.baseline,
    Spread: evidence.spread,
    BaselineFrom: evidence.baseline === null ? null : dayText(Math.max(comparedDay - baselineFrom, learntFrom ?? 0)),
    BaselineTo: evidence.baseline === null ? null : dayText(comparedDay - baselineTo),
    Days: daysOf(features, today, learntFrom),
    Hours: hoursAround(hours, Math.floor(raisedAt / hourMs)),
  }
}

function daysOf(features: readonly FeatureRow[], today: number, learntFrom: number | null): LeakageSeries['Days'] {
  const first = features[0]?.day
  if (first === undefined) return []
  const known = new Map(features.map((row) => [row.day, row]))
  return Array.from({ length: today - first + 1 }, (_, nth) => {
    const day = first + nth
    const row = known.get(day)
    return {
      Day: dayText(day),
      FloorMa: row?.leak_floor_ma ?? null,
      PeakMa: row?.leak_peak_ma ?? null,
      Excluded: whyNot(row, day, learntFrom),
    }
  })
}

/** Why a day says nothing; null: it does. */
function whyNot(row: FeatureRow | undefined, day: number, learntFrom: number | null): NotEvaluatedReason | null {
  if (!row) return 'coverage'
  if (row.opened && row.hours === 0) return 'open'
  if (row.coverage < minCoverage || row.leak_floor_ma === null) return 'coverage'
  return learntFrom !== null && day < learntFrom + learningDays && day >= learntFrom ? 'learning' : null
}

function hoursAround(hours: LineHours, raisedHour: number): LeakageSeries['Hours'] {
  const made: LeakageSeries['Hours'] = []
  for (let i = 0; i < hours.hour.length; i++) {
    const hour = hours.hour[i] ?? 0
    if (hour < raisedHour - hoursBefore || hour > raisedHour + hoursAfter) continue
    const value = hours.residualMa[i] ?? Number.NaN
    made.push({
      At: hour * hourMs,
      Ma: hours.counts[i] !== 1 || Number.isNaN(value) ? null : value,
      UsualMa: usualAt(hours, i),
    })
  }
  return made
}

/** The median of hours alike of the four weeks before this day; null: there are too few of them. */
function usualAt({ ...hours }: LineHours, at: number): number | null {
  const day = hours.day[at] ?? 0
  const [from, to] = spanOfDays(hours, day - weeksAlike, day - 1)
  const alike: number[] = []
  for (let i = from; i < to; i++) {
    const value = hours.residualMa[i] ?? Number.NaN
    if (hours.slot[i] === hours.slot[at] && hours.counts[i] === 1 && !Number.isNaN(value)) alike.push(value)
  }
  return alike.length < 3 ? null : median(alike)
}
