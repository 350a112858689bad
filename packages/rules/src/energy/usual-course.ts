import { How } from './quarters.ts'
import { quartersOfClock } from './slots.ts'

/** One past day of a line. */
export interface PastDay {
  /** Wh by quarter of the date; null: missing. */
  readonly wh: readonly (number | null)[]
  /** `How` of each. */
  readonly how: Uint8Array
  /** Which quarter the clock showed at each. */
  readonly clockQuarters: readonly number[]
}

/** A course is usual from so many days on, each measured for so much of it. */
const minDays = 2
const minMeasuredShare = 0.95

/**
 * The usual Wh of each of the 96 quarters of the clock: the median of days of the same type, of the four weeks before a silence. Null: too few of
 * them were measured, or a quarter of none.
 */
export function usualDay(days: readonly PastDay[]): readonly number[] | null {
  const good = days.filter(({ how }) => {
    const measured = how.reduce((count, each) => count + (each === How.measured ? 1 : 0), 0)
    return how.length > 0 && measured >= minMeasuredShare * how.length
  })
  if (good.length < minDays) return null
  const values: number[][] = Array.from({ length: quartersOfClock }, () => [])
  for (const { wh, how, clockQuarters } of good)
    for (const [index, each] of wh.entries()) {
      const clock = clockQuarters[index]
      if (each !== null && clock !== undefined && how[index] === How.measured) values[clock]?.push(each)
    }
  const medians = values.map(medianOf)
  return medians.every((each) => each !== null) ? medians : null
}

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}
