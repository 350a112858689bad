import type { DayClass, ProjectCalendar } from './calendar.ts'
import type { CivilDay } from './civil-time.ts'
import { dayOfMonth, parseDate, parseTime, weekdayOf } from './civil-time.ts'
import type { Period, Schedule, SkipNext, SunPoint, TimerAction, TimerPoint } from './timer.ts'

/** A point with its wall time parsed: seconds after midnight, or by the sun. */
export interface PlannedPoint {
  readonly pointNo: number
  readonly action: TimerAction
  readonly time: number | SunPoint
}

/** A schedule whose texts are parsed once, for many dates. Parts that cannot be parsed never act: whoever saves is refused them. */
export interface CompiledSchedule {
  readonly points: readonly PlannedPoint[]
  readonly exceptions: readonly { readonly from: CivilDay; readonly to: CivilDay; readonly points: readonly PlannedPoint[] }[]
  readonly fromDay: CivilDay
  readonly toDay: CivilDay
  /** No date outside these can be due; infinite: no bound. */
  readonly firstDay: CivilDay
  readonly lastDay: CivilDay
  readonly matches: (day: CivilDay, classOf: () => DayClass) => boolean
  readonly skipNext: SkipNext | null
}

/** Why nothing is due on a date, or which points are. */
export type DayPlan =
  | { readonly due: true; readonly by: 'period' | 'exception'; readonly points: readonly PlannedPoint[] }
  | { readonly due: false; readonly why: 'beforeFrom' | 'afterTo' | 'exception' | 'period' }

export function compileSchedule({ period, points, exceptions, skipNext }: Schedule): CompiledSchedule {
  const fromDay = bound(period.fromDate, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
  const toDay = bound(period.toDate, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY)
  return {
    points: planned(points),
    // The one date of a timer that acts once is its own exception.
    exceptions: (period.type === 'once' ? [] : exceptions).map((each) => ({
      from: parseDate(each.fromDate) ?? Number.POSITIVE_INFINITY,
      to: parseDate(each.toDate) ?? Number.NEGATIVE_INFINITY,
      points: each.points === 'none' ? [] : planned(each.points),
    })),
    fromDay,
    toDay,
    firstDay: period.type === 'once' ? Math.max(fromDay, parseDate(period.date) ?? Number.POSITIVE_INFINITY) : fromDay,
    lastDay: period.type === 'once' ? Math.min(toDay, parseDate(period.date) ?? Number.NEGATIVE_INFINITY) : toDay,
    matches: periodMatcher(period),
    skipNext,
  }
}

const bound = (date: string | null, none: number, wrong: number): number => (date === null ? none : (parseDate(date) ?? wrong))

const planned = (points: readonly TimerPoint[]): readonly PlannedPoint[] =>
  points.flatMap(({ pointNo, action, at }) => {
    const time = typeof at === 'string' ? parseTime(at) : at
    return time === null ? [] : [{ pointNo, action, time }]
  })

function periodMatcher(period: Period): CompiledSchedule['matches'] {
  switch (period.type) {
    case 'once': {
      const once = parseDate(period.date)
      return (day) => day === once
    }
    case 'calendar': {
      const classes = new Set(period.classes)
      return (_day, classOf) => classes.has(classOf())
    }
    case 'monthly': {
      const days = new Set(period.days)
      const wantsLast = days.has(-1)
      return (day) => days.has(dayOfMonth(day)) || (wantsLast && dayOfMonth(day + 1) === 1)
    }
    default:
      return (day) => (period.days & (1 << weekdayOf(day))) !== 0
  }
}

/** What a schedule does on a date: the one decision behind due rows, previews, conflicts and "why not". Exceptions go before the period. */
export function planOfDay(schedule: CompiledSchedule, calendar: ProjectCalendar, day: CivilDay): DayPlan {
  if (day < schedule.fromDay) return { due: false, why: 'beforeFrom' }
  if (day > schedule.toDay) return { due: false, why: 'afterTo' }
  for (const { from, to, points } of schedule.exceptions)
    if (day >= from && day <= to)
      return points.length === 0 ? { due: false, why: 'exception' } : { due: true, by: 'exception', points }
  if (!schedule.matches(day, () => calendar.classOf(day).class)) return { due: false, why: 'period' }
  return { due: true, by: 'period', points: schedule.points }
}
