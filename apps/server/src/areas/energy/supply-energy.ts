import type { EnergyCost } from '@linewarden/contract'
import { knownBands } from '@linewarden/contract'
import type { CivilPeriod } from '@linewarden/rules/energy'
import { amountText, barsOf, isPricedByWeekday, startOfDay } from '@linewarden/rules/energy'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { linesSeenBy } from '../../store/core/row-security.ts'
import { linesSince } from '../../store/energy/read.ts'
import type { SupplyRow } from '../../store/energy/supply.ts'
import { settledAt } from './amount.ts'
import type { EnergyQuery } from './asked.ts'
import { askedOf, cutOf, invalid, periodsOf } from './asked.ts'
import type { Asked, Costs, WithoutCarbon } from './picture.ts'
import { pictureOf } from './picture.ts'
import { PricedSum } from './pricing.ts'
import type { Reader } from './scope.ts'
import type { PricedQuarters, SupplySource } from './supply-source.ts'
import { billedPart, quartersOn, readSupply } from './supply-source.ts'
import type { SupplySums } from './supply-sums.ts'
import { byQuarter, joinedPeriods, storedOf, sumsOf } from './supply-sums.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

/** Days of lines that one question may read by the quarter: fifty lines over a year, or five over ten. */
const maxLineDays = 20_000

/** Energy of what the utility bills, and what it costs. */
export function createSupplyEnergy(deps: Deps) {
  const { database, plant, clock } = deps
  return {
    async read(
      actor: Reader,
      query: EnergyQuery & { readonly SupplyID: number },
    ): Promise<{ readonly project: PlantProject; readonly picture: WithoutCarbon }> {
      const now = clock()
      const period = (_supply: SupplyRow, project: PlantProject) => askedOf(project, query, now)
      const source = await readSupply(deps, actor, query.SupplyID, period, periodsOf)
      const { supply, project, period: asked } = source
      const since = await sinceOf(actor, supply)
      const periods = joinedPeriods(periodsOf(asked).map((each) => billedPart(supply, each)))
      const stored = await summed(actor, source, periods, since.any)
      refuseLarge(supply, stored.live)
      const parts: PricedQuarters[] = []
      for (const each of stored.live) parts.push(await quartersOn(deps, actor, source, each))
      const sums = sumsOf(source, stored, parts, now)
      const costs = query.By === 'band' ? costsOf(source, sums) : null
      const picture = {
        ...{ Zone: project.timeZone, At: now, Since: billedSince(source, since.all), Boundary: 'supply' as const },
        Pricing: costs && pricingOf(source, costs.bands),
        ...pictureOf(asked, sums.amounts, costs),
      }
      return { project, picture }
    },
  }

  function summed(actor: Reader, source: SupplySource<Asked>, periods: readonly CivilPeriod[], since: number | null) {
    const { period: asked } = source
    if (asked.unit === 'hour') return byQuarter(periods)
    const wanted = { periods, cut: new Set(cutOf(asked)), since, settled: settledAt(asked.now) }
    return linesSeenBy(database, actor.scope, [])((db) => storedOf(db, source, wanted))
  }

  function sinceOf(actor: Reader, { members }: SupplyRow) {
    const ids = members.map(({ lineId }) => lineId)
    return linesSeenBy(database, actor.scope, ids)((db) => linesSince(db, ids))
  }

  /** Since when all of its lines have energy, and it is billed. */
  function billedSince({ supply, project, zone }: SupplySource, all: number | null): number | null {
    if (supply.members.some(({ lineId }) => plant.lines.get(lineId)?.device.gateway.project !== project)) return null
    return all === null ? null : Math.max(all, startOfDay(zone, supply.from_day))
  }
}

function refuseLarge({ members }: SupplyRow, live: readonly CivilPeriod[]): void {
  const days = live.reduce((sum, { first, end }) => sum + end - first, 0)
  if (days * members.length > maxLineDays)
    throw invalid('query.To', {
      zh: '该供电点线路较多，逐日汇总尚未完成：请缩短时段、不作对比，或稍后再查',
      en: 'is too far from From for a supply of so many lines, whose days are still being summed: shorten the range, compare with nothing, or ask later',
    })
}

interface BandCosts extends Costs {
  readonly bands: readonly string[]
}

function costsOf({ period, zone, currencies }: SupplySource<Asked>, { priced }: SupplySums): BandCosts {
  const { unit, first, end, compared } = period
  const sums = new Map<string, PricedSum>()
  const between = (from: number, to: number): PricedSum => {
    const sum = sums.get(`${from} ${to}`) ?? priced(from, to)
    sums.set(`${from} ${to}`, sum)
    return sum
  }
  const total = new PricedSum()
  for (const bar of barsOf(zone, unit, first, end)) total.join(between(bar.start, bar.end))
  const other = compared ? between(startOfDay(zone, compared.first), startOfDay(zone, compared.end)) : new PricedSum()
  const keys = new Set([...total.bands, ...other.bands].map(({ Key }) => Key))
  const bands = [...keys].toSorted((one, another) => placeOf(one) - placeOf(another))
  const isOne = currencies.length === 1
  const record = (sum: PricedSum): EnergyCost => {
    const isKnown = isOne && sum.unpricedQuarters === 0 && sum.pricedQuarters > 0
    return {
      ByBand: bands.map((key) => sum.whOf(key)),
      FeeByBand: isKnown ? bands.map((key) => amountText(sum.feeOf(key))) : null,
      ...{ UnpricedWh: sum.unpricedWh, UnpricedS: sum.unpricedS, Fee: isKnown ? amountText(sum.fee) : null },
      KnownFee: isOne && sum.pricedQuarters > 0 ? amountText(sum.fee) : null,
    }
  }
  return { ...{ bands, total: record(total) }, between: (from, to) => record(between(from, to)) }
}

/** Bands in the order of a bill; those with other names after them. */
function placeOf(key: string): number {
  const place = (knownBands as readonly string[]).indexOf(key)
  return place < 0 ? knownBands.length : place
}

function pricingOf({ supply, holidays, currencies, period }: SupplySource, bands: readonly string[]) {
  const { first, end } = billedPart(supply, period)
  const days = Array.from({ length: end - first }, (_, index) => first + index)
  return {
    ...{ Currency: currencies.length === 1 ? (currencies[0] ?? null) : null, CurrenciesDiffer: currencies.length > 1 },
    ...{ Bands: [...bands], ByWeekday: days.some((day) => isPricedByWeekday(holidays, day)) },
  }
}
