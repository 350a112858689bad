import { dayMs, hourMs } from '@linewarden/equipment'
/** What a field of time holds: a day, a day and time to the minute or the second, or a time of day. */
export type MomentKind = 'day' | 'minute' | 'second' | 'clock'

/** How each is written, in digits, everywhere the same: the year first, 24 hours. */
export const patterns = { day: 'YYYY-MM-DD', minute: 'YYYY-MM-DD hh:mm', second: 'YYYY-MM-DD hh:mm:ss', clock: 'hh:mm' } as const

const day = String.raw`(?<y>\d{4})[-/.年](?<M>\d{1,2})[-/.月](?<d>\d{1,2})日?`
const clock = String.raw`(?<h>\d{1,2})[:：](?<m>\d{2})`
const forms: Record<MomentKind, RegExp> = {
  day: new RegExp(`^${day}$`),
  minute: new RegExp(`^${day}[ T]+${clock}$`),
  second: new RegExp(`^${day}[ T]+${clock}(?:[:：](?<s>\\d{2}))?$`),
  clock: new RegExp(`^${clock}$`),
}

const two = (n: number): string => String(n).padStart(2, '0')

/** As this console writes it. The parts are read as if the clock stood on UTC: which zone is meant is the page's to say. */
export function momentText(kind: MomentKind, at: number): string {
  const time = new Date(at)
  const date = `${String(time.getUTCFullYear()).padStart(4, '0')}-${two(time.getUTCMonth() + 1)}-${two(time.getUTCDate())}`
  const minute = `${two(time.getUTCHours())}:${two(time.getUTCMinutes())}`
  return { day: date, minute: `${date} ${minute}`, second: `${date} ${minute}:${two(time.getUTCSeconds())}`, clock: minute }[kind]
}

/** Reads what somebody typed, also with other signs between the digits; null for what is no such time: the 31st of June, 24 o'clock. */
export function momentIn(kind: MomentKind, text: string): number | null {
  const parts = forms[kind].exec(text.trim())?.groups
  if (!parts) return null
  const number = (name: string, absent: number) => (parts[name] === undefined ? absent : Number(parts[name]))
  const [y, M, d] = [number('y', 1970), number('M', 1), number('d', 1)]
  const [h, m, s] = [number('h', 0), number('m', 0), number('s', 0)]
  const time = new Date(0)
  time.setUTCFullYear(y, M - 1, d)
  time.setUTCHours(h, m, s)
  const isMeant = [time.getUTCMonth() + 1, time.getUTCDate(), time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()]
  return isMeant.join() === [M, d, h, m, s].join() ? time.getTime() : null
}

type Unit = 'y' | 'M' | 'd' | 'h' | 'm' | 's'

/** The part of the text that the caret stands in, and where that part is. */
export function partAt(kind: MomentKind, caret: number): { readonly unit: Unit; readonly from: number; readonly to: number } {
  const pattern = patterns[kind]
  const parts = [...pattern.matchAll(/Y+|M+|D+|h+|m+|s+/g)].map(({ 0: letters, index }) => ({
    unit: { Y: 'y', M: 'M', D: 'd', h: 'h', m: 'm', s: 's' }[letters.charAt(0)] as Unit,
    from: index,
    to: index + letters.length,
  }))
  const found = parts.find(({ to }) => caret <= to) ?? parts.at(-1)
  if (!found) throw new Error(`a pattern without parts: ${pattern}`)
  return found
}

/** One more or less of a unit. A month that is shorter ends at its last day; a clock goes round within its day. */
export function stepped(kind: MomentKind, at: number, unit: Unit, by: number): number {
  const time = new Date(at)
  if (unit === 'y' || unit === 'M') {
    const date = time.getUTCDate()
    time.setUTCDate(1)
    if (unit === 'y') time.setUTCFullYear(time.getUTCFullYear() + by)
    else time.setUTCMonth(time.getUTCMonth() + by)
    time.setUTCDate(Math.min(date, daysOfMonth(time.getTime())))
    return time.getTime()
  }
  const next = at + by * { d: dayMs, h: hourMs, m: 60_000, s: 1_000 }[unit]
  return kind === 'clock' ? ((next % dayMs) + dayMs) % dayMs : next
}

function daysOfMonth(at: number): number {
  const time = new Date(at)
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 0)).getUTCDate()
}
