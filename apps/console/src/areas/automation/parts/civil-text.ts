import { civilZone, dateText, weekdayOf } from '@linewarden/rules/automation'
import i18next from 'i18next'
import { serverNow } from '../../../ui/use-now.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** An instant on the clock of a project: its date in words, and the time to the second where it has one. */
export function civilText(at: number, timeZone: string, now: number): { readonly date: string; readonly time: string } {
  const zone = civilZone(timeZone)
  const iso = new Date(zone.wallAt(at)).toISOString()
  const seconds = iso.slice(17, 19)
  return { date: civilDate(zone.dayAt(at), zone.dayAt(now)), time: seconds === '00' ? iso.slice(11, 16) : iso.slice(11, 19) }
}

/** The same in a log, which is read, printed and compared on other days: always with its date. */
export function loggedText(at: number, timeZone: string, now: number): { readonly date: string; readonly time: string } {
  const zone = civilZone(timeZone)
  return { date: datedText(zone.dayAt(at), zone.dayAt(now)), time: civilText(at, timeZone, now).time }
}

/** The same as a sentence or a cell has it. */
export function whenOf(at: number, timeZone: string): string {
  const { date, time } = civilText(at, timeZone, serverNow())
  return `${date} ${time}`
}

/** Of a log. */
export function loggedWhen(at: number, timeZone: string): string {
  const { date, time } = loggedText(at, timeZone, serverNow())
  return `${date} ${time}`
}

/** The same to the minute, where lists say when something was last done. */
export const minuteOf = (at: number, timeZone: string): string => whenOf(at - (at % minute), timeZone)

/** A date as a person says it: today, tomorrow, else with its day of the week; the year only where it is another one. */
export function civilDate(dayNo: number, today: number): string {
  if (dayNo === today) return i18next.t('automation:today')
  if (dayNo === today + 1) return i18next.t('automation:tomorrow')
  if (dayNo === today - 1) return i18next.t('automation:yesterday')
  return datedText(dayNo, today)
}

/** A date with its day of the week; the year only where it is another one. */
function datedText(dayNo: number, today: number): string {
  const text = dateText(dayNo)
  return `${text.slice(0, 4) === dateText(today).slice(0, 4) ? text.slice(5) : text} ${weekdayWord(dayNo)}`
}

/** Of the days of the week, Monday first. */
export const weekdayKeys = [
  'automation:weekday0',
  'automation:weekday1',
  'automation:weekday2',
  'automation:weekday3',
  'automation:weekday4',
  'automation:weekday5',
  'automation:weekday6',
] as const

const weekdayWord = (dayNo: number): string => i18next.t(weekdayKeys[weekdayOf(dayNo)] ?? 'automation:weekday0')

/** How long it is until then, in the two largest units. */
export function untilText(ms: number): string {
  if (ms <= 0) return i18next.t('automation:due')
  if (ms < minute) return i18next.t('automation:inSeconds', { count: Math.ceil(ms / 1_000) })
  if (ms < hour) return i18next.t('automation:inMinutes', { count: Math.floor(ms / minute) })
  const days = Math.floor(ms / day)
  const hours = Math.floor((ms % day) / hour)
  const minutes = Math.floor((ms % hour) / minute)
  if (days > 0) return hours > 0 ? i18next.t('automation:inDays', { days, hours }) : i18next.t('automation:inFullDays', { days })
  return minutes > 0 ? i18next.t('automation:inHours', { hours, minutes }) : i18next.t('automation:inFullHours', { hours })
}

/** `UTC+8`, `UTC-3:30`. */
export function offsetText(offsetMs: number): string {
  const minutes = Math.round(Math.abs(offsetMs) / minute)
  const rest = minutes % 60
  return `UTC${offsetMs < 0 ? '-' : '+'}${Math.floor(minutes / 60)}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

/** The offset at an instant where the clock is changed between now and a day after it; else null: it says nothing. */
export function offsetNearChange(at: number, timeZone: string, now: number): string | null {
  const zone = civilZone(timeZone)
  const offset = zone.offsetMsAt(at)
  const isSteady = offset === zone.offsetMsAt(now) && offset === zone.offsetMsAt(at - day) && offset === zone.offsetMsAt(at + day)
  return isSteady ? null : offsetText(offset)
}
