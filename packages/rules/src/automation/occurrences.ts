import { dayMs, minuteMs } from '@linewarden/equipment'
import type { ProjectCalendar } from './calendar.ts'
import type { CivilDay, CivilZone } from './civil-time.ts'
import { civilZone, dateText } from './civil-time.ts'
import type { CompiledSchedule, PlannedPoint } from './day-plan.ts'
import { compileSchedule, planOfDay } from './day-plan.ts'
import type { GeoPosition } from './sun.ts'
import { sunTime } from './sun.ts'
import type { Schedule, TimerAction } from './timer.ts'
import { isSkipped } from './timer.ts'

/** Where and by which days a project's timers act. */
export interface ProjectTime {
  readonly timeZone: string
  readonly calendar: ProjectCalendar
  /** Null: not entered, and then no point by the sun acts. */
  readonly position: GeoPosition | null
}

/** One instant at which a timer is due, and what becomes of it before any order. */
export interface Occurrence {
  /** Unix ms. */
  readonly at: number
  readonly pointNo: number
  readonly action: TimerAction
  /** The local date it belongs to; a point by the sun may act after midnight. */
  readonly date: string
  /** `gap`: the wall clock skips the time that was set; `overlap`: it shows it twice, and this is the first. */
  readonly clock: 'plain' | 'gap' | 'overlap'
  /** `skipOnce`: a person skipped it. `noSun`: the sun does not rise or set on this date; it is due at noon and nothing is done. */
  readonly skip: 'skipOnce' | 'noSun' | null
  /** Points that fall on the same instant and are not done: each is logged as merged. */
  readonly merged: readonly { readonly pointNo: number; readonly date: string }[]
}

/** A gap of a whole day, and the sun, move a point by no more than this from the date it belongs to. */
const marginDays = 2
const daySeconds = 86_400
const noonSecond = 43_200

/**
 * When a timer is due from `from` on and before `to`, strictly rising. The only source of due rows, next runs, previews and conflicts. Cutting
 * the window anywhere gives the same.
 */
export function occurrences(schedule: Schedule, time: ProjectTime, from: number, to: number): readonly Occurrence[] {
  return dueWithin(compileSchedule(schedule), time, civilZone(time.timeZone), from, to)
}

/** How far a next or last run is looked for, from the first date of the timer on. What lies further comes nearer night by night. */
export const horizonDays = 366

/** The next runs after an instant, `count` of them, those that are skipped left out; fewer when the horizon has fewer. */
export const nextRuns = (schedule: Schedule, time: ProjectTime, after: number, count: number): readonly Occurrence[] =>
  firstAfter(schedule, time, after, count, ({ skip }) => skip === null)

/** The same with those that are skipped among them. */
export const nextDues = (schedule: Schedule, time: ProjectTime, after: number, count: number): readonly Occurrence[] =>
  firstAfter(schedule, time, after, count, () => true)

function firstAfter(
  schedule: Schedule,
  time: ProjectTime,
  after: number,
  count: number,
  counts: (each: Occurrence) => boolean,
): readonly Occurrence[] {
  const found: Occurrence[] = []
  for (const each of dueAfter(schedule, time, after, count + marginDays)) {
    if (found.length >= count) break
    if (counts(each)) found.push(each)
  }
  return found
}

/** The next due row after an instant, skipped or not; null: nothing within the horizon. */
export function nextDue(schedule: Schedule, time: ProjectTime, after: number): Occurrence | null {
  for (const each of dueAfter(schedule, time, after)) return each
  return null
}

/** `days`: how far is looked first; twice as far each time. */
function* dueAfter(schedule: Schedule, time: ProjectTime, after: number, days = 4): Generator<Occurrence> {
  const compiled = compileSchedule(schedule)
  const zone = civilZone(time.timeZone)
  let from = Math.max(after + 1, Number.isFinite(compiled.firstDay) ? (compiled.firstDay - marginDays) * dayMs : after + 1)
  const end = Math.min(from + horizonDays * dayMs, (compiled.lastDay + marginDays) * dayMs)
  for (let ahead = days; from < end; ahead *= 2) {
    const to = Math.min(from + ahead * dayMs, end)
    yield* dueWithin(compiled, time, zone, from, to)
    from = to
  }
}

