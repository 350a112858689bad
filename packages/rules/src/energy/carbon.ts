import { parsePrice, pricePlaces } from './money.ts'

/** What a factor counts: all that is generated, that less what is sold as renewable, what burns coal and gas, or what a contract says. */
export const carbonBases = ['average', 'averageLessTraded', 'fossil', 'market'] as const
export type CarbonBasis = (typeof carbonBases)[number]

/** How much carbon dioxide a kWh stands for in a year; 1 kg/kWh is 1 g/Wh. */
export interface CarbonFactor {
  readonly region: string
  readonly basis: CarbonBasis
  readonly year: number
  /** A decimal text of at most 8 places. */
  readonly kgPerKwh: string
  readonly source: string
}

const notice2022 = '关于发布2022年电力二氧化碳排放因子的公告（生态环境部、国家统计局公告2024年第33号）'
const notice2023 = '关于发布2023年电力二氧化碳排放因子的公告（生态环境部、国家统计局公告2025年第47号）'
const published = (
  year: number,
  source: string,
  region: string,
  kgPerKwh: string,
  basis: CarbonBasis = 'average',
): CarbonFactor => ({
  ...{ region, basis, year, kgPerKwh, source },
})

/** Factors of China that come with the product, each by the notice that published it; those of provinces are typed from the same notices. */
export const builtInCarbonFactors: readonly CarbonFactor[] = [
  published(2022, notice2022, 'CN', '0.5366'),
  published(2023, notice2023, 'CN', '0.5306'),
  published(2023, notice2023, 'CN', '0.6096', 'averageLessTraded'),
  published(2023, notice2023, 'CN', '0.8273', 'fossil'),
  published(2023, notice2023, 'CN-North', '0.6361'),
  published(2023, notice2023, 'CN-NorthEast', '0.5122'),
  published(2023, notice2023, 'CN-East', '0.5500'),
  published(2023, notice2023, 'CN-Central', '0.5271'),
  published(2023, notice2023, 'CN-NorthWest', '0.5543'),
]

/** The factor of a year of use; provisional (暂算): that year has none, and the latest before it stands for it. */
export interface FactorOfYear {
  readonly factor: CarbonFactor
  readonly isProvisional: boolean
}

/** Null: there is none of that year or one before it. Later years are never taken for earlier ones; of one year the last in the list counts. */
export function carbonFactorOf(
  factors: readonly CarbonFactor[],
  { region, basis }: Pick<CarbonFactor, 'region' | 'basis'>,
  year: number,
): FactorOfYear | null {
  let latest: CarbonFactor | null = null
  for (const factor of factors) {
    if (factor.region !== region || factor.basis !== basis || factor.year > year) continue
    if (latest === null || factor.year >= latest.year) latest = factor
  }
  return latest && { factor: latest, isProvisional: latest.year !== year }
}

/** Carbon of energy in 10^-8 g, exact, so that parts add up; null: the factor is no decimal number. */
export function carbonOf(wh: number, { kgPerKwh }: Pick<CarbonFactor, 'kgPerKwh'>): bigint | null {
  const factor = parsePrice(kgPerKwh)
  return factor === null ? null : BigInt(Math.round(wh)) * factor
}

/** Carbon to show, g. */
export const carbonG = (fine: bigint): number => Number(fine) / 10 ** pricePlaces

/** What is wrong with a factor that somebody types; null: nothing is. No grid has more than 3 kg a kWh. */
export function isCarbonFactor(kgPerKwh: string): boolean {
  const factor = /^\d/.test(kgPerKwh) ? parsePrice(kgPerKwh) : null
  return factor !== null && factor <= 3n * 10n ** BigInt(pricePlaces)
}
