import { Refusal } from '@linewarden/contract'
import { civilZone } from '@linewarden/rules/automation'
import type { CivilPeriod } from '@linewarden/rules/energy'
import { dayOfSlot, quarterMs, startOfDay, tariffOn } from '@linewarden/rules/energy'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { linesSeenBy, withRowSecurity } from '../../store/core/row-security.ts'
import type { SeriesPrices } from '../../store/energy/prices.ts'
import type { LineQuarters } from '../../store/energy/read.ts'
import type { SupplyRow } from '../../store/energy/supply.ts'
import { findSupply } from '../../store/energy/supply.ts'
import type { TariffHeadRow, TariffRow } from '../../store/energy/tariff.ts'
import { tariffsOf } from '../../store/energy/tariff.ts'
import type { VersionOn } from './pricing.ts'
import {
  bandsOn,
  currenciesOf,
  PricedSum,
  pricesFor,
  readHeads,
  readPricing,
  readStamps,
  seriesOf,
  versionIdsOf,
} from './pricing.ts'
import { publicDaysIn } from './public-days.ts'
import type { Reader } from './scope.ts'
import type { SupplyTerms } from './supply-made-of.ts'
import { supplyQuarters } from './supply-quarters.ts'

/** A supply, and what prices it in some periods. */
export interface PricedSupply extends SupplyTerms {
  readonly versionOn: VersionOn
}

/** And with its project. */
export interface SupplySource<Period extends CivilPeriod = CivilPeriod> extends PricedSupply {
  readonly period: Period
  readonly project: PlantProject
  readonly tariffs: readonly TariffRow[]
  readonly heads: readonly TariffHeadRow[]
  /** Of its tariffs: one, none, or several that cannot be added. */
  readonly currencies: readonly string[]
}

/** Reads a supply that somebody sees, and what prices the dates of a period, and of those beside it that are compared. */
export async function readSupply<Period extends CivilPeriod>(
  { database, plant }: { readonly database: Database; readonly plant: Plant },
  actor: Reader,
  supplyId: number,
  periodIn: (supply: SupplyRow, project: PlantProject) => Period,
  periodsOf: (period: Period) => readonly CivilPeriod[] = (period) => [period],
): Promise<SupplySource<Period>> {
  return withRowSecurity(database, actor.scope, async (db) => {
    const supply = await findSupply(db.general, supplyId)
    const project = supply && plant.projects.get(supply.project_id)
    if (!supply || !project || !actor.sees(project.id)) throw new Refusal('supply not exists')
    const period = periodIn(supply, project)
    const tariffs = await tariffsOf(db.general, project.id)
    const heads = await readHeads(db, [supply])
    const idOn = versionIdsOf([supply], heads)
    const isHere = (lineId: number) => plant.lines.get(lineId)?.device.gateway.project === project
    const billed = periodsOf(period).map((each) => billedPart(supply, each))
    const zone = civilZone(project.timeZone)
    return {
      ...{ period, supply, project, tariffs, heads, idOn, isHere, zone },
      stampOn: await readStamps(db, supply, zone, billed),
      ...{
        holidays: (await publicDaysIn(database, project, db)).calendar,
        versionOn: await readPricing(db, [supply], billed, idOn),
      },
      currencies: currenciesOf(supply.tariffs, tariffs),
    }
  })
}

/** The dates of a period on which a supply is billed; empty where there are none. */
export function billedPart({ from_day: from, to_day: to }: SupplyRow, { first, end }: CivilPeriod): CivilPeriod {
  const part = { first: Math.max(first, from), end: Math.min(end, to === null ? end : to + 1) }
  return part.first < part.end ? part : { first, end: first }
}

/** Quarters of a supply, with the prices of the series of its tariffs. */
export interface PricedQuarters extends LineQuarters {
  readonly series: SeriesPrices
}

/** Its quarters on these dates, read as somebody. */
export async function quartersOn(
  { database }: { readonly database: Database },
  actor: Reader,
  { supply, isHere, zone }: SupplyTerms,
  { first, end }: CivilPeriod,
): Promise<PricedQuarters> {
  const { members } = supply
  const ids = members.map(({ lineId }) => lineId)
  const read = linesSeenBy(database, actor.scope, ids)
  const stretch = { from: startOfDay(zone, first), to: startOfDay(zone, end) }
  const series = await linesSeenBy(database, actor.scope, [])((db) => seriesOf(db, supply, stretch))
  return { ...(await supplyQuarters(read, { members, isHere }, stretch)), series }
}

/** What any stretch of these quarters costs. */
export function pricedBetween({ supply, holidays, zone, versionOn }: PricedSupply, { from: start, wh, series }: PricedQuarters) {
  const stop = start + wh.length * quarterMs
  return (from: number, to: number): PricedSum => {
    const sum = new PricedSum()
    for (let at = Math.max(from, start); at < Math.min(to, stop); ) {
      const day = dayOfSlot(zone, at)
      const [begins, next] = [startOfDay(zone, day), startOfDay(zone, day + 1)]
      const ends = Math.min(next, to, stop)
      const version = versionOn(supply, day)
      const bands = bandsOn(version, holidays, zone, day).slice((at - begins) / quarterMs, (ends - begins) / quarterMs)
      const part = [(at - start) / quarterMs, (ends - start) / quarterMs] as const
      sum.add(wh.slice(...part), version, bands, pricesFor(version, tariffOn(supply.tariffs, day), series, part))
      at = ends
    }
    return sum
  }
}
