import { dayMs } from '@linewarden/equipment'
/** A calendar day, `2026-01-15`. */
export type Day = string

/** What people wrote down of a device; null: nobody did. */
export interface EquipmentLife {
  readonly installedOn: Day | null
  readonly warrantyUntil: Day | null
  readonly serviceYears: number | null
}

/** How a day that something lasts until stands to today. */
export type Due = 'good' | 'expiring' | 'expired'

/** So many days before the end it is told. */
export const expiringDays = 90
export const minServiceYears = 1
export const maxServiceYears = 50
/** Nothing that reports was put in before, and no date lies later: such a year is mistyped. */
const firstDay: Day = '1970-01-01'
const lastDay: Day = '2099-12-31'

/** Whether it is a day of the calendar at all: `2026-02-30` is none. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(text)
}

/** One of each zone: making one costs more than asking it a thousand times. */
const calendars = new Map<string, Intl.DateTimeFormat>()

function calendarOf(timeZone: string): Intl.DateTimeFormat {
  const known = calendars.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  calendars.set(timeZone, made)
  return made
}

/** The day that it is in a time zone. */
export function dayIn(timeZone: string, now: number): Day {
  const parts = calendarOf(timeZone).formatToParts(now)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')}`
}

/** The last day of its service: that of its installation so many years later; put in on a 29 February, the 28th where there is no 29th. */
export function endOfLife({ installedOn, serviceYears }: Pick<EquipmentLife, 'installedOn' | 'serviceYears'>): Day | null {
  if (installedOn === null || serviceYears === null) return null
  const then = `${Number(installedOn.slice(0, 4)) + serviceYears}${installedOn.slice(4)}`
  return isDay(then) ? then : then.replace(/29$/, '28')
}

/** Whether something that lasts until the end of a day is over, or will be within 90 days, in the zone where it stands. Null: no such day. */
export function dueOf(until: Day | null, timeZone: string, now: number): Due | null {
  if (until === null) return null
  const left = (Date.parse(until) - Date.parse(dayIn(timeZone, now))) / dayMs
  return left < 0 ? 'expired' : left <= expiringDays ? 'expiring' : 'good'
}

export type LifeProblem = {
  readonly field: keyof EquipmentLife
  readonly problem: 'no day' | 'out of range' | 'not yet' | 'before installation'
}

/** Everything that is wrong with what somebody wrote down of a device. */
export function lifeProblems(life: EquipmentLife, timeZone: string, now: number): LifeProblem[] {
  const { installedOn, warrantyUntil, serviceYears } = life
  const found: LifeProblem[] = []
  for (const field of ['installedOn', 'warrantyUntil'] as const) {
    const day = life[field]
    if (day === null) continue
    if (!isDay(day)) found.push({ field, problem: 'no day' })
    else if (day < firstDay || day > lastDay) found.push({ field, problem: 'out of range' })
  }
  if (
    serviceYears !== null &&
    !(Number.isInteger(serviceYears) && serviceYears >= minServiceYears && serviceYears <= maxServiceYears)
  )
    found.push({ field: 'serviceYears', problem: 'out of range' })
  if (found.length > 0 || installedOn === null) return found
  if (installedOn > dayIn(timeZone, now)) found.push({ field: 'installedOn', problem: 'not yet' })
  if (warrantyUntil !== null && warrantyUntil < installedOn)
    found.push({ field: 'warrantyUntil', problem: 'before installation' })
  return found
}
