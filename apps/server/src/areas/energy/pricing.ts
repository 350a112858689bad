import { dayMs } from '@linewarden/equipment'
import type { CivilDay, CivilZone } from '@linewarden/rules/automation'
import type { Amount, CivilPeriod, PublicCalendar, SupplyTariff, TariffVersion } from '@linewarden/rules/energy'
import {
  bandsOfDay,
  bandsWithPrices,
  energyByBand,
  energyFee,
  energyPrices,
  isBySeries,
  quarterMs,
  seriesByBand,
  slotsOfDay,
  tariffOn,
  versionOn,
} from '@linewarden/rules/energy'
import { rememberedBy } from '../../lib/remembered-by.ts'
import type { Database } from '../../store/core/database.ts'
import type { PriceStamps, SeriesPrices } from '../../store/energy/prices.ts'
import { priceStamps, readPrices } from '../../store/energy/prices.ts'
import type { SupplyRow } from '../../store/energy/supply.ts'
import type { TariffHeadRow, TariffRow } from '../../store/energy/tariff.ts'
import { headsOf, readVersions } from '../../store/energy/tariff.ts'
import { publishedDates, versionOf } from './tariff-record.ts'

/** The currencies of a supply's tariffs: energy has a cost where it is one. */
export const currenciesOf = (of: readonly SupplyTariff[], tariffs: readonly TariffRow[]): readonly string[] => [
  ...new Set(of.flatMap(({ tariffId }) => tariffs.find(({ tariff_id }) => tariff_id === tariffId)?.currency ?? [])),
]

/** Places of a currency's minor unit. */
export const minorDigitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/** The published version that prices a supply on a date; null: none does. */
export type VersionOn = (supply: SupplyRow, day: CivilDay) => TariffVersion | null

/** The published version that prices a supply on a date, by its number; null: none does. */
export type VersionIdOn = (supply: SupplyRow, day: CivilDay) => number | null

/** By the dates of all that is published of their tariffs; each date is looked up once. */
export function versionIdsOf(supplies: readonly SupplyRow[], heads: readonly TariffHeadRow[]): VersionIdOn {
  const tariffIds = new Set(supplies.flatMap(({ tariffs }) => tariffs.map(({ tariffId }) => tariffId)))
  const dates = new Map([...tariffIds].map((id) => [id, publishedDates(heads.filter(({ tariff_id }) => tariff_id === id))]))
  const idsOf = new Map(
    supplies.map((supply) => [
      supply,
      rememberedBy((day: CivilDay): number | null => {
        const tariffId = tariffOn(supply.tariffs, day)
        return tariffId === null ? null : (versionOn(dates.get(tariffId) ?? [], day)?.id ?? null)
      }),
    ]),
  )
  return (supply, day) => idsOf.get(supply)?.(day) ?? null
}

/** Of all versions of these supplies what is said of them, without bands and prices. */
export async function readHeads({ general }: Pick<Database, 'general'>, supplies: readonly SupplyRow[]) {
  const tariffIds = tariffIdsOf(supplies)
  return tariffIds.length === 0 ? [] : headsOf(general, ...tariffIds)
}

/** Reads what prices these supplies in these periods: bands and prices of those versions alone that price one of their dates. */
export async function readPricing(
  { general }: Pick<Database, 'general'>,
  supplies: readonly SupplyRow[],
  periods: readonly CivilPeriod[],
  idOn: VersionIdOn,
): Promise<VersionOn> {
  const used = new Set<number>()
  for (const supply of supplies)
    for (const { first, end } of periods)
      for (let day = first; day < end; day++) {
        const id = idOn(supply, day)
        if (id !== null) used.add(id)
      }
  const rows = used.size === 0 ? [] : await readVersions(general, [...used])
  const versions = new Map(rows.map((row) => [row.version_id, versionOf(row)]))
  return (supply, day) => versions.get(idOn(supply, day) ?? 0) ?? null
}

export const tariffIdsOf = (supplies: readonly SupplyRow[]): readonly number[] => [
  ...new Set(supplies.flatMap(({ tariffs }) => tariffs.map(({ tariffId }) => tariffId))),
]

/** Of which imports the prices of a supply's date are: a date of the zone lies in up to three days of UTC. */
export const stampsOn =
  (stamps: PriceStamps, zone: CivilZone) =>
  (supply: SupplyRow, day: CivilDay): string => {
    const own = stamps.get(tariffOn(supply.tariffs, day) ?? 0)
    const slots = own ? slotsOfDay(zone, day) : []
    const [first, last] = [slots[0], slots.at(-1)]
    if (!own || first === undefined || last === undefined) return ''
    const numbers: number[] = []
    for (let utc = Math.floor(first / dayMs); utc <= Math.floor(last / dayMs); utc++) numbers.push(own.get(utc) ?? 0)
    return numbers.some((each) => each > 0) ? numbers.join('.') : ''
  }

/** The imports of a supply's prices in some periods; a date of the zone begins up to a day beside that of UTC. */
export async function readStamps(
  db: Pick<Database, 'general'>,
  supply: SupplyRow,
  zone: CivilZone,
  periods: readonly CivilPeriod[],
) {
  const [first, end] = [Math.min(...periods.map((each) => each.first)), Math.max(...periods.map((each) => each.end))]
  return stampsOn(await priceStamps(db, tariffIdsOf([supply]), { first: first - 1, last: end + 1 }), zone)
}

/** The prices of quarters by the series of a supply's tariffs. */
export const seriesOf = (
  db: Pick<Database, 'general'>,
  supply: SupplyRow,
  stretch: { readonly from: number; readonly to: number },
) => readPrices(db, tariffIdsOf([supply]), stretch)

