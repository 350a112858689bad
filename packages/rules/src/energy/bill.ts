import type { DemandFacts } from './demand.ts'
import { billedCentiwatts, pricePercentOf } from './demand.ts'
import type { Amount } from './money.ts'
import { amountPlaces, divideHalfAway, parsePrice, pricePlaces, roundToMinor } from './money.ts'
import { powerFactorAdjustment } from './power-factor.ts'
import type { TariffComponent, TariffVersion } from './tariff.ts'

/** What a bill is made from; null: not known, and every row that needs it is not known either. */
export interface BillFacts extends DemandFacts {
  readonly whByBand: readonly number[] | null
  /** What its series makes of the energy of each quarter, not rounded; null: not known. */
  readonly seriesAmount: Amount | null
  /** How much of what is charged by the month it bears. */
  readonly share: MonthShare
  /** Of the month, in whole hundredths. */
  readonly cosHundredths: number | null
  /** Places of the currency's minor unit: 2 of CNY and EUR, 0 of JPY (ISO 4217). */
  readonly minorDigits: number
}

/** So many days of so many (ADR 171). */
export interface MonthShare {
  readonly days: number
  readonly of: number
}

export const wholeMonth: MonthShare = { days: 1, of: 1 }

/** A row of a bill, rounded once; `band` of a component that has a price for each. */
export interface BillLine {
  readonly key: string
  readonly band: string | null
  /** In the minor unit; null: not known. */
  readonly minor: bigint | null
}

export interface Bill {
  readonly lines: readonly BillLine[]
  /** The sum of the rows as they are printed; null: one of them is not known. */
  readonly totalMinor: bigint | null
  /** What the power factor adjusts: the sum of its rows as they are printed. */
  readonly powerFactorBaseMinor: bigint | null
}

/** The key of the row that adjusts by power factor (力调电费). */
export const powerFactorLine = 'powerFactor'

/**
 * The bill of one version of a tariff. Each row is rounded once, half away from zero; the total and what the power factor adjusts are sums of rows
 * as they are printed, so that a reader's own sum agrees to the fen.
 */
export function billOf(version: TariffVersion, facts: BillFacts): Bill {
  const lines: BillLine[] = []
  const base: (bigint | null)[] = []
  const byKey = new Map<string, bigint | null>()
  for (const component of version.components) {
    const own = rowsOf(version, component, facts, byKey).map((row): BillLine => ({ key: component.key, ...row }))
    lines.push(...own)
    const minors = own.map(({ minor }) => minor)
    byKey.set(component.key, sumOf(minors))
    if (component.inPowerFactorBase && !component.governmentFund) base.push(...minors)
  }
  const powerFactorBaseMinor = version.powerFactorStandard === null ? null : sumOf(base)
  if (version.powerFactorStandard !== null) {
    const { cosHundredths: cos } = facts
    const percents = cos === null ? null : BigInt(powerFactorAdjustment(version.powerFactorStandard, cos))
    const known = powerFactorBaseMinor !== null && percents !== null
    lines.push({
      key: powerFactorLine,
      band: null,
      minor: known ? divideHalfAway(powerFactorBaseMinor * percents, 10_000n) : null,
    })
  }
  return { lines, totalMinor: sumOf(lines.map(({ minor }) => minor)), powerFactorBaseMinor }
}

/** Null when one is not known: missing is not nought. */
const sumOf = (minors: readonly (bigint | null)[]): bigint | null =>
  minors.reduce<bigint | null>((sum, each) => (sum === null || each === null ? null : sum + each), 0n)

type Row = Pick<BillLine, 'band' | 'minor'>

function rowsOf(
  { bands, demandRule }: TariffVersion,
  component: TariffComponent,
  facts: BillFacts,
  byKey: ReadonlyMap<string, bigint | null>,
): readonly Row[] {
  const { whByBand } = facts
  const row = (band: string | null, amount: Amount | null): Row => ({
    ...{ band, minor: amount === null ? null : roundToMinor(amount, facts.minorDigits) },
  })
  if (component.basis === 'kwhByBand')
    return bands.map((band, index) => row(band, times(whByBand?.[index] ?? null, component.prices[index] ?? '')))
  if (component.basis === 'percentOf') return [{ band: null, minor: percentOf(component, byKey) }]
  if (component.basis === 'kwhBySeries') return [row(null, facts.seriesAmount)]
  const { price } = component
  const amount = {
    kwh: () => times(whByBand ? whByBand.reduce((sum, wh) => sum + wh, 0) : null, price),
    kvaCapacity: () => shared(times(facts.capacityVa, price), facts.share),
    kwDemand: () => shared(demandAmount(demandRule ?? plainDemand, facts, price), facts.share),
    month: () => shared(scaled(parsePrice(price)), facts.share),
  }[component.basis]()
  return [row(null, amount)]
}

/** A tariff with a price for demand and no rule for it bills the largest one. */
const plainDemand = { base: 'actual', over: null, floorPercent: null, discount: null } as const

/** Thousandths times a price per unit: Wh and a price per kWh, VA and one per kVA. */
function times(thousandths: number | null, price: string): Amount | null {
  const each = parsePrice(price)
  return thousandths === null || each === null ? null : BigInt(Math.round(thousandths)) * each
}

/** What is charged by the month, of so many of its days. */
const shared = (amount: Amount | null, { days, of }: MonthShare): Amount | null =>
  amount === null ? null : divideHalfAway(amount * BigInt(days), BigInt(of))

const scaled = (price: bigint | null): Amount | null =>
  price === null ? null : price * 10n ** BigInt(amountPlaces - pricePlaces)

function demandAmount(rule: NonNullable<TariffVersion['demandRule']>, facts: BillFacts, price: string): Amount | null {
  const [centiwatts, percent, each] = [billedCentiwatts(rule, facts), pricePercentOf(rule, facts), parsePrice(price)]
  if (centiwatts === null || percent === null || each === null) return null
  return divideHalfAway(centiwatts * each * BigInt(percent), 10_000n)
}

/** Of rows as they are printed, rounded once: what is rounded before would be rounded twice. */
function percentOf(
  { percent, of }: Extract<TariffComponent, { basis: 'percentOf' }>,
  byKey: ReadonlyMap<string, bigint | null>,
): bigint | null {
  // A row that is named twice is of it once, as on a statement.
  const [share, base] = [parsePrice(percent), sumOf([...new Set(of)].map((key) => byKey.get(key) ?? null))]
  return share === null || base === null ? null : divideHalfAway(base * share, 100n * 10n ** BigInt(pricePlaces))
}
