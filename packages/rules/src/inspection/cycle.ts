import { dayMs } from '@linewarden/equipment'
import type { CivilDay, CivilZone } from '../automation/civil-time.ts'
import type { CountedFrom, CycleUnit } from './plan.ts'

/** How often a round is due. */
export interface Cycle {
  readonly every: number
  readonly unit: CycleUnit
}

/** The shortest that a cycle can be, in days: a window lies within it. */
const shortestDays: Readonly<Record<CycleUnit, number>> = { day: 1, week: 7, month: 28, year: 365 }
export const shortestCycleDays = ({ every, unit }: Cycle): number => every * shortestDays[unit]

/** So many cycles after a date. The last day of a month stands for days that the month has not; each is counted from the first, so that none drifts. */
export function cyclesAfter(first: CivilDay, { every, unit }: Cycle, times: number): CivilDay {
  if (unit === 'day') return first + times * every
  if (unit === 'week') return first + 7 * times * every
  const date = new Date(first * dayMs)
  const months = date.getUTCMonth() + times * every * (unit === 'year' ? 12 : 1)
  const last = Date.UTC(date.getUTCFullYear(), months + 1, 0) / dayMs
  return Math.min(Date.UTC(date.getUTCFullYear(), months, 1) / dayMs + date.getUTCDate() - 1, last)
}

/** The first date of a series that lies after a day. */
export function dueAfter(first: CivilDay, cycle: Cycle, after: CivilDay): CivilDay {
  if (first > after) return first
  let times = Math.max(1, Math.floor((after - first) / maxCycleDays(cycle)))
  while (cyclesAfter(first, cycle, times) <= after) times++
  return cyclesAfter(first, cycle, times)
}

const maxDays: Readonly<Record<CycleUnit, number>> = { day: 1, week: 7, month: 31, year: 366 }
const maxCycleDays = ({ every, unit }: Cycle): number => every * maxDays[unit]

/** What of a plan its due dates follow from. */
export interface PlanDates {
  readonly firstDue: CivilDay
  readonly cycle: Cycle
  readonly countsFrom: CountedFrom
}

/** What of its rounds they follow from. */
export interface RoundsSoFar {
  /** Due dates up to this one have their rounds, or came before the plan; null: none. */
  readonly madeUpTo: CivilDay | null
  /** The newest round with a due date. `missed`: it lapsed, or was abandoned. */
  readonly newestDue: { readonly day: CivilDay; readonly stage: 'open' | 'done' | 'missed' } | null
  /** The local date on which a round of the plan was finished last, with a due date or between them. */
  readonly completedOn: CivilDay | null
}

/**
 * The next due date that has no round yet. By the plan it is the next of its series, however early or late rounds are done; by completion it is
 * a cycle after the last one was finished, and a cycle after its due date where that was missed. Null: one is open, and the next is counted from its completion.
 */
export function nextDue(
  { firstDue, cycle, countsFrom }: PlanDates,
  { madeUpTo, newestDue, completedOn }: RoundsSoFar,
): CivilDay | null {
  const never = Number.NEGATIVE_INFINITY
  const after = Math.max(madeUpTo ?? never, newestDue?.day ?? never)
  if (countsFrom === 'plan') return dueAfter(firstDue, cycle, after)
  if (newestDue?.stage === 'open') return null
  const from = Math.max(completedOn ?? never, newestDue?.stage === 'missed' ? newestDue.day : never)
  const next = from === never ? firstDue : cyclesAfter(from, cycle, 1)
  return next > after ? next : dueAfter(next, cycle, after)
}

/** Days around a due date in which its round is done. */
export interface WindowDays {
  readonly before: number
  readonly after: number
}

/** An online round walks by itself, before people begin to work. */
const onlineSecond = 5 * 3_600

/** When the round of a due date is made, and when it lapses unless it was started; Unix ms. */
export function windowOf(
  day: CivilDay,
  { before, after }: WindowDays,
  zone: CivilZone,
  isOnline: boolean,
): { readonly opensAt: number; readonly lapsesAt: number } {
  const startOf = (each: CivilDay, second = 0): number =>
    zone.resolve(each, second)?.at ?? zone.resolve(each + 1, 0)?.at ?? each * dayMs
  return { opensAt: isOnline ? startOf(day, onlineSecond) : startOf(day - before), lapsesAt: startOf(day + after + 1) }
}
