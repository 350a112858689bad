import type { CivilDay } from './civil-time.ts'
import { parseDate } from './civil-time.ts'

/** One all-day event of an iCalendar file. */
export interface IcsEvent {
  /** Line of the file at which it begins, from 1. */
  readonly row: number
  readonly from: CivilDay
  /** Its last day; that is the day before its end as the file writes it. */
  readonly to: CivilDay
  readonly name: string
  /** What the file itself says of the day; null: nothing. */
  readonly mark: 'workday' | 'holiday' | null
}

/** Why an event is not read. */
export type IcsProblemKey = 'event timed' | 'event repeats' | 'event cancelled' | 'date wrong' | 'dates reversed'

export interface IcsContent {
  readonly events: readonly IcsEvent[]
  readonly problems: readonly { readonly row: number; readonly key: IcsProblemKey }[]
}

interface Property {
  readonly name: string
  readonly parameters: string
  readonly value: string
}

/** Name, parameters and value of a content line (RFC 5545, 3.1); a quoted parameter may contain a colon. */
const contentLine = /^([A-Za-z0-9-]+)((?:;[A-Za-z0-9-]+=(?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)*):(.*)$/
const escaped: Readonly<Record<string, string>> = { n: ' ', N: ' ', ',': ',', ';': ';', '\\': '\\' }

/**
 * The all-day events of an iCalendar file (RFC 5545). Events with a time of day and recurring ones are named as problems: which days they
 * mean depends on zones and rules that a calendar of days does not have. Null: it is no such file.
 */
export function parseIcs(text: string): IcsContent | null {
  const lines = unfolded(text)
  if (lines.length === 0) return null
  const events: IcsEvent[] = []
  const problems: { row: number; key: IcsProblemKey }[] = []
  const open: string[] = []
  let event: { row: number; properties: Property[] } | null = null
  let isOver = false
  for (const { row, text: line } of lines) {
    const [, name = '', parameters = '', value = ''] = contentLine.exec(line) ?? []
    if (name === '' || isOver) return null
    const key = name.toUpperCase()
    const component = value.trim().toUpperCase()
    if (key === 'BEGIN') {
      if (open.length === 0 ? component !== 'VCALENDAR' : component === 'VCALENDAR' || (event !== null && component === 'VEVENT'))
        return null
      open.push(component)
      if (component === 'VEVENT') event = { row, properties: [] }
    } else if (key === 'END') {
      if (open.pop() !== component) return null
      isOver = open.length === 0
      if (component !== 'VEVENT' || event === null) continue
      const read = eventOf(event.row, event.properties)
      if (typeof read === 'string') problems.push({ row: event.row, key: read })
      else events.push(read)
      event = null
    } else if (open.length === 0) return null
    // What stands in an alarm within an event is not of the event.
    else if (open.at(-1) === 'VEVENT') event?.properties.push({ name: key, parameters: parameters.toUpperCase(), value })
  }
  return isOver ? { events, problems } : null
}

/** Content lines with their places; a line that begins with a blank goes on with the one before. */
function unfolded(text: string): readonly { readonly row: number; readonly text: string }[] {
  const lines: { row: number; parts: string[] }[] = []
  text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .forEach((line, index) => {
      const last = lines.at(-1)
      if (last && /^[ \t]/.test(line)) last.parts.push(line.slice(1))
      else if (line.trim() !== '') lines.push({ row: index + 1, parts: [line] })
    })
  return lines.map(({ row, parts }) => ({ row, text: parts.join('') }))
}

function eventOf(row: number, properties: readonly Property[]): IcsEvent | IcsProblemKey {
  const find = (name: string) => properties.find((each) => each.name === name)
  if (find('STATUS')?.value.trim().toUpperCase() === 'CANCELLED') return 'event cancelled'
  if (find('RRULE') || find('RDATE') || find('RECURRENCE-ID')) return 'event repeats'
  const from = dayOf(find('DTSTART'))
  if (typeof from === 'string') return from
  const to = lastDayOf(from, find('DTEND'), find('DURATION'))
  if (typeof to === 'string') return to
  const name = plain(find('SUMMARY')?.value ?? '')
  return { row, from, to, name, mark: appleMark(find('X-APPLE-SPECIAL-DAY')) ?? markIn(name) }
}

function dayOf(property: Property | undefined): CivilDay | 'event timed' | 'date wrong' {
  if (!property) return 'date wrong'
  const value = property.value.trim()
  if (/T/i.test(value) || /;VALUE=(?!DATE(;|$))/.test(property.parameters)) return 'event timed'
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(value) ?? []
  return parseDate(`${year}-${month}-${day}`) ?? 'date wrong'
}

/** The end of an all-day event is the day after its last; without one it lasts a day. */
function lastDayOf(
  from: CivilDay,
  end: Property | undefined,
  duration: Property | undefined,
): CivilDay | 'event timed' | 'date wrong' | 'dates reversed' {
  if (end) {
    const day = dayOf(end)
    if (typeof day === 'string') return day
    return day < from ? 'dates reversed' : Math.max(from, day - 1)
  }
  if (!duration) return from
  const [, weeks, days] = /^\+?P(?:(\d{1,3})W|(\d{1,4})D)$/.exec(duration.value.trim().toUpperCase()) ?? []
  const length = weeks === undefined ? Number(days) : Number(weeks) * 7
  return Number.isNaN(length) ? 'event timed' : from + Math.max(1, length) - 1
}

/** A text without its escapes, in one line. */
const plain = (value: string): string =>
  value
    .replace(/\\(.)/g, (whole, sign: string) => escaped[sign] ?? whole)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()

/** Apple's calendars of Chinese holidays mark the days off and the make-up workdays. */
function appleMark(property: Property | undefined): IcsEvent['mark'] {
  const mark = property?.value.trim().toUpperCase()
  return mark === 'ALTERNATE-WORKDAY' ? 'workday' : mark === 'WORK-HOLIDAY' ? 'holiday' : null
}

/** Public calendars of Chinese holidays say it in the name: 「春节（休）」「国庆节 补班」. */
export function markIn(name: string): IcsEvent['mark'] {
  if (/[（(【[]班[）)】\]]|补班|调休上班|上班日?$/.test(name)) return 'workday'
  return /[（(【[]休[）)】\]]|假期|放假|法定节假日/.test(name) ? 'holiday' : null
}
