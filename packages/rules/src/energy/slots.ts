import { dayMs, minuteMs } from '@linewarden/equipment'
import type { CivilDay, CivilZone } from '../automation/civil-time.ts'

/** All energy, cost, demand and carbon are made of quarters of an hour (刻). */
export const quarterMs = 15 * minuteMs
export const quartersOfClock = dayMs / quarterMs

/** The first quarter that begins at this instant or after it. */
const quarterFrom = (at: number): number => Math.ceil(at / quarterMs) * quarterMs
/** The beginning of the quarter that an instant lies in. */
export const quarterOf = (at: number): number => Math.floor(at / quarterMs) * quarterMs

/** Where a civil date begins, Unix ms; of a date that the zone never had, where the next one begins. */
export function startOfDay(zone: CivilZone, day: CivilDay): number {
  // No zone left out two dates in a row.
  const begins = zone.resolve(day, 0) ?? zone.resolve(day + 1, 0)
  if (begins === null) throw new RangeError(`${zone.timeZone} has no day ${day}`)
  return quarterFrom(begins.at)
}

const slots = new WeakMap<CivilZone, Map<CivilDay, readonly number[]>>()
const maxDays = 5_000

/**
 * The starts of the quarters of a civil date, Unix ms, contiguous: 96 of them; 92 or 100 where clocks change by an hour, 94 or 98 by half an
 * hour, none of a date that the zone never had. Since 1972 offsets are whole quarters, so civil quarters are quarters of UTC (IANA tz).
 */
export function slotsOfDay(zone: CivilZone, day: CivilDay): readonly number[] {
  const ofZone = slots.get(zone) ?? new Map<CivilDay, readonly number[]>()
  slots.set(zone, ofZone)
  const known = ofZone.get(day)
  if (known) return known
  const [from, to] = [startOfDay(zone, day), startOfDay(zone, day + 1)]
  const made = Array.from({ length: (to - from) / quarterMs }, (_, index) => from + index * quarterMs)
  if (ofZone.size >= maxDays) ofZone.clear()
  ofZone.set(day, made)
  return made
}

/** Which of the 96 quarters the clock shows when a quarter begins; both passes of a repeated hour show the same. */
export function clockQuarterOf(zone: CivilZone, slot: number): number {
  const wall = zone.wallAt(slot)
  return Math.floor((((wall % dayMs) + dayMs) % dayMs) / quarterMs)
}
