import { dayMs, hourMs } from '@linewarden/equipment'

/** The clock of a project, as far as periods and slots need it. */
export interface CivilClock {
  /** The moment as if the zone's clock were UTC. */
  local(at: number): number
  /** The moment when the zone's clock shows this; of a time that summer skips, an hour later. */
  moment(local: number): number
}

/** Unix ms; `to` is excluded. */
export interface Period {
  readonly from: number
  readonly to: number
}

/** Periods of one press. */
export const usualPeriods = ['today', 'yesterday', 'week', 'month'] as const
export type UsualPeriod = (typeof usualPeriods)[number]

/** Days that are gone since the last Monday. 1970 began on a Thursday. */
const sinceMonday = (day: number): number => (day + 3) % 7

/** A usual period by the clock of the project, from midnight to midnight; that of the running week or month ends with it. */
export function usualPeriodOf(name: UsualPeriod, clock: CivilClock, now: number): Period {
  const today = Math.floor(clock.local(now) / dayMs)
  const midnight = (day: number) => clock.moment(day * dayMs)
  switch (name) {
    case 'today':
      return { from: midnight(today), to: midnight(today + 1) }
    case 'yesterday':
      return { from: midnight(today - 1), to: midnight(today) }
    case 'week': {
      const monday = today - sinceMonday(today)
      return { from: midnight(monday), to: midnight(monday + 7) }
    }
    case 'month': {
      const date = new Date(today * dayMs)
      const first = (months: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)
      return { from: clock.moment(first(0)), to: clock.moment(first(1)) }
    }
  }
}

/** By how much clocks are set: an hour, and half an hour on Lord Howe. */
const changes = [hourMs, hourMs / 2]

/** Which of the two moments at which the clock shows this it is, where it is set back; null: it shows it once. */
export function repeatedTime(clock: CivilClock, at: number): 'first' | 'second' | null {
  const shown = clock.local(at)
  if (changes.some((by) => clock.local(at + by) === shown)) return 'first'
  return changes.some((by) => clock.local(at - by) === shown) ? 'second' : null
}
