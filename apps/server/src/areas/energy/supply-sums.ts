import type { CivilDay, CivilZone } from '@linewarden/rules/automation'
import type { CivilPeriod } from '@linewarden/rules/energy'
import { coverOf, monthStart, nextMonthStart, nextYearStart, quarterMs, slotsOfDay, startOfDay } from '@linewarden/rules/energy'
import type { Database } from '../../store/core/database.ts'
import { besideMonths } from '../../store/energy/read-months.ts'
import type { SupplySum } from '../../store/energy/supply-sums.ts'
import { readSupplySums } from '../../store/energy/supply-sums.ts'
import type { Amount } from './amount.ts'
import { add, emptySum } from './amount.ts'
import { PricedSum } from './pricing.ts'
import type { AmountBetween } from './source.ts'
import { lineAmounts } from './source.ts'
import type { MadeOf } from './supply-made-of.ts'
import { madeOf } from './supply-made-of.ts'
import type { PricedQuarters, PricedSupply } from './supply-source.ts'
import { pricedBetween } from './supply-source.ts'

/** Days and months that stand as sums, by their first dates, and the dates that have to be read by the quarter. */
export interface SupplyStored {
  readonly months: ReadonlyMap<CivilDay, SupplySum>
  readonly days: ReadonlyMap<CivilDay, SupplySum>
  readonly live: readonly CivilPeriod[]
}

interface Wanted {
  /** Of dates on which the supply is billed, one after the other. */
  readonly periods: readonly CivilPeriod[]
  /** Dates that something cuts: their quarters are needed. */
  readonly cut: ReadonlySet<CivilDay>
  /** No line of it has energy before this instant; null: none ever had any. */
  readonly since: number | null
  /** What lies before this instant is not open any more. */
  readonly settled: number
}

/** Finds what stands as sums and is true: what was made of something else than what counts now is passed over. */
export async function storedOf(db: Database, source: PricedSupply, wanted: Wanted): Promise<SupplyStored> {
  const { supply, zone } = source
  const { periods, cut, since, settled } = wanted
  const made = madeOf(source)
  const cutMonths = new Set([...cut].map(monthStart))
  const months = new Map<CivilDay, SupplySum>()
  for (const [month, sum] of await readSupplySums(db, supply.supply_id, 'm', periods))
    if (!cutMonths.has(month) && sum.madeOf === made.month({ first: month, end: nextMonthStart(month) })) months.set(month, sum)
  const beside = besideMonths(periods, months)
  const days = new Map<CivilDay, SupplySum>()
  for (const [day, sum] of await readSupplySums(db, supply.supply_id, 'd', beside))
    if (!cut.has(day) && sum.madeOf === made.day(day)) days.set(day, sum)
  const isEmpty = (day: CivilDay): boolean => {
    const ends = startOfDay(zone, day + 1)
    return ends <= settled && (since === null || ends <= since)
  }
  for (const day of datesOf(beside))
    if (!cut.has(day) && !days.has(day) && isEmpty(day)) days.set(day, emptyDay(source, made, day))
  return { months, days, live: liveOf(beside, days) }
}

/** Everything by the quarter: nothing that is stored is asked for. */
export const byQuarter = (periods: readonly CivilPeriod[]): SupplyStored => ({
  months: new Map(),
  days: new Map(),
  live: periods,
})

/** Before any of its lines has energy nothing is known of a day, and nothing has to be read to say so. */
function emptyDay({ supply, zone, idOn }: PricedSupply, made: MadeOf, day: CivilDay): SupplySum {
  const energy = { used: 0, spread: 0, estimated: 0, entered: 0, known: 0 }
  const known = { ...energy, whByBand: [], seriesByBand: null, priced: 0, unpriced: 0, unpricedWh: 0 }
  const quarters = slotsOfDay(zone, day).length
  return { start: day, madeOf: made.day(day), versionId: idOn(supply, day), quarters, ...known }
}

function* datesOf(periods: readonly CivilPeriod[]): Iterable<CivilDay> {
  for (const { first, end } of periods) for (let day = first; day < end; day++) yield day
}

