/** Takes a line as it is drawn: a canvas, or what stands in for one. */
export interface Pen {
  moveTo(x: number, y: number): unknown
  lineTo(x: number, y: number): unknown
}

/** Which pixel a time and a value fall on; both axes are straight. */
export interface Plane {
  readonly left: number
  readonly width: number
  /** The time at the left edge, by the zone's clock. */
  readonly from: number
  readonly pxPerMs: number
  /** The pixel of value zero. */
  readonly zeroY: number
  readonly pxPerUnit: number
  /** How many columns of the screen lie in a pixel of the page. */
  readonly columnsPerPx: number
}

export type Values = ArrayLike<number | null>

/** Half of what is at least drawn of readings between two gaps, in pixels. */
const aloneHalfPx = 0.75

/**
 * Draws a line through readings, `at` by the zone's clock. Of those on one column of the screen it draws the least and the most, in their
 * order, and of those beside the plane only what leads into it and out of it. A null lifts the line: what is missing is not bridged.
 */
export function traceLine(pen: Pen, at: ArrayLike<number>, values: Values, plane: Plane): void {
  const { left, width, from, pxPerMs, zeroY, pxPerUnit, columnsPerPx } = plane
  const beyond = Math.ceil(width * columnsPerPx)
  const columnsPerMs = pxPerMs * columnsPerPx
  /** Points since the line was lifted, the first and the last of them. */
  let points = 0
  let firstX = 0
  let x = 0
  let y = 0
  /** The column that is being read, with its least and its most; -1 is all that is before the plane. */
  let column = Number.NaN
  let least = 0
  let most = 0
  let minIndex = 0
  let maxIndex = 0
  const point = (index: number, value: number) => {
    x = left + ((at[index] ?? 0) - from) * pxPerMs
    y = zeroY + value * pxPerUnit
    if (points === 0) {
      firstX = x
      pen.moveTo(x, y)
    } else pen.lineTo(x, y)
    points += 1
  }
  const leave = () => {
    if (minIndex < maxIndex) point(minIndex, least)
    point(maxIndex, most)
    if (maxIndex < minIndex) point(minIndex, least)
  }
  const lift = () => {
    if (!Number.isNaN(column)) leave()
    // Readings between two gaps that hardly reach beyond one column would leave nothing to be seen.
    if (points > 0 && x - firstX < 2 * aloneHalfPx) {
      pen.moveTo(x - aloneHalfPx, y)
      pen.lineTo(x + aloneHalfPx, y)
    }
    points = 0
    column = Number.NaN
  }
  for (let i = 0; i < at.length; i++) {
    const value = values[i]
    if (value === null || value === undefined) {
      lift()
      continue
    }
    const own = Math.max(-1, Math.min(beyond, Math.floor(((at[i] ?? 0) - from) * columnsPerMs)))
    if (own === column && own >= 0) {
      if (own === beyond) continue
      if (value < least) {
        least = value
        minIndex = i
      } else if (value > most) {
        most = value
        maxIndex = i
      }
      continue
    }
    if (own !== column && !Number.isNaN(column)) leave()
    column = own
    least = most = value
    minIndex = maxIndex = i
  }
  lift()
}

/** Where a line ends that is in sight: at its newest reading, or where it leaves the plane. Null: none of it is in sight. */
export function endOfLine(
  at: ArrayLike<number>,
  values: Values,
  plane: Plane,
): { readonly x: number; readonly y: number } | null {
  const { left, width, from, pxPerMs, zeroY, pxPerUnit } = plane
  const xOf = (index: number) => left + ((at[index] ?? 0) - from) * pxPerMs
  const right = left + width
  for (let i = at.length - 1; i >= 0; i--) {
    const value = values[i]
    const x = xOf(i)
    if (value === null || value === undefined || x > right) continue
    const next = values[i + 1]
    if (x < left && (next === null || next === undefined)) return null
    // It goes on beyond the edge.
    const share = next === null || next === undefined ? 0 : (right - x) / (xOf(i + 1) - x)
    return { x: share > 0 ? right : x, y: zeroY + (value + share * ((next ?? value) - value)) * pxPerUnit }
  }
  return null
}

/** Draws the areas between the least and the most of buckets, one for each stretch in which nothing is missing. */
export function traceBand(pen: Pen, at: ArrayLike<number>, least: Values, most: Values, plane: Plane): void {
  const { left, from, pxPerMs, zeroY, pxPerUnit } = plane
  const x = (index: number) => left + ((at[index] ?? 0) - from) * pxPerMs
  const y = (value: number | null | undefined) => zeroY + (value ?? 0) * pxPerUnit
  const isKnown = (index: number) => least[index] != null && most[index] != null
  for (let start = 0; start < at.length; ) {
    let end = start
    while (end < at.length && isKnown(end)) end += 1
    if (end > start) {
      const half = end - start === 1 ? aloneHalfPx : 0
      pen.moveTo(x(start) - half, y(least[start]))
      for (let i = start; i < end; i++) pen.lineTo(x(i) - half, y(most[i]))
      for (let i = end - 1; i >= start; i--) {
        if (half > 0) pen.lineTo(x(i) + half, y(most[i]))
        pen.lineTo(x(i) + half, y(least[i]))
      }
    }
    start = end + 1
  }
}
