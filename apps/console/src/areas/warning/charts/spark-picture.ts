import { brokenPath } from './scale.ts'

interface SparkSize {
  readonly width: number
  readonly height: number
}

/** Room above, below and at the end, so that no dot is cut. */
const margin = 3.5
/** A band thinner than this would not be seen. */
const minBand = 2
/** The least range of values over the whole height, as a share of the highest. */
const minRange = 0.1

/** Where each part of a spark line stands, in pixels. A limit that is below zero or unknown is not drawn. */
export function sparkPicture(
  {
    values,
    limit,
    baseline,
    spread,
  }: {
    readonly values: readonly (number | null)[]
    readonly limit: number | null
    readonly baseline: number | null
    readonly spread: number | null
  },
  { width, height }: SparkSize,
) {
  const known = values.filter((each) => each !== null)
  const half = spread ?? 0
  const all = [...known, ...(limit === null ? [] : [limit]), ...(baseline === null ? [] : [baseline - half, baseline + half])]
  const low = Math.min(...all)
  const high = Math.max(...all)
  // There is no axis beside it: what hardly moves is drawn so, and no noise is made a mountain.
  const range = Math.max(high - low, minRange * Math.abs(high)) || 1
  const y = (value: number) => Number((height - margin - ((value - low) / range) * (height - 2 * margin)).toFixed(1))
  const x = (index: number) => Number(((index / Math.max(1, values.length - 1)) * (width - margin)).toFixed(1))
  const lastIndex = values.findLastIndex((each) => each !== null)
  const last = values[lastIndex]
  const band =
    baseline === null
      ? null
      : { top: y(baseline + half) - minBand / 2, height: Number((y(baseline - half) - y(baseline + half) + minBand).toFixed(1)) }
  return {
    path: brokenPath(
      values.map((value, index) => ({ value, index })),
      ({ index }) => x(index),
      ({ value }) => (value === null ? null : y(value)),
    ),
    limitY: limit === null ? null : y(limit),
    band,
    end: last === undefined || last === null ? null : { x: x(lastIndex), y: y(last) },
  }
}
