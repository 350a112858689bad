import { dayScale, daysWritten, scaleUpTo } from './scale.ts'

export interface TrendFacts {
  /** Null: the day is not known. */
  readonly days: readonly { readonly day: number; readonly value: number | null }[]
  readonly unit: string
  /** From the mildest to the gravest; a limit that is the goal of the forecast is `limit`. */
  readonly limits: readonly { readonly kind: 'warning' | 'alarm'; readonly value: number }[]
  readonly baseline: number | null
  readonly spread: number | null
  /** Days from the last one until the limit is reached, with the limit in the unit of the values; null: not known. */
  readonly forecast: { readonly lo: number; readonly mid: number; readonly hi: number; readonly limit: number } | null
}

const margin = { left: 40, right: 66, top: 20, bottom: 24 }
/** The days to come get at most as much room as this many times those that were. */
const maxFuture = 0.9

/** Where the parts of the picture stand: the days that were, today, and the days until the limit is reached, if that can be told. */
export function trendPicture({ days, limits, baseline, spread, forecast }: TrendFacts, width: number, height: number) {
  const [left, right, bottom] = [margin.left, width - margin.right, height - margin.bottom]
  const first = days[0]?.day ?? 0
  const today = days.at(-1)?.day ?? first
  const past = today - first + 1
  const future = forecast ? Math.ceil(Math.min(forecast.hi * 1.08, past * maxFuture)) : 0
  const x = dayScale(first, today + future, left, right)
  const known = days.flatMap(({ value }) => (value === null ? [] : [value]))
  const tops = limits.map(({ value }) => value * 1.12)
  const y = scaleUpTo(Math.max(1e-6, ...known, ...tops, (baseline ?? 0) + (spread ?? 0)), bottom, margin.top, 3)
  const start = known.at(-1) ?? 0
  const until = (inDays: number) => {
    const reached = Math.min(inDays, future)
    const value = inDays <= 0 ? (forecast?.limit ?? start) : start + (((forecast?.limit ?? start) - start) * reached) / inDays
    return { x: x.at(today + reached), y: y.at(value), isReached: inDays <= future }
  }
  return {
    left,
    right,
    top: margin.top,
    bottom,
    x,
    y,
    today: { day: today, x: x.at(today), y: y.at(start) },
    fan: forecast && { lo: until(forecast.lo), mid: until(forecast.mid), hi: until(forecast.hi), limitY: y.at(forecast.limit) },
    dates: daysWritten(first, today, x.at(today) - left),
    future,
  }
}