/** The last due instant at or before this one, skipped or not; null: none within the horizon. */
export function lastDue(schedule: Schedule, time: ProjectTime, upTo: number): Occurrence | null {
  const compiled = compileSchedule(schedule)
  const zone = civilZone(time.timeZone)
  let to = Math.min(upTo + 1, Number.isFinite(compiled.lastDay) ? (compiled.lastDay + marginDays) * dayMs : upTo + 1)
  const end = Math.max(to - horizonDays * dayMs, (compiled.firstDay - marginDays) * dayMs)
  for (let days = 4; to > end; days *= 2) {
    const from = Math.max(to - days * dayMs, end)
    const last = dueWithin(compiled, time, zone, from, to).at(-1)
    if (last) return last
    to = from
  }
  return null
}

interface Due extends Occurrence {
  readonly day: CivilDay
  /** On the wall clock, counted from the beginning of `day`. */
  readonly second: number
}

/** The same of a schedule whose texts are parsed already. */
export function dueWithin(
  schedule: CompiledSchedule,
  time: ProjectTime,
  zone: CivilZone,
  from: number,
  to: number,
): readonly Occurrence[] {
  if (!(from < to)) return []
  const found: Due[] = []
  const first = Math.max(zone.dayAt(from) - marginDays, schedule.firstDay)
  const last = Math.min(zone.dayAt(to) + marginDays, schedule.lastDay)
  for (let day = first; day <= last; day++) {
    const plan = planOfDay(schedule, time.calendar, day)
    if (!plan.due) continue
    for (const point of plan.points) {
      const due = dueAt(schedule, point, day, zone, time.position)
      if (due !== null && due.at >= from && due.at < to) found.push(due)
    }
  }
  return mergeSameInstant(found.sort(byInstant))
}

function dueAt(
  { skipNext }: CompiledSchedule,
  { pointNo, action, time }: PlannedPoint,
  day: CivilDay,
  zone: CivilZone,
  position: GeoPosition | null,
): Due | null {
  const due = (at: number, second: number, clock: Due['clock'], noSun = false): Due => {
    const skip = noSun ? 'noSun' : isSkipped(skipNext, at) ? 'skipOnce' : null
    return { at, pointNo, action, date: '', clock, skip, merged: [], day, second }
  }
  if (typeof time === 'number') {
    const resolved = zone.resolve(day, time)
    return resolved && due(resolved.at, time, resolved.clock)
  }
  const noon = position && zone.resolve(day, noonSecond)
  if (!position || !noon) return null
  const sun = sunTime(time.sun, position, noon.at)
  if (sun !== null) {
    const at = sun + time.offsetMin * minuteMs
    return due(at, zone.wallAt(at) / 1_000 - day * daySeconds, 'plain')
  }
  // The run that is logged as skipped needs an instant of its own.
  return due(noon.at + pointNo * 1_000, noonSecond + pointNo, 'plain', true)
}

/** Of one instant the one that is done comes last: skipped ones first, then by the wall clock, and a trip after anything else. */
const byInstant = (one: Due, other: Due): number =>
  one.at - other.at ||
  Number(one.skip !== 'noSun') - Number(other.skip !== 'noSun') ||
  wallOf(one) - wallOf(other) ||
  Number(one.action === 'trip') - Number(other.action === 'trip') ||
  one.pointNo - other.pointNo

const wallOf = ({ day, second }: Due): number => day * daySeconds + second

function mergeSameInstant(sorted: readonly Due[]): readonly Occurrence[] {
  const kept: Occurrence[] = []
  let merged: Due[] = []
  sorted.forEach((due, index) => {
    if (sorted[index + 1]?.at === due.at) {
      merged.push(due)
      return
    }
    const { day, second, ...occurrence } = due
    kept.push({
      ...occurrence,
      date: dateText(day),
      merged: merged.map((each) => ({ pointNo: each.pointNo, date: dateText(each.day) })),
    })
    merged = []
  })
  return kept
}
