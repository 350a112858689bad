import type { HistorySeries } from '@linewarden/contract'
import type { Drawn } from './panels.ts'

/** The bucket a moment lies in, or the sample nearest to it; null where there is none near. */
export function indexAt({ At, BucketMs, Value }: HistorySeries, at: number, near: number): number | null {
  let low = 0
  let high = At.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((At[middle] ?? 0) <= at) low = middle
    else high = middle - 1
  }
  const candidates = BucketMs > 0 ? [low] : [low, low + 1]
  let best: number | null = null
  for (const i of candidates) {
    const distance = Math.abs((At[i] ?? Number.POSITIVE_INFINITY) - at)
    const fits = BucketMs > 0 ? at >= (At[i] ?? 0) && at < (At[i] ?? 0) + BucketMs : distance <= near
    if (fits && Value[i] !== null && (best === null || distance < Math.abs((At[best] ?? 0) - at))) best = i
  }
  return best
}

/** A stretch of a period that counts as beside a moment. */
export const nearOf = (periodMs: number): number => periodMs / 120

/** What the point reported at the same time of the period before; null where it reported nothing. */
export function before({ previous }: Pick<Drawn, 'previous'>, at: number, previousMs: number): number | null {
  if (previous === null) return null
  const index = indexAt(previous, at - previousMs, nearOf(previousMs))
  return index === null ? null : (previous.Value[index] ?? null)
}