/** Dates of which no sum stands, one after the other in one stretch. */
function liveOf(periods: readonly CivilPeriod[], days: { has(day: CivilDay): boolean }): readonly CivilPeriod[] {
  const live: CivilPeriod[] = []
  for (const day of datesOf(periods)) {
    if (days.has(day)) continue
    const last = live.at(-1)
    if (last?.end === day) live[live.length - 1] = { first: last.first, end: day + 1 }
    else live.push({ first: day, end: day + 1 })
  }
  return live
}

/** Periods one after the other, none of whose dates is in two of them. */
export function joinedPeriods(periods: readonly CivilPeriod[]): readonly CivilPeriod[] {
  const joined: CivilPeriod[] = []
  for (const period of periods.filter(({ first, end }) => first < end).toSorted((one, other) => one.first - other.first)) {
    const last = joined.at(-1)
    if (last && period.first <= last.end) joined[joined.length - 1] = { first: last.first, end: Math.max(last.end, period.end) }
    else joined.push(period)
  }
  return joined
}

/** What a supply used and what it costs, of any stretch. Dates on which it is not billed are none of it: neither known nor lacking. */
export interface SupplySums {
  readonly amounts: AmountBetween
  readonly priced: (from: number, to: number) => PricedSum
}

export function sumsOf(source: PricedSupply, stored: SupplyStored, parts: readonly PricedQuarters[], now: number): SupplySums {
  const { supply, zone, versionOn } = source
  const [billedFrom, billedTo] = [supply.from_day, supply.to_day === null ? null : supply.to_day + 1]
  const begins = startOfDay(zone, billedFrom)
  const ends = billedTo === null ? Number.POSITIVE_INFINITY : startOfDay(zone, billedTo)
  const live = lineAmounts(parts, now)
  const priced = parts.map((part) => ({ from: part.from, to: endOf(part), between: pricedBetween(source, part) }))
  const piecesOf = (from: number, to: number) => storedPieces(zone, stored, Math.max(from, begins), Math.min(to, ends))
  return {
    amounts(from, to) {
      const sum = emptySum()
      for (const piece of piecesOf(from, to)) add(sum, 'stored' in piece ? amountOf(piece.stored) : live(piece.from, piece.to))
      return sum
    },
    priced(from, to) {
      const sum = new PricedSum()
      for (const piece of piecesOf(from, to))
        if ('stored' in piece) sum.addStored(versionOn(supply, piece.stored.start), pricedOf(piece.stored))
        else for (const part of priced) sum.join(part.between(Math.max(piece.from, part.from), Math.min(piece.to, part.to)))
      return sum
    },
  }
}

const endOf = ({ from, wh }: PricedQuarters): number => from + wh.length * quarterMs

const amountOf = ({ used, spread, estimated, entered, quarters, known }: SupplySum): Amount => ({
  ...{ used, spread, estimated, entered, quarters, known, unknown: quarters - known, lacking: quarters - known, open: 0 },
})

const pricedOf = ({ whByBand, seriesByBand, priced, unpriced, unpricedWh }: SupplySum) => ({
  ...{ whByBand, seriesByBand, pricedQuarters: priced, unpricedQuarters: unpriced, unpricedWh },
})

type Piece = { readonly stored: SupplySum } | { readonly from: number; readonly to: number }

/** The fewest sums that stand and make up a stretch, with the quarters between them, in the order of time. */
function* storedPieces(zone: CivilZone, { months, days }: SupplyStored, from: number, to: number): Iterable<Piece> {
  for (const piece of coverOf(zone, from, to)) {
    if (piece.level === 'quarters') {
      yield { from: piece.from, to: piece.to }
      continue
    }
    const end = { year: nextYearStart, month: nextMonthStart, day: (day: CivilDay) => day + 1 }[piece.level](piece.start)
    for (let day = piece.start; day < end; ) {
      const month = day === monthStart(day) && nextMonthStart(day) <= end ? months.get(day) : undefined
      const stored = month ?? days.get(day)
      yield stored ? { stored } : { from: startOfDay(zone, day), to: startOfDay(zone, day + 1) }
      day = month ? nextMonthStart(day) : day + 1
    }
  }
}
