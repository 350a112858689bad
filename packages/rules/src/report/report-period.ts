import { dayMs } from '@linewarden/equipment'
import type { CivilDay, CivilZone } from '../automation/civil-time.ts'
import { weekdayOf } from '../automation/civil-time.ts'
import type { CivilPeriod } from '../energy/compared.ts'
import { monthStart } from '../energy/periods.ts'
import { startOfDay } from '../energy/slots.ts'
import { parseCron, sendTimesAfter } from './send-times.ts'

export const reportPeriods = ['day', 'week', 'month'] as const
export type ReportPeriod = (typeof reportPeriods)[number]

/** The last day, week from Monday on, or month of the project's zone that is over at an instant. */
export function periodBefore(unit: ReportPeriod, zone: CivilZone, at: number): CivilPeriod {
  const end = unitStart(unit, zone.dayAt(at))
  return { first: unitStart(unit, end - 1), end }
}

function unitStart(unit: ReportPeriod, day: CivilDay): CivilDay {
  if (unit === 'month') return monthStart(day)
  return unit === 'week' ? day - weekdayOf(day) : day
}

/** What is wrong with when a report is sent; null: nothing. */
export type CronProblem = 'notCron' | 'neverFires' | 'twiceInPeriod'

/** So many are looked at for two that would be of one period: a year of days, seven of weeks. */
const lookedAt = 400

/** Whether it ever comes to it, and no more than once for each period: the second time there would be nothing new to send. */
export function cronProblem(text: string, unit: ReportPeriod, zone: CivilZone, now: number): CronProblem | null {
  const cron = parseCron(text)
  if (!cron) return 'notCron'
  const times = sendTimesAfter(cron, zone, now, lookedAt)
  if (times.length === 0) return 'neverFires'
  const periods = times.map((at) => periodBefore(unit, zone, at).first)
  return periods.some((first, place) => first === periods[place - 1]) ? 'twiceInPeriod' : null
}

/** From which share of what should be known on a report goes out without waiting for more. */
const enoughKnown = 0.995
/** So long a report waits for what comes late. */
const waitsAtMostMs = 3 * dayMs

/** `known`: share of its time of which there are data; null: nothing of it can come late. */
export function sendingOf(
  { known, end }: { readonly known: number | null; readonly end: CivilDay },
  zone: CivilZone,
  now: number,
): 'now' | 'withNote' | 'waits' {
  if (known === null || known >= enoughKnown) return 'now'
  return now >= startOfDay(zone, end) + waitsAtMostMs ? 'withNote' : 'waits'
}