/** Some quarters of a date: prices of a version with a series, which are not known where none are there; null of any other. */
export function pricesFor(
  version: TariffVersion | null,
  tariffId: number | null,
  series: SeriesPrices,
  [from, to]: readonly [from: number, to: number],
): readonly (bigint | null)[] | null {
  if (version === null || !isBySeries(version)) return null
  return series.get(tariffId ?? 0)?.slice(from, to) ?? []
}

/** Priced energy of a stretch as it is stored: by the bands of the version that prices all of it, in its order. */
export interface StoredPriced {
  readonly whByBand: readonly number[]
  /** What its series makes of them; null: it has none. */
  readonly seriesByBand: readonly Amount[] | null
  readonly pricedQuarters: number
  readonly unpricedWh: number
  readonly unpricedQuarters: number
}

/** Energy by the names of bands and what it costs: versions with other bands add up side by side. */
export class PricedSum {
  private readonly byBand = new Map<string, number>()
  private readonly byVersion = new Map<TariffVersion, number[]>()
  private readonly bySeries = new Map<TariffVersion, Amount[]>()
  unpricedWh = 0
  unpricedQuarters = 0
  /** Whose energy is known, and its price. */
  pricedQuarters = 0

  /** Quarters of one date, or some of them, each with its band, and its price where the version has a series: without it there is none at all. */
  add(
    wh: readonly (number | null)[],
    version: TariffVersion | null,
    bands: readonly (number | null)[],
    prices: readonly (bigint | null)[] | null,
  ): void {
    const count = hasPrices(version) ? version.bands.length : 0
    const priced = prices === null ? bands : bandsWithPrices(bands, prices)
    const { whByBand, unpricedWh, unpricedQuarters } = energyByBand(wh, priced, count)
    const known = wh.reduce<number>((sum, each) => (each === null ? sum : sum + 1), 0)
    const own = prices === null ? null : seriesByBand(wh, priced, prices, count)
    this.addStored(version, {
      ...{ whByBand, unpricedWh, unpricedQuarters, pricedQuarters: known - unpricedQuarters, seriesByBand: own },
    })
  }

  /** What was summed up before. */
  addStored(version: TariffVersion | null, { whByBand, seriesByBand: series, pricedQuarters, ...unpriced }: StoredPriced): void {
    this.unpricedWh += unpriced.unpricedWh
    this.unpricedQuarters += unpriced.unpricedQuarters
    if (!hasPrices(version)) return
    this.pricedQuarters += pricedQuarters
    const own = this.byVersion.get(version) ?? version.bands.map(() => 0)
    this.byVersion.set(version, own)
    for (const [band, key] of version.bands.entries()) {
      const each = whByBand[band] ?? 0
      own[band] = (own[band] ?? 0) + each
      this.byBand.set(key, (this.byBand.get(key) ?? 0) + each)
    }
    if (series) this.addSeries(version, series)
  }

  private addSeries(version: TariffVersion, series: readonly Amount[]): void {
    const before = this.bySeries.get(version) ?? version.bands.map(() => 0n)
    this.bySeries.set(
      version,
      before.map((amount, band) => amount + (series[band] ?? 0n)),
    )
  }

  /** What the series of a version makes of the energy that it prices, by its bands. */
  seriesOf = (version: TariffVersion): readonly Amount[] => this.bySeries.get(version) ?? version.bands.map(() => 0n)

  /** Of what has a price, not rounded. */
  get fee(): Amount {
    let sum = 0n
    for (const [version, whByBand] of this.byVersion) sum += energyFee(whByBand, pricesOf(version) ?? [])
    for (const series of this.bySeries.values()) for (const each of series) sum += each
    return sum
  }

  /** What {@link fee} is made of, by the name of a band. */
  feeOf(key: string): Amount {
    let sum = 0n
    for (const [version, whByBand] of this.byVersion) {
      const band = version.bands.indexOf(key)
      if (band >= 0) sum += BigInt(whByBand[band] ?? 0) * (pricesOf(version)?.[band] ?? 0n) + (this.seriesOf(version)[band] ?? 0n)
    }
    return sum
  }

  whOf = (key: string): number => this.byBand.get(key) ?? 0

  get bands() {
    return [...this.byBand].map(([Key, Wh]) => ({ Key, Wh }))
  }

  /** What has been added, and what another sum has. */
  join(other: PricedSum): void {
    this.unpricedWh += other.unpricedWh
    this.unpricedQuarters += other.unpricedQuarters
    this.pricedQuarters += other.pricedQuarters
    for (const [version, whByBand] of other.byVersion) {
      const own = this.byVersion.get(version) ?? version.bands.map(() => 0)
      this.byVersion.set(
        version,
        own.map((wh, band) => wh + (whByBand[band] ?? 0)),
      )
    }
    for (const [version, series] of other.bySeries) this.addSeries(version, series)
    for (const [key, wh] of other.byBand) this.byBand.set(key, (this.byBand.get(key) ?? 0) + wh)
  }

  get unpricedS(): number {
    return (this.unpricedQuarters * quarterMs) / 1_000
  }
}

const hasPrices = (version: TariffVersion | null): version is TariffVersion => version !== null && pricesOf(version) !== null

const prices = new WeakMap<TariffVersion, readonly bigint[] | null>()
/** What a kWh costs in each band; a version is asked for each date that it prices. */
function pricesOf(version: TariffVersion): readonly bigint[] | null {
  const known = prices.get(version)
  if (known !== undefined) return known
  const made = energyPrices(version)
  prices.set(version, made)
  return made
}

/** The bands of a date's quarters; none where nothing prices it. */
export const bandsOn = (
  version: TariffVersion | null,
  holidays: PublicCalendar,
  zone: CivilZone,
  day: CivilDay,
): readonly (number | null)[] => (version === null ? [] : bandsOfDay(version.calendar, holidays, zone, day))
