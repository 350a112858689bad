import type { CivilDay } from '../automation/civil-time.ts'
import { parseDate } from '../automation/civil-time.ts'
import type { BandCalendar } from './band-calendar.ts'
import type { DemandRule } from './demand.ts'
import type { Amount } from './money.ts'
import { parsePrice } from './money.ts'
import type { PowerFactorStandard } from './power-factor.ts'

/** Bands of a tariff at most (尖、峰、平、谷、深谷 are five). */
export const maxBands = 8

/** What a component is charged for. */
export type TariffBasis =
  | { readonly basis: 'kwhByBand'; readonly prices: readonly string[] }
  | { readonly basis: 'kwh'; readonly price: string }
  /** Each quarter by its own price, as those of the tariff's series stand; a quarter of which none is known has no price at all. */
  | { readonly basis: 'kwhBySeries' }
  | { readonly basis: 'kwDemand'; readonly price: string }
  | { readonly basis: 'kvaCapacity'; readonly price: string }
  | { readonly basis: 'month'; readonly price: string }
  /** Per cent of what other components come to. */
  | { readonly basis: 'percentOf'; readonly percent: string; readonly of: readonly string[] }

/** One row of a bill. Prices are decimal texts of at most 8 places. */
export type TariffComponent = TariffBasis & {
  readonly key: string
  /** Whether the power-factor adjustment is a part of it. A government fund never is. */
  readonly inPowerFactorBase: boolean
  readonly governmentFund: boolean
}

/** Prices as they hold between two civil dates, both included. Once published it is never changed, only superseded. */
export interface TariffVersion {
  readonly id: number
  readonly validFrom: string
  /** Null: until another one begins. */
  readonly validTo: string | null
  /** Unix ms; null: a draft, which prices nothing. */
  readonly publishedAt: number | null
  /** What it follows, such as the number of a notice. */
  readonly source: string
  readonly bands: readonly string[]
  readonly calendar: BandCalendar
  readonly components: readonly TariffComponent[]
  readonly demandRule: DemandRule | null
  /** The standard of the adjustment by power factor (力调); null: none. */
  readonly powerFactorStandard: PowerFactorStandard | null
}

/** What decides which dates a version prices, and whether it goes with others. */
export type VersionDates = Pick<TariffVersion, 'id' | 'validFrom' | 'validTo' | 'publishedAt'>

/** The civil days of a version, both included. */
interface VersionDays {
  readonly first: CivilDay
  readonly last: CivilDay
}

const known = new WeakMap<object, VersionDays>()

/** A version's dates as civil days, both included; read once: a question asks them of each of its dates. */
export function datesOf(version: Pick<TariffVersion, 'validFrom' | 'validTo'>): VersionDays {
  const found = known.get(version)
  if (found) return found
  const { validFrom, validTo } = version
  const made = {
    first: parseDate(validFrom) ?? Number.POSITIVE_INFINITY,
    last: validTo === null ? Number.POSITIVE_INFINITY : (parseDate(validTo) ?? Number.NEGATIVE_INFINITY),
  }
  known.set(version, made)
  return made
}

/**
 * The published version that prices a date: the one that began last, because an open end ends where another begins, and of those with the same
 * dates the one that was published last. Null: none does.
 */
export function versionOn<Version extends VersionDates>(versions: readonly Version[], day: CivilDay): Version | null {
  let found: Version | null = null
  for (const version of versions) {
    if (version.publishedAt === null || datesOf(version).first > day) continue
    if (found === null || goesBefore(version, found)) found = version
  }
  return found !== null && day <= datesOf(found).last ? found : null
}

function goesBefore(one: VersionDates, other: VersionDates): boolean {
  if (one.validFrom !== other.validFrom) return one.validFrom > other.validFrom
  return one.publishedAt === other.publishedAt ? one.id > other.id : (one.publishedAt ?? 0) > (other.publishedAt ?? 0)
}

/** Whether a version prices each quarter by itself, too. */
export const isBySeries = ({ components }: Pick<TariffVersion, 'components'>): boolean =>
  components.some(({ basis }) => basis === 'kwhBySeries')

/** What one kWh costs in each band by all components that are charged for energy, less a series, in 10^-8; null: a price is no number. */
export function energyPrices({ bands, components }: Pick<TariffVersion, 'bands' | 'components'>): readonly bigint[] | null {
  const sums = bands.map(() => 0n)
  for (const component of components) {
    if (component.basis !== 'kwh' && component.basis !== 'kwhByBand') continue
    for (const band of bands.keys()) {
      const price = parsePrice(component.basis === 'kwh' ? component.price : (component.prices[band] ?? ''))
      if (price === null) return null
      sums[band] = (sums[band] ?? 0n) + price
    }
  }
  return sums
}

/** Energy of some quarters by band, and what has none: those quarters have energy and no price. */
export interface BandEnergy {
  readonly whByBand: readonly number[]
  readonly unpricedWh: number
  readonly unpricedQuarters: number
}

/** Sums quarters by their bands; quarters that are missing have no energy to sum. */
export function energyByBand(wh: readonly (number | null)[], bands: readonly (number | null)[], bandCount: number): BandEnergy {
  const whByBand = Array.from({ length: bandCount }, () => 0)
  let [unpricedWh, unpricedQuarters] = [0, 0]
  for (const [index, each] of wh.entries()) {
    if (each === null) continue
    const band = bands[index] ?? null
    if (band !== null && band >= 0 && band < bandCount) whByBand[band] = (whByBand[band] ?? 0) + each
    else {
      unpricedWh += each
      unpricedQuarters += 1
    }
  }
  return { whByBand, unpricedWh, unpricedQuarters }
}

/** What energy costs, not rounded: the same for all quarters at once as for each of them. */
export const energyFee = (whByBand: readonly number[], prices: readonly bigint[]): Amount =>
  whByBand.reduce((sum, wh, band) => sum + BigInt(wh) * (prices[band] ?? 0n), 0n)
