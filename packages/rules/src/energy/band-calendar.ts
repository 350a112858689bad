import type { ProjectCalendar } from '../automation/calendar.ts'
import type { CivilDay, CivilZone } from '../automation/civil-time.ts'
import { dateText, weekdayOf, yearOf } from '../automation/civil-time.ts'
import { clockQuarterOf, slotsOfDay } from './slots.ts'

export const dayTypes = ['workday', 'saturday', 'sunday', 'holiday', 'makeUpWorkday'] as const
/** What a date is to a tariff; `makeUpWorkday` is a weekend worked (调休上班). */
export type DayType = (typeof dayTypes)[number]

/** A season of each year, both dates `MM-DD` included; one that ends before it begins goes over the new year. */
export interface Season {
  readonly from: string
  readonly to: string
}

/** Which band each of the 96 quarters of the clock is in, by the type of the date: indices of the tariff's bands. */
export type BandsOfDayTypes = Readonly<Record<DayType, readonly number[]>>

/** When which band applies: for each season its days. */
export interface BandCalendar {
  readonly seasons: readonly Season[]
  readonly map: readonly BandsOfDayTypes[]
}

/**
 * The public holidays and make-up workdays that a tariff goes by. It must be made of what the state arranged alone: days that a project or its owner
 * entered for their timers move no price.
 */
export type PublicCalendar = Pick<ProjectCalendar, 'classOf' | 'hasYear'>

const saturday = 5

/** A date whose year is not entered is a plain day of the week: see `isPricedByWeekday`. */
export function dayTypeOf(calendar: PublicCalendar, day: CivilDay): DayType {
  const weekday = weekdayOf(day)
  switch (calendar.classOf(day).class) {
    case 'holiday':
      return 'holiday'
    case 'workday':
      return weekday < saturday ? 'workday' : 'makeUpWorkday'
    case 'restday':
      return weekday === saturday ? 'saturday' : 'sunday'
    default:
      return weekday < saturday ? 'workday' : weekday === saturday ? 'saturday' : 'sunday'
  }
}

/** Whether nobody entered the holidays of the year, which a page must name. */
export const isPricedByWeekday = (calendar: PublicCalendar, day: CivilDay): boolean => !calendar.hasYear(yearOf(day))

/** Which season a date `MM-DD` lies in; null: in none. */
export function seasonOf(seasons: readonly Season[], monthDay: string): number | null {
  const found = seasons.findIndex(({ from, to }) =>
    from <= to ? from <= monthDay && monthDay <= to : monthDay >= from || monthDay <= to,
  )
  return found < 0 ? null : found
}

/**
 * The band of each quarter of a date by the clock of the project's zone, in the order of `slotsOfDay`: in a repeated hour both passes have the band of
 * their clock time. Null: the calendar names none.
 */
export function bandsOfDay(
  calendar: BandCalendar,
  holidays: PublicCalendar,
  zone: CivilZone,
  day: CivilDay,
): readonly (number | null)[] {
  const season = seasonOf(calendar.seasons, dateText(day).slice(5))
  const bands = season === null ? undefined : calendar.map[season]?.[dayTypeOf(holidays, day)]
  return slotsOfDay(zone, day).map((slot) => bands?.[clockQuarterOf(zone, slot)] ?? null)
}
