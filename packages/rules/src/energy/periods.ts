import { dayMs, hourMs } from '@linewarden/equipment'
import type { CivilDay, CivilZone } from '../automation/civil-time.ts'
import { dateText, parseDate, yearOf } from '../automation/civil-time.ts'
import { clockQuarterOf, quarterMs, slotsOfDay, startOfDay } from './slots.ts'

export const energyUnits = ['hour', 'day', 'month', 'year'] as const
export type EnergyUnit = (typeof energyUnits)[number]

/** Bars of one picture at most. */
export const maxEnergyBars = 400
/** Civil days of one question at most: ten years with their leap days. */
export const maxEnergyDays = 3_653

/** One bar of a picture, in the project's zone. */
export interface EnergyBar {
  /** `2026-03-29 02:00`, `2026-03-29`, `2026-03` or `2026`. */
  readonly civil: string
  /** Unix ms, `end` not included; equal for what the zone left out. */
  readonly start: number
  readonly end: number
  /**
   * `skipped`: the clock never showed it, which is no gap. `first` and `second`: it showed the hour twice, first in the older offset and
   * then in the newer one.
   */
  readonly clock: 'plain' | 'first' | 'second' | 'skipped'
  /** Offset from UTC where it begins, ms. */
  readonly offsetMs: number
}

/** The first of a month, by the number of months since 1970-01. */
const firstOfMonth = (months: number): CivilDay => Date.UTC(1970, months, 1) / dayMs
/** Months since 1970-01 of a date. */
export const monthsOf = (day: CivilDay): number => (yearOf(day) - 1970) * 12 + new Date(day * dayMs).getUTCMonth()
export const monthStart = (day: CivilDay): CivilDay => firstOfMonth(monthsOf(day))
export const nextMonthStart = (day: CivilDay): CivilDay => firstOfMonth(monthsOf(day) + 1)
export const yearStart = (day: CivilDay): CivilDay => Date.UTC(yearOf(day), 0, 1) / dayMs
export const nextYearStart = (day: CivilDay): CivilDay => Date.UTC(yearOf(day) + 1, 0, 1) / dayMs

/** Why a range cannot be asked for; null: it can. */
export type RangeProblem = 'notDates' | 'endsBeforeStart' | 'tooLong' | 'tooManyBars'

/** Checks a range of civil dates, `to` not included. */
export function rangeProblem(unit: EnergyUnit, from: string, to: string): RangeProblem | null {
  const [first, end] = [parseDate(from), parseDate(to)]
  if (first === null || end === null) return 'notDates'
  if (first >= end) return 'endsBeforeStart'
  if (end - first > maxEnergyDays) return 'tooLong'
  const bars = {
    // A day on which an hour repeats has one more.
    hour: (end - first) * 25,
    day: end - first,
    month: monthsOf(end - 1) - monthsOf(first) + 1,
    year: yearOf(end - 1) - yearOf(first) + 1,
  }[unit]
  return bars > maxEnergyBars ? 'tooManyBars' : null
}

/** The bars of the civil dates from `first` to before `end`: contiguous, the first and the last cut where the range cuts them. */
export function barsOf(zone: CivilZone, unit: EnergyUnit, first: CivilDay, end: CivilDay): readonly EnergyBar[] {
  const bars: EnergyBar[] = []
  for (let day = first; day < end; ) {
    if (unit === 'hour') {
      bars.push(...hoursOf(zone, day))
      day += 1
      continue
    }
    const next = Math.min(end, { day: day + 1, month: nextMonthStart(day), year: nextYearStart(day) }[unit])
    const [from, to] = [startOfDay(zone, day), startOfDay(zone, next)]
    const clock = from === to ? 'skipped' : 'plain'
    bars.push({ civil: civilText(unit, day), start: from, end: to, clock, offsetMs: zone.offsetMsAt(from) })
    day = next
  }
  return bars
}

const civilText = (unit: Exclude<EnergyUnit, 'hour'>, day: CivilDay): string =>
  dateText(day).slice(0, { day: 10, month: 7, year: 4 }[unit])

const quartersOfHour = hourMs / quarterMs

/** The hours of a date in the order of time, with an empty one where the clock skipped it. */
function hoursOf(zone: CivilZone, day: CivilDay): readonly EnergyBar[] {
  const bars: EnergyBar[] = []
  const hourText = (hour: number) => `${dateText(day)} ${String(hour).padStart(2, '0')}:00`
  let expected = 0
  let [hourBefore, offsetBefore] = [-1, 0]
  const skip = (upTo: number, at: number) => {
    for (; expected < upTo; expected++)
      bars.push({ civil: hourText(expected), start: at, end: at, clock: 'skipped', offsetMs: zone.offsetMsAt(at) })
  }
  for (const slot of slotsOfDay(zone, day)) {
    const hour = Math.floor(clockQuarterOf(zone, slot) / quartersOfHour)
    const offsetMs = zone.offsetMsAt(slot)
    const last = bars.at(-1)
    if (last && hourBefore === hour && offsetMs >= offsetBefore) {
      bars[bars.length - 1] = { ...last, end: slot + quarterMs }
    } else {
      skip(hour, slot)
      const earlier = bars.findIndex(({ civil, clock }) => civil === hourText(hour) && clock !== 'skipped')
      const first = bars[earlier]
      if (first) bars[earlier] = { ...first, clock: 'first' }
      bars.push({ civil: hourText(hour), start: slot, end: slot + quarterMs, clock: first ? 'second' : 'plain', offsetMs })
      expected = Math.max(expected, hour + 1)
    }
    hourBefore = hour
    offsetBefore = offsetMs
  }
  if (bars.length > 0) skip(24, startOfDay(zone, day + 1))
  return bars
}
