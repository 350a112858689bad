import type { RiseModels } from './rise-models.ts'
import { probabilityAbove, riseModels } from './rise-models.ts'
import type { Trend } from './statistics.ts'
import { median, theilSen } from './statistics.ts'

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
/** Nobody asks what is in ten years. */
const maxDays = 3_650
/** Halvings of an interval: to a minute. */
const halvings = 24

/** So much is cut off on either side: of contacts and insulations then nine intervals in ten hold the truth (measured on synthetic lines). */
const tail = 0.06

/** Values of a trend at least. */
export const minTrendValues = 10

/**
 * The days from the last value until the line through values reaches a limit: the day on which it stands above it with a probability of
 * 6, 50 and 94 %. `hi` is infinite where it may also never. Null: too few values, or it hardly goes there.
 */
export function daysToLimit(
  at: readonly number[],
  values: readonly number[],
  limit: number,
): { readonly lo: number; readonly mid: number; readonly hi: number } | null {
  if (values.length < minTrendValues) return null
  const models = riseModels(at, values)
  const last = at.at(-1) ?? 0
  const [lo, mid, hi] = [tail, 0.5, 1 - tail].map((share) => firstDay(models, limit, last, share)) as [number, number, number]
  return mid === Number.POSITIVE_INFINITY ? null : { lo, mid, hi }
}

/** Days after `last` until the line stands above the limit with this probability. */
function firstDay(models: RiseModels, limit: number, last: number, probability: number): number {
  const isAbove = (days: number) => probabilityAbove(models, limit, last + days) >= probability
  if (isAbove(0)) return 0
  let [below, above] = [0, 1]
  while (!isAbove(above)) {
    if (above > maxDays) return Number.POSITIVE_INFINITY
    below = above
    above *= 2
  }
  for (let i = 0; i < halvings; i++) {
    const middle = (below + above) / 2
    if (isAbove(middle)) above = middle
    else below = middle
  }
  return above
}

/** The same as it is shown; null: it rises, and the time is not yet known. */
export function timeToLimit(at: readonly number[], values: readonly number[], limit: number): TimeToLimit | null {
  const days = daysToLimit(at, values, limit)
  if (!days || days.hi > maxRatio * days.lo) return null
  return { ...days, confidence: days.hi <= highConfidenceRatio * days.lo ? 'high' : 'medium' }
}

/**
 * Finds the rise at the end of values over time: level up to some day, and from there a straight line, so that together they deviate
 * least. Null: fewer than ten values.
 */
export function latestRise(at: readonly number[], values: readonly number[]): Trend | null {
  let best: { readonly trend: Trend; readonly deviation: number } | null = null
  for (let from = 0; from <= values.length - minTrendValues; from++) {
    const [ownAt, own] = [at.slice(from), values.slice(from)]
    const trend = theilSen(ownAt, own)
    if (!trend) continue
    const last = ownAt.at(-1) ?? 0
    const level = median(values.slice(0, from))
    const deviation =
      own.reduce((sum, each, i) => sum + Math.abs(each - trend.now + trend.slope * (last - (ownAt[i] ?? 0))), 0) +
      values.slice(0, from).reduce((sum, each) => sum + Math.abs(each - level), 0)
    if (!best || deviation < best.deviation) best = { trend, deviation }
  }
  return best?.trend ?? null
}
