import type { List, previewTariff, Reply, TariffEffect } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { CivilDay, CivilZone } from '@linewarden/rules/automation'
import { bundledDays, civilZone, createCalendar, dateText } from '@linewarden/rules/automation'
import type { Amount, PublicCalendar, TariffVersion } from '@linewarden/rules/energy'
import {
  bandsOfDay,
  energyFee,
  energyPrices,
  minorText,
  quarterMs,
  roundToMinor,
  slotsOfDay,
  startOfDay,
  tariffOn,
  versionOn,
} from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { linesSeenBy, withRowSecurity } from '../../store/core/row-security.ts'
import { readQuarters } from '../../store/energy/read.ts'
import type { SupplyRow } from '../../store/energy/supply.ts'
import { suppliesOf } from '../../store/energy/supply.ts'
import { tariffsOf, versionsOfProject } from '../../store/energy/tariff.ts'
import { publishedOf, versionOf } from './tariff-record.ts'

export type TariffPreviews = ReturnType<typeof createTariffPreviews>

interface Deps {
  readonly database: Database
  readonly clock: () => number
}

const previewDays = 365
/** Twenty line-years are 700,000 quarters: what one look may take. */
const maxLines = 20

/** What a version of a tariff would have come to. */
export function createTariffPreviews({ database, clock }: Deps) {
  return {
    async preview(actor: Actor, project: PlantProject, versionId: number): Promise<Reply<typeof previewTariff>> {
      const { supplies, tariffs, versions } = await withRowSecurity(database, actor.scope, async ({ general }) => ({
        supplies: await suppliesOf(general, project.id),
        tariffs: await tariffsOf(general, project.id),
        versions: await versionsOfProject(general, project.id),
      }))
      const row = versions.find((each) => each.version_id === versionId)
      const tariff = tariffs.find(({ tariff_id }) => tariff_id === row?.tariff_id)
      if (!row || !tariff) throw new Refusal('tariff version not exists')
      const zone = civilZone(project.timeZone)
      const end = zone.dayAt(clock())
      const period = { zone, first: end - previewDays, end, holidays: createCalendar({ bundle: bundledDays(project.timeZone) }) }
      const publishedByTariff = new Map(
        tariffs.map(({ tariff_id: id }) => [id, publishedOf(versions.filter((each) => each.tariff_id === id))]),
      )
      const pricing = {
        candidate: versionOf(row),
        inForce: (supply: SupplyRow, day: CivilDay) => {
          const id = tariffOn(supply.tariffs, day)
          return id === null ? null : versionOn(publishedByTariff.get(id) ?? [], day)
        },
        minorDigits: minorDigitsOf(tariff.currency),
      }
      const own = supplies.filter((supply) => supply.tariffs.some(({ tariffId }) => tariffId === tariff.tariff_id))
      const items: TariffEffect[] = []
      let lines = 0
      for (const supply of own) {
        lines += supply.members.length
        if (lines > maxLines) break
        items.push(effectOf(supply, await quartersOf(actor, supply, period), period, pricing))
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

  /** Energy of each quarter of the year, members added and taken off; null where one of them is not known. */
  async function quartersOf(actor: Actor, { members }: SupplyRow, { zone, first, end }: Period): Promise<(number | null)[]> {
    const [from, to] = [startOfDay(zone, first), startOfDay(zone, end)]
    const ids = members.map(({ lineId }) => lineId)
    const read = linesSeenBy(database, actor.scope, ids)
    const sums: (number | null)[] = new Array((to - from) / quarterMs).fill(0)
    for (const { lineId, sign } of members) {
      const { wh } = await read((db) => readQuarters(db, lineId, from, to))
      for (const [index, sum] of sums.entries()) {
        const each = wh[index] ?? null
        sums[index] = sum === null || each === null ? null : sum + sign * each
      }
    }
    return sums
  }
}

interface Period {
  readonly zone: CivilZone
  readonly first: CivilDay
  readonly end: CivilDay
  readonly holidays: PublicCalendar
}

interface Pricing {
  readonly candidate: TariffVersion
  readonly inForce: (supply: SupplyRow, day: CivilDay) => TariffVersion | null
  readonly minorDigits: number
}

const secondsOfQuarter = quarterMs / 1_000

function effectOf(supply: SupplyRow, wh: readonly (number | null)[], period: Period, pricing: Pricing): TariffEffect {
  const { zone, first, end, holidays } = period
  const { candidate, inForce, minorDigits } = pricing
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
    for (const [sum, version] of [[now, inForce(supply, day)] as const, [then, candidate] as const])
      sum.add(own, version, version === null ? [] : bandsOfDay(version.calendar, holidays, zone, day))
  }
  const isWhole = isKnown && now.unpricedWh === 0 && then.unpricedWh === 0
  const minor = (fee: Amount): string => minorText(roundToMinor(fee, minorDigits), minorDigits)
  return {
    ...{ SupplyID: supply.supply_id, Name: supply.name, Wh: isKnown ? known : null, LackingS: lacking * secondsOfQuarter },
    ...{ Now: now.record(isKnown ? minor : null), Then: then.record(isKnown ? minor : null) },
    Difference: isWhole ? minor(then.fee - now.fee) : null,
  }
}

/** Energy by the names of bands and what it costs: versions with other bands add up side by side. */
class PricedSum {
  private readonly byBand = new Map<string, number>()
  unpricedWh = 0
  fee: Amount = 0n

  add(wh: readonly (number | null)[], version: TariffVersion | null, bands: readonly (number | null)[]): void {
    const prices = version && energyPrices(version)
    const sums = version?.bands.map(() => 0) ?? []
    for (const [index, each] of wh.entries()) {
      const band = bands[index] ?? null
      if (each === null) continue
      if (prices && band !== null && sums[band] !== undefined) sums[band] += each
      else this.unpricedWh += each
    }
    if (!version || !prices) return
    for (const [band, key] of version.bands.entries()) this.byBand.set(key, (this.byBand.get(key) ?? 0) + (sums[band] ?? 0))
    this.fee += energyFee(sums, prices)
  }

  record = (minor: ((fee: Amount) => string) | null) => ({
    Bands: [...this.byBand].map(([Key, Wh]) => ({ Key, Wh })),
    UnpricedWh: this.unpricedWh,
    Fee: minor?.(this.fee) ?? null,
  })
}

const minorDigitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
