import type { List, previewTariff, Reply, TariffEffect } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { CivilZone } from '@linewarden/rules/automation'
import { civilZone, dateText } from '@linewarden/rules/automation'
import type { Amount, CivilPeriod, PublicCalendar, TariffVersion } from '@linewarden/rules/energy'
import { minorText, quarterMs, roundToMinor, slotsOfDay, startOfDay, tariffOn } from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { linesSeenBy, withRowSecurity } from '../../store/core/row-security.ts'
import type { SeriesPrices } from '../../store/energy/prices.ts'
import { readPrices } from '../../store/energy/prices.ts'
import type { SupplyRow } from '../../store/energy/supply.ts'
import { suppliesOf } from '../../store/energy/supply.ts'
import { findVersion, tariffsOf } from '../../store/energy/tariff.ts'
import type { VersionOn } from './pricing.ts'
import {
  bandsOn,
  currenciesOf,
  minorDigitsOf,
  PricedSum,
  pricesFor,
  readHeads,
  readPricing,
  tariffIdsOf,
  versionIdsOf,
} from './pricing.ts'
import { publicDaysIn } from './public-days.ts'
import { supplyQuarters } from './supply-quarters.ts'
import { versionOf } from './tariff-record.ts'

export type TariffPreviews = ReturnType<typeof createTariffPreviews>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

const previewDays = 365
/** Twenty line-years are 700,000 quarters: what one look may take. */
const maxLines = 20

/** What a version of a tariff would have come to. */
export function createTariffPreviews({ database, plant, clock }: Deps) {
  return {
    async preview(actor: Actor, project: PlantProject, versionId: number): Promise<Reply<typeof previewTariff>> {
      const zone = civilZone(project.timeZone)
      const end = zone.dayAt(clock())
      const seen = await withRowSecurity(database, actor.scope, (db) => publicDaysIn(database, project, db))
      const period = { zone, first: end - previewDays, end, holidays: seen.calendar }
      const { row, tariff, tariffs, own, fitting, inForce, series } = await withRowSecurity(database, actor.scope, async (db) => {
        const candidate = await findVersion(db.general, project.id, versionId)
        const all = await tariffsOf(db.general, project.id)
        const ofCandidate = all.find(({ tariff_id }) => tariff_id === candidate?.tariff_id)
        if (!candidate || !ofCandidate) throw new Refusal('tariff version not exists')
        const supplies = (await suppliesOf(db.general, project.id)).filter((supply) =>
          supply.tariffs.some(({ tariffId }) => tariffId === candidate.tariff_id),
        )
        const chosen = fittingOf(supplies)
        const stretch = { from: startOfDay(zone, period.first), to: startOfDay(zone, end) }
        const prices = await readPrices(db, [...new Set([candidate.tariff_id, ...tariffIdsOf(chosen)])], stretch)
        const versionOn = await readPricing(db, chosen, [period], versionIdsOf(chosen, await readHeads(db, chosen)))
        return {
          row: candidate,
          tariff: ofCandidate,
          tariffs: all,
          own: supplies,
          fitting: chosen,
          inForce: versionOn,
          series: prices,
        }
      })
      const minorDigits = minorDigitsOf(tariff.currency)
      const candidate = versionOf(row)
      const items: TariffEffect[] = []
      for (const supply of fitting) {
        const isMixed = currenciesOf(supply.tariffs, tariffs).length > 1
        const wh = await quartersOf(actor, project, supply, period)
        items.push(effectOf(supply, wh, period, { candidate, tariffId: row.tariff_id, series, inForce, minorDigits, isMixed }))
      }
      const about = {
        From: dateText(period.first),
        To: dateText(end),
        Currency: tariff.currency,
        LeftOut: own.length - items.length,
      }
      return { items, total: items.length, about } satisfies List<TariffEffect> & { about: object }
    },
  }

  async function quartersOf(
    actor: Actor,
    project: PlantProject,
    { members }: SupplyRow,
    { zone, first, end }: Period,
  ): Promise<readonly (number | null)[]> {
    const ids = members.map(({ lineId }) => lineId)
    const isHere = (lineId: number) => plant.lines.get(lineId)?.device.gateway.project === project
    const read = linesSeenBy(database, actor.scope, ids)
    const stretch = { from: startOfDay(zone, first), to: startOfDay(zone, end) }
    return (await supplyQuarters(read, { members, isHere }, stretch)).wh
  }
}

/** As many supplies as one look may take; one that does not fit keeps no other out. */
function fittingOf(supplies: readonly SupplyRow[]): readonly SupplyRow[] {
  let lines = 0
  return supplies.filter(({ members }) => {
    const fits = lines + members.length <= maxLines
    if (fits) lines += members.length
    return fits
  })
}

interface Period extends CivilPeriod {
  readonly zone: CivilZone
  readonly holidays: PublicCalendar
}

interface Pricing {
  readonly candidate: TariffVersion
  readonly tariffId: number
  readonly series: SeriesPrices
  readonly inForce: VersionOn
  readonly minorDigits: number
  /** The supply has tariffs of several currencies. */
  readonly isMixed: boolean
}

const secondsOfQuarter = quarterMs / 1_000

function effectOf(supply: SupplyRow, wh: readonly (number | null)[], period: Period, pricing: Pricing): TariffEffect {
  const { zone, first, end, holidays } = period
  const { candidate, tariffId, series, inForce, minorDigits, isMixed } = pricing
  const [now, then] = [new PricedSum(), new PricedSum()]
  const start = startOfDay(zone, first)
  let [known, lacking] = [0, 0]
  let isKnown = false
  for (let day = first; day < end; day++) {
    if (day < supply.from_day || (supply.to_day !== null && day > supply.to_day)) continue
    const slots = slotsOfDay(zone, day)
    const own = slots.map((slot) => wh[(slot - start) / quarterMs] ?? null)
    for (const each of own) {
      if (each === null) lacking += 1
      else {
        isKnown = true
        known += each
      }
    }
    const from = slots[0] === undefined ? 0 : (slots[0] - start) / quarterMs
    for (const [sum, version, of] of [
      [now, inForce(supply, day), tariffOn(supply.tariffs, day)] as const,
      [then, candidate, tariffId] as const,
    ])
      sum.add(own, version, bandsOn(version, holidays, zone, day), pricesFor(version, of, series, [from, from + slots.length]))
  }
  const isWhole = isKnown && !isMixed && now.unpricedQuarters === 0 && then.unpricedQuarters === 0
  const minor = (fee: Amount): string => minorText(roundToMinor(fee, minorDigits), minorDigits)
  const record = (sum: PricedSum, isOne: boolean) => ({
    ...{ Bands: sum.bands, UnpricedWh: sum.unpricedWh },
    Fee: isOne && sum.pricedQuarters > 0 && sum.unpricedQuarters === 0 ? minor(sum.fee) : null,
  })
  return {
    ...{ SupplyID: supply.supply_id, Name: supply.name, Wh: isKnown ? known : null, LackingS: lacking * secondsOfQuarter },
    ...{ Now: record(now, !isMixed), Then: record(then, true) },
    ...{ Difference: isWhole ? minor(then.fee - now.fee) : null, CurrenciesDiffer: isMixed },
  }
}
