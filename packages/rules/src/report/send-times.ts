import type { CivilDay, CivilZone } from '../automation/civil-time.ts'
import { dayOfMonth, weekdayOf } from '../automation/civil-time.ts'

/** When reports are sent, as cron says it: minutes, hours, days of the month, months, days of the week. */
export interface Cron {
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly days: ReadonlySet<number>
  readonly months: ReadonlySet<number>
  /** 0 Sunday to 6 Saturday. */
  readonly weekdays: ReadonlySet<number>
  /** Where a date or a weekday is named, a day is one of either; where both are, one of them is enough (crontab(5)). */
  readonly anyDay: boolean
  readonly anyWeekday: boolean
}

const bounds = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const

/** The five fields of a crontab, with `*`, lists, ranges and steps; null of anything else. */
export function parseCron(text: string): Cron | null {
  const fields = text.trim().split(/\s+/)
  if (fields.length !== bounds.length) return null
  const [minutes, hours, days, months, weekdays] = bounds.map(([min, max], place) => valuesOf(fields[place] ?? '', min, max))
  if (!minutes || !hours || !days || !months || !weekdays) return null
  return {
    ...{ minutes, hours, days: new Set(days), months: new Set(months) },
    // 7 is Sunday too.
    weekdays: new Set(weekdays.map((each) => each % 7)),
    ...{ anyDay: fields[2] === '*', anyWeekday: fields[4] === '*' },
  }
}

/** In rising order; null: it is no such field. */
function valuesOf(field: string, min: number, max: number): readonly number[] | null {
  const found = new Set<number>()
  for (const part of field.split(',')) {
    const match = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part)
    if (!match) return null
    const [, first, last, step] = match
    const from = first === undefined ? min : Number(first)
    const to = last !== undefined ? Number(last) : first === undefined || step !== undefined ? max : from
    const by = step === undefined ? 1 : Number(step)
    if (from < min || to > max || from > to || by === 0) return null
    for (let value = from; value <= to; value += by) found.add(value)
  }
  return [...found].sort((one, other) => one - other)
}

/** 29 February comes after eight years at the latest, as around 2100. */
const horizonDays = 8 * 366 + 2
/** A gap moves a due time to a later date by no more than a day. */
const marginDays = 1

/**
 * The next instants after `after` at which it is due, Unix ms, `count` of them; fewer where it comes to no more within eight years. A time that the
 * clock skips is due at the first instant after the gap, one that it shows twice at the first: the rule of timers.
 */
export function sendTimesAfter(cron: Cron, zone: CivilZone, after: number, count: number): readonly number[] {
  const found: number[] = []
  const today = zone.dayAt(after)
  for (let day = today - marginDays; day < today + horizonDays && found.length < count; day++) {
    if (!isOn(cron, day)) continue
    for (const at of instantsOf(cron, zone, day))
      if (at > after && at > (found.at(-1) ?? 0) && found.length < count) found.push(at)
  }
  return found
}

/** Those after `after` and up to `upTo`, but of more than `most` the newest. */
export function sendTimesBetween(cron: Cron, zone: CivilZone, after: number, upTo: number, most: number): readonly number[] {
  const found: number[] = []
  for (let day = zone.dayAt(upTo); day >= zone.dayAt(after) - marginDays && found.length < most; day--) {
    if (!isOn(cron, day)) continue
    for (const at of instantsOf(cron, zone, day).toReversed())
      if (at > after && at <= upTo && !found.includes(at) && found.length < most) found.push(at)
  }
  return found.toSorted((one, other) => one - other)
}

function isOn({ days, months, weekdays, anyDay, anyWeekday }: Cron, day: CivilDay): boolean {
  const date = new Date(day * 86_400_000)
  if (!months.has(date.getUTCMonth() + 1)) return false
  const onDay = days.has(dayOfMonth(day))
  const onWeekday = weekdays.has((weekdayOf(day) + 1) % 7)
  if (anyDay) return onWeekday
  return anyWeekday ? onDay : onDay || onWeekday
}

const instantsOf = ({ hours, minutes }: Cron, zone: CivilZone, day: CivilDay): readonly number[] =>
  hours
    .flatMap((hour) => minutes.flatMap((minute) => zone.resolve(day, hour * 3_600 + minute * 60)?.at ?? []))
    .sort((one, other) => one - other)
