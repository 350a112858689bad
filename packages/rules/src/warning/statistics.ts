/** Makes the median absolute deviation of normally distributed values their standard deviation. */
export const madToDeviation = 1.4826
/** A correlation that is taken to be higher than this would make every interval endless. */
const maxCorrelation = 0.95

/** The values that are known, in order of size; NaN is not known. */
export function sortedKnown(values: ArrayLike<number>): Float64Array {
  const sorted = new Float64Array(values).sort()
  let known = sorted.length
  // A typed array sorts NaN to its end.
  while (known > 0 && Number.isNaN(sorted[known - 1])) known--
  return sorted.subarray(0, known)
}

/** The value below which this share of the sorted values lies, between two of them in proportion; NaN of none. */
export function quantileOfSorted(sorted: ArrayLike<number>, share: number): number {
  const place = (sorted.length - 1) * share
  const below = Math.floor(place)
  const low = sorted[below] ?? Number.NaN
  return low + ((sorted[below + 1] ?? low) - low) * (place - below)
}

/** The value below which this share of the known values lies; NaN of none. */
export const quantile = (values: ArrayLike<number>, share: number): number => quantileOfSorted(sortedKnown(values), share)

export const median = (values: ArrayLike<number>): number => quantile(values, 0.5)

/** The middle of known values, which are left in another order (Hoare's selection): many times faster than to sort them. */
export function medianInPlace(values: Float64Array): number {
  const middle = (values.length - 1) / 2
  const below = Math.floor(middle)
  const low = select(values, below)
  if (below === middle) return low
  let high = Number.POSITIVE_INFINITY
  for (let i = below + 1; i < values.length; i++) high = Math.min(high, values[i] ?? high)
  return (low + high) / 2
}

/** `quantile` of known values, which are left in another order. */
export function quantileInPlace(values: Float64Array, share: number): number {
  const place = (values.length - 1) * share
  const below = Math.floor(place)
  const low = select(values, below)
  if (below >= values.length - 1) return low
  let high = Number.POSITIVE_INFINITY
  for (let i = below + 1; i < values.length; i++) high = Math.min(high, values[i] ?? high)
  return low + (high - low) * (place - below)
}

/** The value that would stand in this place if they were sorted; none before it is higher, none after it lower. */
function select(values: Float64Array, place: number): number {
  let from = 0
  let to = values.length - 1
  while (from < to) {
    const pivot = values[place] ?? 0
    let left = from
    let right = to
    while (left <= right) {
      while ((values[left] ?? 0) < pivot) left++
      while ((values[right] ?? 0) > pivot) right--
      if (left > right) break
      const kept = values[left] ?? 0
      values[left++] = values[right] ?? 0
      values[right--] = kept
    }
    if (right < place) from = left
    if (left > place) to = right
  }
  return values[place] ?? Number.NaN
}

export interface CentreAndSpread {
  readonly centre: number
  readonly spread: number
  readonly known: number
}

/** Where the values lie and how far they spread, whatever a few of them do: median, and 1.4826 of the median absolute deviation. */
export function centreAndSpread(values: ArrayLike<number>): CentreAndSpread {
  const all = new Float64Array(values.length)
  let count = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN
    if (!Number.isNaN(value)) all[count++] = value
  }
  const known = all.subarray(0, count)
  const centre = quantileInPlace(known, 0.5)
  for (let i = 0; i < count; i++) known[i] = Math.abs((known[i] ?? 0) - centre)
  return { centre, spread: madToDeviation * quantileInPlace(known, 0.5), known: count }
}

/** Mann-Kendall: how many standard deviations the order of the values lies above chance; 0 where they cannot say. Equal values count as ties. */
export function mannKendall(values: ArrayLike<number>): number {
  const n = values.length
  let score = 0
  for (let later = 1; later < n; later++)
    for (let earlier = 0; earlier < later; earlier++) score += Math.sign((values[later] ?? 0) - (values[earlier] ?? 0))
  let variance = n * (n - 1) * (2 * n + 5)
  const sorted = sortedKnown(values)
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    while (sorted[to] === sorted[from]) to++
    const tied = to - from
    variance -= tied * (tied - 1) * (2 * tied + 5)
  }
  return variance <= 0 ? 0 : (score - Math.sign(score)) / Math.sqrt(variance / 18)
}

/** A straight line through values over time that half of them may lie off without moving it. */
export interface Trend {
  /** Per unit of time. */
  readonly slope: number
  /** Where the line stands at the last time. */
  readonly now: number
  /** Between these the slope lies with a probability of 90 %. */
  readonly slopeFrom: number
  readonly slopeTo: number
  /** What the values deviate from the line, as a standard deviation. */
  readonly spread: number
}

/** Standard deviations on either side of 90 % of a normal distribution. */
const ninety = 1.645

/**
 * Theil-Sen: the median of the slopes between all pairs, with Sen's interval. What lies off the line today still does tomorrow, so the
 * interval is made longer by the lag-one correlation of the residuals: plain ones hold the truth too seldom.
 */
export function theilSen(at: ArrayLike<number>, values: ArrayLike<number>): Trend | null {
  const n = values.length
  const slopes: number[] = []
  for (let later = 1; later < n; later++)
    for (let earlier = 0; earlier < later; earlier++) {
      const apart = (at[later] ?? 0) - (at[earlier] ?? 0)
      if (apart !== 0) slopes.push(((values[later] ?? 0) - (values[earlier] ?? 0)) / apart)
    }
  if (slopes.length === 0) return null
  const sorted = sortedKnown(slopes)
  const slope = quantileOfSorted(sorted, 0.5)
  const last = at[n - 1] ?? 0
  const atLast = Float64Array.from({ length: n }, (_, i) => (values[i] ?? 0) + slope * (last - (at[i] ?? 0)))
  const { centre: now, spread } = centreAndSpread(atLast)
  const inflation = correlationInflation(atLast.map((each) => each - now))
  const reach = (ninety * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18) * inflation) / 2
  const rank = (place: number) => sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(place)))] ?? slope
  const middle = (sorted.length - 1) / 2
  return { slope, now, slopeFrom: rank(middle - reach), slopeTo: rank(middle + reach), spread }
}

/** √((1+r)/(1-r)) of the lag-one correlation r of residuals that follow each other; never below 1. */
export function correlationInflation(residuals: ArrayLike<number>): number {
  let products = 0
  let squares = 0
  for (let i = 0; i < residuals.length; i++) {
    const own = residuals[i] ?? 0
    squares += own * own
    if (i > 0) products += own * (residuals[i - 1] ?? 0)
  }
  const correlation = squares > 0 ? Math.min(maxCorrelation, Math.max(0, products / squares)) : 0
  return Math.sqrt((1 + correlation) / (1 - correlation))
}
