import type { CivilDay, CivilZone } from '../automation/civil-time.ts'
import { monthStart, nextMonthStart, nextYearStart, yearStart } from './periods.ts'
import { quarterMs, slotsOfDay, startOfDay } from './slots.ts'

/** A piece of a range that is stored as one figure; a run of quarters is of one date. */
export type CoverPiece =
  | { readonly level: 'year' | 'month' | 'day'; readonly start: CivilDay }
  | { readonly level: 'quarters'; readonly day: CivilDay; readonly from: number; readonly to: number }

/**
 * The fewest stored figures that make up `[from, to)`, both on quarters, Unix ms: whole years, months and days, and the quarters at the ends.
 * In order, contiguous, and none overlaps another.
 */
export function coverOf(zone: CivilZone, from: number, to: number): readonly CoverPiece[] {
  if (from % quarterMs !== 0 || to % quarterMs !== 0) throw new RangeError('A range of energy begins and ends on a quarter')
  const pieces: CoverPiece[] = []
  let at = from
  while (at < to) {
    const day = dayOfSlot(zone, at)
    const begins = startOfDay(zone, day)
    const isWhole = (end: CivilDay) => at === begins && startOfDay(zone, end) <= to
    const whole =
      day === yearStart(day) && isWhole(nextYearStart(day))
        ? ({ level: 'year', end: nextYearStart(day) } as const)
        : day === monthStart(day) && isWhole(nextMonthStart(day))
          ? ({ level: 'month', end: nextMonthStart(day) } as const)
          : isWhole(day + 1)
            ? ({ level: 'day', end: day + 1 } as const)
            : null
    if (whole) {
      pieces.push({ level: whole.level, start: day })
      at = startOfDay(zone, whole.end)
    } else {
      const until = Math.min(to, startOfDay(zone, day + 1))
      pieces.push({ level: 'quarters', day, from: at, to: until })
      at = until
    }
  }
  return pieces
}

/** The date whose quarters a quarter is one of: where clocks fall back over midnight, the later one. */
export function dayOfSlot(zone: CivilZone, slot: number): CivilDay {
  const day = zone.dayAt(slot)
  if (slot >= startOfDay(zone, day + 1)) return day + 1
  return slot < startOfDay(zone, day) ? day - 1 : day
}

/** Which of its date's quarters a quarter is, from 0. */
export const indexOfSlot = (zone: CivilZone, day: CivilDay, slot: number): number =>
  (slot - (slotsOfDay(zone, day)[0] ?? slot)) / quarterMs
