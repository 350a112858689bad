import { Refusal } from '@linewarden/contract'
import type { CivilZone } from '@linewarden/rules/automation'
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
import type { TariffRow } from '../../store/energy/tariff.ts'
import { tariffsOf } from '../../store/energy/tariff.ts'
import type { VersionOn } from './pricing.ts'
import { bandsOn, currenciesOf, PricedSum, publicDaysOf, readPricing } from './pricing.ts'
import { supplyQuarters } from './supply-quarters.ts'

/** A supply with its project, and what prices it in a period. */
export interface SupplySource<Period extends CivilPeriod = CivilPeriod> {
  readonly period: Period
  readonly supply: SupplyRow
  readonly project: PlantProject
  readonly zone: CivilZone
  readonly tariffs: readonly TariffRow[]
  readonly versionOn: VersionOn
  /** Of its tariffs: one, none, or several that cannot be added. */
  readonly currencies: readonly string[]
}

/** Reads a supply that somebody sees, and what prices the dates of a period. */
export async function readSupply<Period extends CivilPeriod>(
  { database, plant }: { readonly database: Database; readonly plant: Plant },
  actor: Actor,
  supplyId: number,
  periodIn: (supply: SupplyRow, project: PlantProject) => Period,
): Promise<SupplySource<Period>> {
  return withRowSecurity(database, actor.scope, async (db) => {
    const supply = await findSupply(db.general, supplyId)
    const project = supply && plant.projects.get(supply.project_id)
    if (!supply || !project || !actor.sees(project.id)) throw new Refusal('supply not exists')
    const period = periodIn(supply, project)
    const tariffs = await tariffsOf(db.general, project.id)
    const versionOn = await readPricing(db, [supply], period)
    const currencies = currenciesOf(supply.tariffs, tariffs)
    return { period, supply, project, zone: civilZone(project.timeZone), tariffs, versionOn, currencies }
  })
}

/** The dates of a period on which a supply is billed; empty where there are none. */
export function billedPart({ from_day: from, to_day: to }: SupplyRow, { first, end }: CivilPeriod): CivilPeriod {
  const part = { first: Math.max(first, from), end: Math.min(end, to === null ? end : to + 1) }
  return part.first < part.end ? part : { first, end: first }
}

/** Its quarters on these dates, read as somebody. */
export function quartersOn(
  { database, plant }: { readonly database: Database; readonly plant: Plant },
  actor: Actor,
  { supply: { members }, project, zone }: SupplySource,
  { first, end }: CivilPeriod,
): Promise<LineQuarters> {
  const isHere = (lineId: number) => plant.lines.get(lineId)?.device.gateway.project === project
  const ids = members.map(({ lineId }) => lineId)
  const read = linesSeenBy(database, actor.scope, ids)
  return supplyQuarters(read, { members, isHere }, startOfDay(zone, first), startOfDay(zone, end))
}

/** What any stretch of these quarters costs. */
export function pricedBetween({ supply, project, zone, versionOn }: SupplySource, { from: start, wh }: LineQuarters) {
  const holidays = publicDaysOf(project.timeZone)
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
