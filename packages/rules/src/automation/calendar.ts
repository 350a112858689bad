import type { CivilDay } from './civil-time.ts'
import { parseDate, weekdayOf, yearOf } from './civil-time.ts'

export const dayClasses = ['workday', 'restday', 'holiday', 'special'] as const
export type DayClass = (typeof dayClasses)[number]

/** One date with its class. A Saturday can be a workday: Chinese years have make-up workdays. */
export interface CalendarDay {
  readonly date: string
  readonly class: DayClass
  readonly name: string
  readonly origin: 'bundle' | 'import' | 'person'
  /** The state arranged it: tariffs go by it, too. Those that come with the product always are. */
  readonly isPublic?: boolean
}

/** Which class a date has, and why. */
export interface ClassOfDay {
  readonly class: DayClass
  /** Who decided it. */
  readonly by: 'project' | 'owner' | 'bundle' | 'week'
  /** The name of the day; null of plain days of the week. */
  readonly name: string | null
}

/** The calendar of one project. */
export interface ProjectCalendar {
  classOf(day: CivilDay): ClassOfDay
  /** Whether any day of a year is entered. */
  hasYear(year: number): boolean
}

/** Entries of a calendar by who made them; a date that is twice in one list has the class of its last entry. */
export interface CalendarSources {
  readonly project?: readonly CalendarDay[]
  readonly owner?: readonly CalendarDay[]
  readonly bundle?: readonly CalendarDay[]
}

const plainWorkday: ClassOfDay = { class: 'workday', by: 'week', name: null }
const plainRestday: ClassOfDay = { class: 'restday', by: 'week', name: null }

/** What the state arranged, of all that is entered: days that somebody entered for timers alone move no price. */
export function createPublicCalendar({ project = [], owner = [], bundle = [] }: CalendarSources): ProjectCalendar {
  const isPublic = (day: CalendarDay) => day.isPublic === true
  return createCalendar({ project: project.filter(isPublic), owner: owner.filter(isPublic), bundle })
}

/** Classes that a day of the state can have: a holiday, or a weekend worked for one. */
export const isPublicClass = (dayClass: DayClass): boolean => dayClass === 'holiday' || dayClass === 'workday'

/** What the project enters goes before what its owner does, that before the bundle, and that before Monday to Friday. */
export function createCalendar(sources: CalendarSources): ProjectCalendar {
  const days = new Map<CivilDay, ClassOfDay>()
  const years = new Set<number>()
  for (const by of ['bundle', 'owner', 'project'] as const)
    for (const { date, class: dayClass, name } of sources[by] ?? []) {
      const day = parseDate(date)
      if (day === null) continue
      days.set(day, { class: dayClass, by, name })
      years.add(yearOf(day))
    }
  return {
    classOf: (day) => days.get(day) ?? (weekdayOf(day) < 5 ? plainWorkday : plainRestday),
    hasYear: (year) => years.has(year),
  }
}

/** So long before a year begins its days should be entered. */
export const maintainDaysAhead = 60

/** The years, this one and the one that begins soon, of which no day is entered: their holidays are taken for plain days of the week. */
export function unmaintainedYears(calendar: ProjectCalendar, today: CivilDay): readonly number[] {
  const years = new Set([yearOf(today), yearOf(today + maintainDaysAhead)])
  return [...years].filter((year) => !calendar.hasYear(year))
}
