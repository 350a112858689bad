import { language } from '../../ui/i18n.ts'
import { serverNow } from '../../ui/use-now.ts'

/** What a clock on the wall of a project shows at a moment, by the server’s time and in the project’s zone. */
export function wallClock(at: number, timeZone: string): { readonly time: string; readonly day: string } {
  const locale = language() === 'EN' ? 'en-GB' : 'zh-CN'
  const time = new Intl.DateTimeFormat('sv-SE', { timeZone, hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(at)
  const date = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at)
  const parts = new Intl.DateTimeFormat(locale, { timeZone, weekday: 'short', timeZoneName: 'shortOffset' }).formatToParts(at)
  const partOf = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? ''
  return { time, day: `${date} ${partOf('weekday')} · ${partOf('timeZoneName').replace('GMT', 'UTC')}` }
}

/** When something was, to the second; with its day where that is another. */
export function wallTime(at: number, timeZone: string, now = serverNow()): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  const [day = '', time = ''] = format.format(at).split(' ')
  return format.format(now).startsWith(day) ? time : `${day.slice(5)} ${time.slice(0, 5)}`
}
