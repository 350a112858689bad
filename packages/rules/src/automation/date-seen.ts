import type { ClassOfDay } from './calendar.ts'
import { civilZone, dateText, weekdayOf } from './civil-time.ts'
import type { ProjectTime } from './occurrences.ts'

/** The date of an instant as the timers of a project see it. */
export interface DateSeen {
  readonly date: string
  /** 0 Monday to 6 Sunday. */
  readonly weekday: number
  readonly classOfDay: ClassOfDay
}

export function dateSeen({ timeZone, calendar }: Pick<ProjectTime, 'timeZone' | 'calendar'>, at: number): DateSeen {
  const day = civilZone(timeZone).dayAt(at)
  return { date: dateText(day), weekday: weekdayOf(day), classOfDay: calendar.classOf(day) }
}
