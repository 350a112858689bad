import { dayMs } from '@linewarden/equipment'

/** A local date as days since 1970-01-01, so that it can be counted and compared. */
export type CivilDay = number

/** No offset change moves the wall clock by more than a day; offsets themselves lie within 16 hours of UTC. */
const searchDays = 2

/** The civil time of one zone, as a schedule needs it. */
export interface CivilZone {
  readonly timeZone: string
  /** What the wall clock shows, in ms as if it were UTC. */
  wallAt(at: number): number
  /** The local date at this instant. */
  dayAt(at: number): CivilDay
  /** Offset from UTC at this instant, ms. */
  offsetMsAt(at: number): number
  /** The instant of a wall time on a date; see `ResolvedTime`. Null: the zone never had this date. */
  resolve(day: CivilDay, secondOfDay: number): ResolvedTime | null
}

/**
 * The earliest instant that shows the wall time, Unix ms. `gap`: no instant shows it, and `at` is the first one after the gap.
 * `overlap`: the wall clock shows it twice, and `at` is the first of both.
 */
export interface ResolvedTime {
  readonly at: number
  readonly clock: 'plain' | 'gap' | 'overlap'
}

const zones = new Map<string, CivilZone>()

/** The civil time of an IANA zone; the same object each time, so that each offset is asked for once. Throws RangeError of an unknown zone. */
export function civilZone(timeZone: string): CivilZone {
  const found = zones.get(timeZone)
  if (found) return found
  const made = createZone(timeZone)
  zones.set(timeZone, made)
  return made
}

/** From `start` on the zone is `offsetMs` from UTC; the wall clock moved by `offsetMs - beforeMs` then. */
interface Change {
  readonly start: number
  readonly beforeMs: number
  readonly offsetMs: number
}

function createZone(timeZone: string): CivilZone {
  const offsetAt = offsetReader(timeZone)
  /** By UTC day: the offset at its beginning, and the changes within it. */
  const offsets = new Map<number, number>()
  const changes = new Map<number, readonly Change[]>()
  const offsetAtDay = (utcDay: number): number => {
    const known = offsets.get(utcDay)
    if (known !== undefined) return known
    const made = offsetAt(utcDay * dayMs)
    offsets.set(utcDay, made)
    return made
  }
  const changesOf = (utcDay: number): readonly Change[] => {
    if (offsetAtDay(utcDay) === offsetAtDay(utcDay + 1)) return []
    const known = changes.get(utcDay)
    if (known) return known
    const made = findChanges(offsetAt, utcDay * dayMs, (utcDay + 1) * dayMs)
    changes.set(utcDay, made)
    return made
  }
  const offsetMsAt = (at: number): number => {
    const utcDay = Math.floor(at / dayMs)
    const change = changesOf(utcDay).findLast(({ start }) => start <= at)
    return change?.offsetMs ?? offsetAtDay(utcDay)
  }
  const wallAt = (at: number) => at + offsetMsAt(at)
  /** By date: the one offset of it and of the days around it; NaN when there are several. */
  const steady = new Map<CivilDay, number>()
  const steadyOffset = (day: CivilDay): number => {
    const known = steady.get(day)
    if (known !== undefined) return known
    let offset = offsetAtDay(day - searchDays)
    for (let utcDay = day - searchDays; utcDay < day + searchDays; utcDay++)
      if (offsetAtDay(utcDay + 1) !== offset) offset = Number.NaN
    steady.set(day, offset)
    return offset
  }
  return {
    timeZone,
    wallAt,
    offsetMsAt,
    dayAt: (at) => Math.floor(wallAt(at) / dayMs),
    resolve(day, secondOfDay) {
      const wall = day * dayMs + secondOfDay * 1_000
      const offset = steadyOffset(day)
      if (!Number.isNaN(offset)) return { at: wall - offset, clock: 'plain' }
      return resolveNearChange(day, wall, offsetAtDay(day - searchDays), nearChanges(day, changesOf))
    },
  }
}

const nearChanges = (day: CivilDay, changesOf: (utcDay: number) => readonly Change[]): readonly Change[] => {
  const near: Change[] = []
  for (let utcDay = day - searchDays; utcDay < day + searchDays; utcDay++) near.push(...changesOf(utcDay))
  return near
}

