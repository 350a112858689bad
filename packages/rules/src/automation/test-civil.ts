/** Zones in which clocks do what schedules get wrong: by half hours, at midnight, over a whole date, by no rule, never. */
export const zonesOfTests = [
  'Asia/Shanghai',
  'Australia/Lord_Howe',
  'Asia/Beirut',
  'America/Santiago',
  'Pacific/Apia',
  'Europe/Berlin',
  'America/New_York',
  'Africa/Casablanca',
  'Asia/Tehran',
  'America/St_Johns',
  'Pacific/Chatham',
  'Antarctica/Troll',
] as const

const formats = new Map<string, Intl.DateTimeFormat>()
const minuteMs = 60_000

/** `2026-03-29 02:30` at an instant, from Intl alone. */
export function wallText(timeZone: string, at: number): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  formats.set(timeZone, format)
  return format.format(at)
}

const walked = new Map<string, readonly number[]>()

/**
 * For each minute of a local date the instant by walking over all minutes: the first that shows it, else the first that shows a later time
 * after an earlier one. Empty: no minute shows this date.
 */
export function localMinutes(timeZone: string, date: string): readonly number[] {
  const key = `${timeZone} ${date}`
  const known = walked.get(key)
  if (known) return known
  const shown = new Map<string, number>()
  // No zone here is further from UTC than 11 hours west and 15 east.
  const begin = Date.parse(`${date}T00:00:00Z`)
  /** Where the clock jumps forward: from this text, to that, at this instant. */
  const jumps: { readonly from: string; readonly to: string; readonly at: number }[] = []
  let before = ''
  for (let at = begin - 900 * minuteMs; at < begin + 2_200 * minuteMs; at += minuteMs) {
    const text = wallText(timeZone, at)
    if (!shown.has(text)) shown.set(text, at)
    if (before !== '' && text > nextMinute(before)) jumps.push({ from: before, to: text, at })
    before = text
  }
  const hasDate = [...shown.keys()].some((text) => text.startsWith(date))
  const found: number[] = []
  for (let minute = 0; hasDate && minute < 1_440; minute++) {
    const text = `${date} ${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
    const jump = jumps.find(({ from, to }) => from < text && text < to)
    found.push(shown.get(text) ?? jump?.at ?? Number.NaN)
  }
  walked.set(key, found)
  return found
}

const nextMinute = (text: string): string =>
  new Date(Date.parse(`${text.replace(' ', 'T')}:00Z`) + minuteMs).toISOString().slice(0, 16).replace('T', ' ')
