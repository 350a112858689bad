import { periodsToGap } from '../history/gaps.ts'
import type { Knot } from './register.ts'
import { quarterMs, quarterOf } from './slots.ts'

/**
 * The line's own course in a silence that began at `gapFrom`: usual Wh of the quarter that begins at `slot`; null: not known, and the silence is
 * spread evenly. It must answer the same whichever day of the silence is made, or the days do not add up.
 */
export type UsualCourse = (gapFrom: number, slot: number) => number | null

/** Readings further apart than this say nothing of the course between them, ms: three reporting periods, and a quarter at least. */
export const spreadAfterMs = (periodMs: number): number => Math.max(periodsToGap * periodMs, quarterMs)

/** The register of one epoch at any instant between its first knot and its last. */
export interface EpochCourse {
  readonly from: number
  readonly to: number
  readonly knots: readonly Knot[]
  /** Whole Wh: the register is rounded and not its differences, so that parts of a stretch always add up to it. */
  whAt(at: number): number
}

/** The courses of all epochs, in the order of time: straight between readings, and by the usual course in a silence. */
export function coursesOf(knots: readonly Knot[], periodMs: number, usual: UsualCourse): readonly EpochCourse[] {
  const courses: EpochCourse[] = []
  for (let first = 0; first < knots.length; ) {
    let end = first + 1
    while (end < knots.length && knots[end]?.epoch === knots[first]?.epoch) end += 1
    courses.push(courseOf(knots.slice(first, end), spreadAfterMs(periodMs), usual))
    first = end
  }
  return courses
}

function courseOf(knots: readonly Knot[], spreadAfter: number, usual: UsualCourse): EpochCourse {
  const [from, to] = [knots[0]?.at ?? 0, knots.at(-1)?.at ?? 0]
  const shares = new Map<number, ReturnType<typeof shareOfGap>>()
  return {
    from,
    to,
    knots,
    whAt(at) {
      const index = lastAt(knots, at)
      const [knot, next] = [knots[index], knots[index + 1]]
      if (!knot) return 0
      if (!next || at <= knot.at) return Math.round(knot.kwh * 1_000)
      let share = (at - knot.at) / (next.at - knot.at)
      if (next.at - knot.at > spreadAfter) {
        const ofGap = shares.get(index) ?? shareOfGap(knot.at, next.at, usual)
        shares.set(index, ofGap)
        share = ofGap(at)
      }
      return Math.round(Math.min(next.kwh, knot.kwh + (next.kwh - knot.kwh) * share) * 1_000)
    },
  }
}

/** The last knot at or before an instant. */
export function lastAt(knots: readonly Knot[], at: number): number {
  let [low, high] = [0, knots.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((knots[middle]?.at ?? 0) <= at) low = middle
    else high = middle
  }
  return low
}

/** Which part of a silence's energy was used up to an instant, 0 to 1; it never falls. */
function shareOfGap(from: number, to: number, usual: UsualCourse): (at: number) => number {
  const even = (at: number) => (at - from) / (to - from)
  const first = quarterOf(from)
  /** Usual Wh from the silence's beginning up to the end of each of its quarters. */
  const reached: number[] = []
  let sum = 0
  for (let slot = first; slot < to; slot += quarterMs) {
    const wh = usual(from, slot)
    if (wh === null || !Number.isFinite(wh) || wh < 0) return even
    sum += (wh * (Math.min(to, slot + quarterMs) - Math.max(from, slot))) / quarterMs
    reached.push(sum)
  }
  if (sum <= 0) return even
  return (at) => {
    const index = Math.floor((at - first) / quarterMs)
    const [before, upTo] = [reached[index - 1] ?? 0, reached[index] ?? sum]
    const begins = Math.max(from, first + index * quarterMs)
    const ends = Math.min(to, first + (index + 1) * quarterMs)
    return Math.min(1, (before + ((upTo - before) * (at - begins)) / (ends - begins)) / sum)
  }
}