/** Goes through the stretches of one offset each, the earliest first. */
function resolveNearChange(day: CivilDay, wall: number, firstOffset: number, near: readonly Change[]): ResolvedTime | null {
  let start = Number.NEGATIVE_INFINITY
  let offset = firstOffset
  for (let next = 0; next <= near.length; next++) {
    const change = near[next]
    const end = change?.start ?? Number.POSITIVE_INFINITY
    const at = wall - offset
    if (at >= start && at < end) return { at, clock: isShownAgain(wall, near.slice(next)) ? 'overlap' : 'plain' }
    if (!change) break
    // The wall clock jumps over this time: the date may be one of those that the zone never had.
    if (at >= end && wall < change.start + change.offsetMs) {
      const isMissingDate = end + offset <= day * dayMs && change.start + change.offsetMs >= (day + 1) * dayMs
      return isMissingDate ? null : { at: change.start, clock: 'gap' }
    }
    start = end
    offset = change.offsetMs
  }
  return null
}

const isShownAgain = (wall: number, later: readonly Change[]): boolean =>
  later.some(({ start, offsetMs, beforeMs }) => offsetMs < beforeMs && wall >= start + offsetMs && wall < start + beforeMs)

/** The instants, to the second, at which the offset changes in a stretch at whose ends it differs. */
function findChanges(offsetAt: (at: number) => number, from: number, to: number): readonly Change[] {
  const found: Change[] = []
  const quarter = (to - from) / 96
  for (let begin = from; begin < to; begin += quarter) {
    const [beforeMs, offsetMs] = [offsetAt(begin), offsetAt(begin + quarter)]
    if (beforeMs === offsetMs) continue
    let [low, high] = [begin / 1_000, (begin + quarter) / 1_000]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (offsetAt(middle * 1_000) === beforeMs) low = middle
      else high = middle
    }
    found.push({ start: high * 1_000, beforeMs, offsetMs })
  }
  return found
}

function offsetReader(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (at) => {
    const shown: Record<string, number> = {}
    for (const { type, value } of format.formatToParts(at)) shown[type] = Number(value)
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown
    return Date.UTC(year, month - 1, day, hour, minute, second) - at
  }
}

/** Years in which a date can lie: four digits. */
const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/

/** The day of `2026-02-28`; null of anything that is no date. */
export function parseDate(text: string): CivilDay | null {
  const match = datePattern.exec(text)
  if (!match) return null
  const day = Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])) / dayMs
  return dateText(day) === text ? day : null
}

/** Many schedules ask for the same dates again and again: to format one takes longest of all that an occurrence needs. */
const dateTexts = new Map<CivilDay, string>()
const maxDateTexts = 10_000

/** `2026-02-28` of a day. */
export function dateText(day: CivilDay): string {
  const known = dateTexts.get(day)
  if (known !== undefined) return known
  const text = new Date(day * dayMs).toISOString().slice(0, 10)
  if (dateTexts.size >= maxDateTexts) dateTexts.clear()
  dateTexts.set(day, text)
  return text
}

/** Seconds after midnight of `08:30` or `08:30:15`; null of anything else, 24:00 included: that is 00:00 of the next day. */
export function parseTime(text: string): number | null {
  const match = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text)
  return match ? Number(match[1]) * 3_600 + Number(match[2]) * 60 + Number(match[3] ?? 0) : null
}

/** 0 Monday to 6 Sunday. */
export const weekdayOf = (day: CivilDay): number => (((day + 3) % 7) + 7) % 7

/** Day of the month from 1, and how many the month has. */
export function monthDayOf(day: CivilDay): { readonly dayOfMonth: number; readonly last: number } {
  const date = new Date(day * dayMs)
  return {
    dayOfMonth: date.getUTCDate(),
    last: new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate(),
  }
}

/** From 0000-03-01, with which years of 400 begin and leap days end, to 1970. */
const daysTo1970 = 719_468
const daysOf400Years = 146_097

/** Day of the month from 1. Counted, not by a `Date`: schedules by the month ask for a year of dates. */
export function dayOfMonth(day: CivilDay): number {
  const of400 = (((day + daysTo1970) % daysOf400Years) + daysOf400Years) % daysOf400Years
  const year = Math.floor((of400 - Math.floor(of400 / 1_460) + Math.floor(of400 / 36_524) - Math.floor(of400 / 146_096)) / 365)
  const ofYear = of400 - (365 * year + Math.floor(year / 4) - Math.floor(year / 100))
  // From March on five months have 153 days, again and again.
  const month = Math.floor((5 * ofYear + 2) / 153)
  return ofYear - Math.floor((153 * month + 2) / 5) + 1
}

export const yearOf = (day: CivilDay): number => new Date(day * dayMs).getUTCFullYear()
