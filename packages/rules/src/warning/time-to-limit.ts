import type { Trend } from './statistics.ts'
import { median, ninety, theilSen } from './statistics.ts'

/** When a limit will be reached, in days from the last value: with a probability of 90 % between `lo` and `hi`. */
export interface TimeToLimit {
  readonly lo: number
  readonly mid: number
  readonly hi: number
  readonly confidence: 'high' | 'medium'
}

/** An interval that reaches further than this many times its beginning tells nobody when: it is not shown. */
const maxRatio = 3
const highConfidenceRatio = 1.5

/**
 * The days until a trend reaches a limit, as 90 % interval: of the slope, and of where the line stands now. `hi` is infinite where the
 * slope may also be none. Null: it does not go there.
 */
export function daysToLimit(
  trend: Trend,
  limit: number,
  used: number,
): { readonly lo: number; readonly mid: number; readonly hi: number } | null {
  const left = limit - trend.now
  if (left <= 0) return { lo: 0, mid: 0, hi: 0 }
  if (trend.slope <= 0) return null
  const mid = left / trend.slope
  // A line's end is known half as well as its middle.
  const ownError = (ninety * 2 * trend.spread * trend.inflation) / Math.sqrt(used) / trend.slope
  const lo = mid - Math.hypot(mid - left / Math.max(trend.slope, trend.slopeTo), ownError)
  const hi = trend.slopeFrom > 0 ? mid + Math.hypot(left / trend.slopeFrom - mid, ownError) : Number.POSITIVE_INFINITY
  return { lo: Math.max(0, lo), mid, hi }
}

/** The same as it is shown; null: it rises, and the time is not yet known. */
export function timeToLimit(trend: Trend, limit: number, used: number): TimeToLimit | null {
  const days = daysToLimit(trend, limit, used)
  if (!days || days.hi > maxRatio * days.lo) return null
  return { ...days, confidence: days.hi <= highConfidenceRatio * days.lo ? 'high' : 'medium' }
}

/** Days of a trend at least. */
export const minTrendDays = 10

/** The part of a stretch that rises: what lay before its beginning was another state of the line and says nothing of when. */
export interface Rise {
  readonly trend: Trend
  /** Values that it is made of. */
  readonly used: number
}

/**
 * Finds the rise at the end of values over time: level up to some day, and from there a straight line, so that together they deviate
 * least. Null: fewer than ten values.
 */
export function latestRise(at: readonly number[], values: readonly number[]): Rise | null {
  let best: (Rise & { readonly deviation: number }) | null = null
  for (let from = 0; from <= values.length - minTrendDays; from++) {
    const [ownAt, own] = [at.slice(from), values.slice(from)]
    const trend = theilSen(ownAt, own)
    if (!trend) continue
    const last = ownAt.at(-1) ?? 0
    const level = median(values.slice(0, from))
    const deviation =
      own.reduce((sum, each, i) => sum + Math.abs(each - trend.now + trend.slope * (last - (ownAt[i] ?? 0))), 0) +
      values.slice(0, from).reduce((sum, each) => sum + Math.abs(each - level), 0)
    if (!best || deviation < best.deviation) best = { trend, used: own.length, deviation }
  }
  return best && { trend: best.trend, used: best.used }
}
