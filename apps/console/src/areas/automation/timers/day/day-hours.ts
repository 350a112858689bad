import { civilZone } from '@linewarden/rules/automation'

const [minute, quarter, hour] = [60_000, 15 * 60_000, 60 * 60_000]

/** An hour of a date as its clock shows it; where the clock is changed that day, with the offset it is shown by. */
export interface DayHour {
  readonly from: number
  readonly to: number
  /** `02:00` */
  readonly label: string
  /** Of a date on which the clock is changed; else null: it says nothing. */
  readonly offsetMs: number | null
}

/** The clock is put forward (more than 0) or back at an instant. */
export interface ClockChange {
  readonly at: number
  readonly byMs: number
  /** What the clock would show then, and what it shows. */
  readonly was: string
  readonly is: string
}

const clockOf = (wall: number): string => new Date(wall).toISOString().slice(11, 16)

/** The hours of a date between its two midnights, 23 or 25 of them where the clock is changed, and the change. */
export function hoursOfDay(
  from: number,
  to: number,
  timeZone: string,
): { readonly hours: readonly DayHour[]; readonly changes: readonly ClockChange[] } {
  const zone = civilZone(timeZone)
  const starts: number[] = []
  const changes: ClockChange[] = []
  for (let at = from; at < to; at += quarter) {
    const byMs = zone.offsetMsAt(at) - zone.offsetMsAt(at - 1)
    // What is changed at midnight belongs to the date that begins by it.
    if (byMs !== 0) changes.push({ at, byMs, was: clockOf(zone.wallAt(at) - byMs), is: clockOf(zone.wallAt(at)) })
    if (at === from || byMs !== 0 || Math.floor(zone.wallAt(at) / minute) % 60 === 0) starts.push(at)
  }
  const hours = starts.map((start, index): DayHour => {
    const offsetMs = zone.offsetMsAt(start)
    return {
      ...{ from: start, to: starts[index + 1] ?? to, label: clockOf(zone.wallAt(start)) },
      offsetMs: changes.length > 0 ? offsetMs : null,
    }
  })
  return { hours, changes }
}

/** How long a date is, in hours. */
export const lengthInHours = (from: number, to: number): number => (to - from) / hour

/** A time on the clock of the project, to the second where it has one. */
export function clockText(at: number, timeZone: string): string {
  const iso = new Date(civilZone(timeZone).wallAt(at)).toISOString()
  return iso.slice(17, 19) === '00' ? iso.slice(11, 16) : iso.slice(11, 19)
}
