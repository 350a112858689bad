import type { ZoneClock } from '@linewarden/contract'
import { maxAnalysisDays, Refusal, zoneClock } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import { windowMs } from '@linewarden/rules/hazard'
import type { PlantProject } from '../../plant/plant.ts'
import type { CountRange } from '../../store/hazard/analysis.ts'

/** The days that somebody asks about, by the clock of one zone. */
export interface AskedDays {
  readonly timeZone: string
  readonly clock: ZoneClock
  readonly otherZones: boolean
  readonly days: CountRange
  /** Unix ms; the end is excluded, and not after now. */
  readonly from: number
  readonly to: number
  readonly tens: CountRange
}

/** Refuses what is no range. `projects`: those of which something is asked; most of their clocks decide. */
export function askedDays(
  { FromDay, ToDay }: { readonly FromDay: string; readonly ToDay: string },
  projects: readonly PlantProject[],
  now: number,
): AskedDays {
  const zones = new Map<string, number>()
  for (const { timeZone } of projects) zones.set(timeZone, (zones.get(timeZone) ?? 0) + 1)
  const [timeZone] = [...zones].toSorted(([, a], [, b]) => b - a)[0] ?? ['UTC']
  const clock = zoneClock(timeZone)
  const first = dayIn('FromDay', FromDay)
  const last = dayIn('ToDay', ToDay)
  const from = clock.moment(first * dayMs)
  if (last < first || last - first >= maxAnalysisDays)
    throw wrong(
      'ToDay',
      `结束日期不早于开始日期，且不超过 ${maxAnalysisDays} 天`,
      `must not be before FromDay; at most ${maxAnalysisDays} days in all`,
    )
  if (from > now) throw wrong('FromDay', '开始日期在将来', 'is in the future')
  const to = Math.min(clock.moment((last + 1) * dayMs), now)
  return {
    timeZone,
    clock,
    otherZones: zones.size > 1,
    days: { from: first, to: last + 1 },
    from,
    to,
    tens: { from: Math.ceil(from / windowMs), to: Math.max(Math.ceil(from / windowMs), Math.ceil(to / windowMs)) },
  }
}

/** As many days before them. */
export const daysBefore = ({ days }: AskedDays): CountRange => ({ from: 2 * days.from - days.to, to: days.from })

/** The first window that begins on each of these days, and on the day after them. */
export const beginsOf = ({ from, to }: CountRange, clock: ZoneClock): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => Math.ceil(clock.moment((from + i) * dayMs) / windowMs))

/** Days since 1970, as people write them. */
export const dayText = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

function dayIn(name: 'FromDay' | 'ToDay', text: string): number {
  const at = Date.parse(`${text}T00:00:00Z`)
  // The 31st of a month that has 30 days is read as the 1st of the next.
  if (Number.isNaN(at) || dayText(at / dayMs) !== text || at < 0) throw wrong(name, '没有这一天', 'is no day that there is')
  return at / dayMs
}

const wrong = (name: string, zh: string, en: string) =>
  new Refusal('invalid parameter', {}, [{ Path: `body.${name}`, Text: { zh, en } }])
