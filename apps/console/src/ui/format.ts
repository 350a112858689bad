import i18next from 'i18next'
import { serverNow } from './use-now.ts'

/** A number with its precision; a missing one is a dash, never 0. */
export const figure = (value: number | null | undefined, precision: number): string =>
  value === null || value === undefined ? '–' : value.toFixed(precision)

/** A span in the largest unit that says enough. */
export function span(ms: number): string {
  const seconds = Math.max(0, ms) / 1000
  if (seconds < 10) return i18next.t('seconds', { count: Number(seconds.toFixed(1)) })
  if (seconds < 120) return i18next.t('seconds', { count: Math.round(seconds) })
  if (seconds < 7_200) return i18next.t('minutes', { count: Math.round(seconds / 60) })
  if (seconds < 172_800) return i18next.t('hours', { count: Math.round(seconds / 3_600) })
  return i18next.t('days', { count: Math.round(seconds / 86_400) })
}

const two = (n: number): string => String(n).padStart(2, '0')

/** The time of day, with the date when it is not today's. */
export function clockTime(at: number, now = serverNow()): string {
  const time = new Date(at)
  const today = new Date(now).toDateString() === time.toDateString()
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`
  return today ? clock : `${two(time.getMonth() + 1)}-${two(time.getDate())} ${clock}`
}

/** The same to the minute. */
export const clockMinute = (at: number, now = serverNow()): string => clockTime(at, now).slice(0, -3)

/** Day and time to the minute, for records that are looked up. */
export function dayTime(at: number): string {
  const time = new Date(at)
  return `${dayOf(time)} ${two(time.getHours())}:${two(time.getMinutes())}`
}

const written = /^(\d{4})-(\d{1,2})-(\d{1,2})[ T]+(\d{1,2})[:：](\d{2})$/

/** Reads a day and time as this console writes them, by this machine's zone; NaN for what is none. */
export function dayTimeIn(text: string): number {
  const [, ...parts] = written.exec(text.trim()) ?? []
  const [year = Number.NaN, month = 0, day = 0, hour = 0, minute = 0] = parts.map(Number)
  const time = new Date(year, month - 1, day, hour, minute)
  // The 31st of a month that has 30 days, or 25 o'clock, is another time than was written.
  const isMeant =
    [time.getMonth() + 1, time.getDate(), time.getHours(), time.getMinutes()].join() === [month, day, hour, minute].join()
  return isMeant ? time.getTime() : Number.NaN
}

/** A day as year-month-day. */
export const dayOf = (time: Date): string => `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
