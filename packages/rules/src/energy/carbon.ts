import { parsePrice, pricePlaces } from './money.ts'

/** How much carbon dioxide a kWh stands for in a year; 1 kg/kWh is 1 g/Wh. */
export interface CarbonFactor {
  readonly region: string
  readonly year: number
  /** A decimal text of at most 8 places. */
  readonly kgPerKwh: string
  readonly source: string
}

const average = (region: string, year: number, kgPerKwh: string, source: string): CarbonFactor => ({
  region,
  year,
  kgPerKwh,
  source,
})
const notice2022 = '生态环境部、国家统计局 2022 年电力二氧化碳排放因子'
const notice2023 = '生态环境部、国家统计局 2023 年电力二氧化碳排放因子'

/** Average factors of China that come with the product. */
export const builtInCarbonFactors: readonly CarbonFactor[] = [
  average('CN', 2022, '0.5366', notice2022),
  average('CN', 2023, '0.5306', notice2023),
  average('CN-North', 2023, '0.6361', notice2023),
  average('CN-NorthEast', 2023, '0.5122', notice2023),
  average('CN-East', 2023, '0.5500', notice2023),
  average('CN-Central', 2023, '0.5271', notice2023),
  average('CN-NorthWest', 2023, '0.5543', notice2023),
]

/** The factor of a year of use; provisional (暂算): that year is not published, and the latest before it stands for it. */
export interface FactorOfYear {
  readonly factor: CarbonFactor
  readonly isProvisional: boolean
}

/** Null: the region has no factor of that year or one before it. Later years are never taken for earlier ones. */
export function carbonFactorOf(factors: readonly CarbonFactor[], region: string, year: number): FactorOfYear | null {
  let latest: CarbonFactor | null = null
  for (const factor of factors) {
    if (factor.region !== region || factor.year > year) continue
    if (latest === null || factor.year >= latest.year) latest = factor
  }
  return latest && { factor: latest, isProvisional: latest.year !== year }
}

/** Carbon of energy in 10^-8 g, exact, so that parts add up; null: the factor is no decimal number. */
export function carbonOf(wh: number, { kgPerKwh }: CarbonFactor): bigint | null {
  const factor = parsePrice(kgPerKwh)
  return factor === null ? null : BigInt(wh) * factor
}

/** Carbon to show, g. */
export const carbonG = (fine: bigint): number => Number(fine) / 10 ** pricePlaces
