import { dayMs, minuteMs } from '@linewarden/equipment'
import type { CivilDay } from './civil-time.ts'
import { civilZone, dateText } from './civil-time.ts'
import type { DateSeen } from './date-seen.ts'
import { dateSeen } from './date-seen.ts'
import { compileSchedule, planOfDay } from './day-plan.ts'
import type { Occurrence, ProjectTime } from './occurrences.ts'
import { occurrences } from './occurrences.ts'
import type { Schedule } from './timer.ts'

/** Why a timer does nothing at an instant, by its definition as it is now; or that it is due, and its run is the answer. */
export type WhyNot =
  | ({ readonly why: 'due'; readonly occurrence: Occurrence } & DateSeen)
  | ({ readonly why: 'disabled' | 'beforeFrom' | 'afterTo' | 'exception' | 'period' } & DateSeen)
  /** It acts on this date, at other times: the last before and the next after the instant, of the date. */
  | ({ readonly why: 'noPoint'; readonly before: Occurrence | null; readonly after: Occurrence | null } & DateSeen)

/** Answers "why did nothing happen at this instant?" from the same decision that makes due rows. Runs that were stored are asked for first. */
export function whyNot(schedule: Schedule, time: ProjectTime, enabled: boolean, at: number): WhyNot {
  const day = civilZone(time.timeZone).dayAt(at)
  const seen = dateSeen(time, at)
  if (!enabled) return { why: 'disabled', ...seen }
  // Whoever asks for 08:00 means that minute.
  const minute = Math.floor(at / minuteMs) * minuteMs
  const due = occurrences(schedule, time, minute, minute + minuteMs)[0]
  if (due) return { why: 'due', occurrence: due, ...seen }
  const plan = planOfDay(compileSchedule(schedule), time.calendar, day)
  if (!plan.due) return { why: plan.why, ...seen }
  const ofDate = dueOnDate(schedule, time, day)
  return {
    why: 'noPoint',
    before: ofDate.findLast((each) => each.at < minute) ?? null,
    after: ofDate.find((each) => each.at >= minute) ?? null,
    ...seen,
  }
}

function dueOnDate(schedule: Schedule, time: ProjectTime, day: CivilDay): readonly Occurrence[] {
  const begin = civilZone(time.timeZone).resolve(day, 0)?.at
  if (begin === undefined) return []
  const date = dateText(day)
  return occurrences(schedule, time, begin - dayMs, begin + 3 * dayMs).filter((each) => each.date === date)
}
