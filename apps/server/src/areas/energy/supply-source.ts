import { Refusal } from '@linewarden/contract'
import { civilZone } from '@linewarden/rules/automation'
import type { CivilPeriod } from '@linewarden/rules/energy'
import { dayOfSlot, quarterMs, startOfDay } from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { linesSeenBy, withRowSecurity } from '../../store/core/row-security.ts'
import type { LineQuarters } from '../../store/energy/read.ts'
import type { SupplyRow } from '../../store/energy/supply.ts'
import { findSupply } from '../../store/energy/supply.ts'
import type { TariffHeadRow, TariffRow } from '../../store/energy/tariff.ts'
import { tariffsOf } from '../../store/energy/tariff.ts'
import type { VersionOn } from './pricing.ts'
import { bandsOn, currenciesOf, PricedSum, publicDaysOf, readHeads, readPricing, versionIdsOf } from './pricing.ts'
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
  actor: Actor,
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
    return {
      ...{ period, supply, project, tariffs, heads, idOn, isHere, zone: civilZone(project.timeZone) },
      ...{ holidays: publicDaysOf(project.timeZone), versionOn: await readPricing(db, [supply], billed, idOn) },
      currencies: currenciesOf(supply.tariffs, tariffs),
    }
  })
}

/** The dates of a period on which a supply is billed; empty where there are none. */
export function billedPart({ from_day: from, to_day: to }: SupplyRow, { first, end }: CivilPeriod): CivilPeriod {
  const part = { first: Math.max(first, from), end: Math.min(end, to === null ? end : to + 1) }
  return part.first < part.end ? part : { first, end: first }
}

/** Its quarters on these dates, read as somebody. */
export function quartersOn(
  { database }: { readonly database: Database },
  actor: Actor,
  { supply: { members }, isHere, zone }: SupplyTerms,
  { first, end }: CivilPeriod,
): Promise<LineQuarters> {
  const ids = members.map(({ lineId }) => lineId)
  const read = linesSeenBy(database, actor.scope, ids)
  return supplyQuarters(read, { members, isHere }, { from: startOfDay(zone, first), to: startOfDay(zone, end) })
}

/** What any stretch of these quarters costs. */
export function pricedBetween({ supply, holidays, zone, versionOn }: PricedSupply, { from: start, wh }: LineQuarters) {
  const stop = start + wh.length * quarterMs
  return (from: number, to: number): PricedSum => {
    const sum = new PricedSum()
    for (let at = Math.max(from, start); at < Math.min(to, stop); ) {
      const day = dayOfSlot(zone, at)
      const [begins, next] = [startOfDay(zone, day), startOfDay(zone, day + 1)]
      const ends = Math.min(next, to, stop)
      const version = versionOn(supply, day)
      const bands = bandsOn(version, holidays, zone, day).slice((at - begins) / quarterMs, (ends - begins) / quarterMs)
      sum.add(wh.slice((at - start) / quarterMs, (ends - start) / quarterMs), version, bands)
      at = ends
    }
    return sum
  }
}
