import { dayMs } from '@linewarden/equipment'
import type { CivilDay, CivilZone } from '@linewarden/rules/automation'
import type { CivilPeriod } from '@linewarden/rules/energy'
import { monthStart, monthsOf, nextMonthStart, quarterMs, startOfDay } from '@linewarden/rules/energy'
import { rememberedBy } from '../../lib/remembered-by.ts'
import type { Database } from '../../store/core/database.ts'
import type { Stretch } from '../../store/energy/quarter-cells.ts'
import { besideMonths } from '../../store/energy/read-months.ts'
import type { KnownSum } from '../../store/energy/read-sums.ts'
import { readLineMonths, readSums } from '../../store/energy/read-sums.ts'
import { invalid } from './asked.ts'

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

/** Months and days of lines that one question reads at most: of 2,000 lines that all feed and are fed, each day of a month. */
export const maxLineDays = 130_000

/**
 * The sums of lines on their dates, in the same places: of months that are stored, and of the quarters beside them.
 * @throws refusal where that is more than {@link maxLineDays}: before anything is read with each whole month counted as one, and before quarters
 * are read with the days of those months that are not stored.
 */
export async function sumsOf(
  db: Database,
  zone: CivilZone,
  wanted: readonly LineDates[],
  until: number,
): Promise<readonly LineSum[]> {
  refuseLarge(sumOf(wanted, ({ periods }) => sumOf(periods, rowsOf)))
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
  refuseLarge(sumOf(beside, ({ from, to }) => (to - from) / dayMs))
  const rest = await readSums(db, beside)
  for (const [index, { place, from, to }] of beside.entries()) add(place, from, to, rest[index])
  return sums
}

const sumOf = <V>(values: readonly V[], of: (value: V) => number): number => values.reduce((sum, value) => sum + of(value), 0)

/** Whole months, and the dates beside them. */
function rowsOf({ first, end }: CivilPeriod): number {
  const [from, to] = [first === monthStart(first) ? first : nextMonthStart(first), monthStart(end)]
  return from < to ? monthsOf(to) - monthsOf(from) + (from - first) + (end - to) : end - first
}

function refuseLarge(rows: number): void {
  if (rows > maxLineDays)
    throw invalid('query.To', {
      zh: '线路较多，请缩短时段，或改选网关或线路',
      en: 'is too far from From for so many lines: shorten the range, or choose a gateway or a line',
    })
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
