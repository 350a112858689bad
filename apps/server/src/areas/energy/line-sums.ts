import type { CivilDay, CivilZone } from '@linewarden/rules/automation'
import type { CivilPeriod } from '@linewarden/rules/energy'
import { monthStart, nextMonthStart, quarterMs, startOfDay } from '@linewarden/rules/energy'
import type { Database } from '../../store/core/database.ts'
import type { Stretch } from '../../store/energy/quarter-cells.ts'
import { besideMonths } from '../../store/energy/read-months.ts'
import type { KnownSum } from '../../store/energy/read-sums.ts'
import { readLineMonths, readSums } from '../../store/energy/read-sums.ts'

/** A line on some dates. */
export interface LineDates {
  readonly lineId: number
  readonly periods: readonly CivilPeriod[]
}

/** What is known of it, and how many quarters there are. */
export interface LineSum extends KnownSum {
  readonly quarters: number
}

export const lackingQuarters = ({ quarters, known }: LineSum): number => quarters - known

/** Dates up to an instant, as stretches. */
export function stretchesOf(zone: CivilZone, { lineId, periods }: LineDates, until: number): readonly Stretch[] {
  return periods.flatMap(({ first, end }) => {
    const [from, to] = [startOfDay(zone, first), Math.min(startOfDay(zone, end), until)]
    return from < to ? [{ lineId, from, to }] : []
  })
}

/** The sums of lines on their dates, in the same places: of months that are stored, and of the quarters beside them. */
export async function sumsOf(
  db: Database,
  zone: CivilZone,
  wanted: readonly LineDates[],
  until: number,
): Promise<readonly LineSum[]> {
  const startOf = rememberedBy((day: CivilDay) => startOfDay(zone, day))
  const whole = wanted.map(({ periods }) =>
    periods.flatMap((period) => wholeMonths(period).filter((month) => startOf(nextMonthStart(month)) <= until)),
  )
  const asked = wanted.flatMap(({ lineId }, place) => (whole[place] ?? []).map((month) => ({ lineId, month, place })))
  const stored = await readLineMonths(db, asked)
  const sums = wanted.map(() => ({ used: 0, known: 0, spread: 0, estimated: 0, entered: 0, quarters: 0 }))
  const months = wanted.map(() => new Set<CivilDay>())
  const add = (place: number, from: number, to: number, sum: KnownSum | undefined) => {
    const own = sums[place]
    if (!own || !sum) return
    own.quarters += (to - from) / quarterMs
    own.used += sum.used
    own.known += sum.known
    own.spread += sum.spread
    own.estimated += sum.estimated
    own.entered += sum.entered
  }
  for (const [index, { place, month }] of asked.entries()) {
    const sum = stored[index]
    if (!sum) continue
    months[place]?.add(month)
    add(place, startOf(month), startOf(nextMonthStart(month)), sum)
  }
  const beside = wanted.flatMap(({ lineId, periods }, place) =>
    besideMonths(periods, months[place] ?? new Set()).flatMap(({ first, end }) => {
      const [from, to] = [startOf(first), Math.min(startOf(end), until)]
      return from < to ? [{ lineId, from, to, place }] : []
    }),
  )
  const rest = await readSums(db, beside)
  for (const [index, { place, from, to }] of beside.entries()) add(place, from, to, rest[index])
  return sums
}

function wholeMonths({ first, end }: CivilPeriod): readonly CivilDay[] {
  const months: CivilDay[] = []
  for (
    let month = first === monthStart(first) ? first : nextMonthStart(first);
    nextMonthStart(month) <= end;
    month = nextMonthStart(month)
  )
    months.push(month)
  return months
}

/** Each is worked out once: many lines have the same dates. */
function rememberedBy<V>(of: (key: number) => V): (key: number) => V {
  const known = new Map<number, V>()
  return (key) => {
    const value = known.get(key) ?? of(key)
    known.set(key, value)
    return value
  }
}
