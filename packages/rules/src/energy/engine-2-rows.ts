import type { Minor } from './engine-1-numbers.ts'
import { amountOf, decimal, half, scaled, sumOf } from './engine-1-numbers.ts'
import type { Engine2Inputs, Engine2Row, Engine2Version, MonthDays } from './engine-2-types.ts'

/** The rows of engine 2: never edited, see `engine-2.ts`. */

/** A row before it is written. */
export type Row = Omit<Engine2Row, 'amount'> & { readonly minor: Minor }

export interface Facts {
  readonly inputs: Engine2Inputs
  readonly wh: readonly bigint[]
  readonly estimated: readonly boolean[]
  /** Of the period, as it is billed. */
  readonly used: bigint
  /** What its series makes of the energy, in 10^-11, and of how much. */
  readonly series: { readonly amount: bigint; readonly wh: bigint }
  readonly maxW: bigint | null
  /** Of what is charged by the month. */
  readonly share: MonthDays
}

/** Each row is rounded once, half away from zero; what the power factor adjusts is a sum of rows as they are printed. */
export function rowsOf(sealed: Engine2Version, facts: Facts): readonly Row[] {
  const rows: Row[] = []
  for (const component of sealed.Components) {
    const inPowerFactorBase = component.InPowerFactorBase && !component.GovernmentFund
    const plain = {
      key: component.Key,
      band: null,
      price: component.Prices[0] ?? null,
      pricePercent: null,
      gap: null,
      share: null,
    }
    const own = { ...plain, inPowerFactorBase, estimated: false }
    if (component.Basis === 'kwhByBand')
      for (const [index, band] of sealed.Bands.entries()) {
        const [wh, price] = [facts.wh[index] ?? 0n, component.Prices[index] ?? '']
        const minor = amountOf(wh, price, facts.inputs.minorDigits)
        const estimated = facts.estimated[index] === true
        rows.push({ ...own, band, unit: 'kWh', quantity: decimal(wh, 3), price, minor, gap: gapOf(minor), estimated })
      }
    else rows.push({ ...own, ...monthly(sealed, component, facts, rows) })
  }
  // Of the supply alone, whatever the version says.
  const standard = facts.inputs.powerFactorStandard
  return standard === null ? rows : [...rows, powerFactorRow(standard, facts, rows)]
}

const gapOf = (minor: Minor): 'others' | null => (minor === null ? 'others' : null)

type Component = Engine2Version['Components'][number]
type Found = Pick<Row, 'unit' | 'quantity' | 'minor' | 'gap'> &
  Partial<Pick<Row, 'estimated' | 'price' | 'pricePercent' | 'share'>>

function monthly(sealed: Engine2Version, component: Component, facts: Facts, before: readonly Row[]): Found {
  const { Basis, Prices, Of } = component
  const { inputs } = facts
  const price = Prices[0] ?? ''
  const used = facts.wh.reduce((sum, wh) => sum + wh, 0n)
  const share = facts.share.days < facts.share.of ? facts.share : null
  const monthly = (thousandths: bigint) => rounded(byDays(exact(thousandths, price), facts.share), inputs.minorDigits)
  if (Basis === 'kwh') {
    const minor = amountOf(used, price, inputs.minorDigits)
    return { unit: 'kWh', quantity: decimal(used, 3), minor, gap: gapOf(minor), estimated: facts.estimated.includes(true) }
  }
  if (Basis === 'percentOf') {
    const rows = before.filter(({ key }) => Of.includes(key))
    const isThere = Of.every((key) => rows.some((row) => row.key === key))
    const [base, share] = [isThere ? sumOf(rows.map(({ minor }) => minor)) : null, scaled(price)]
    const minor = base === null || share === null ? null : half(base * share, 100n * 10n ** 8n)
    const quantity = base === null ? null : decimal(base, inputs.minorDigits)
    return { unit: 'money', quantity, minor, gap: gapOf(minor), estimated: rows.some(({ estimated }) => estimated) }
  }
  if (Basis === 'kwhBySeries') {
    const { amount, wh } = facts.series
    const minor = rounded(amount, inputs.minorDigits)
    return { unit: 'kWh', quantity: decimal(wh, 3), price: null, minor, gap: null, estimated: facts.estimated.includes(true) }
  }
  if (Basis === 'month') {
    const minor = monthly(1_000n)
    return { unit: 'month', quantity: '1', minor, gap: gapOf(minor), share }
  }
  if (Basis === 'kvaCapacity') {
    const va = inputs.capacityVa === null ? null : BigInt(inputs.capacityVa)
    const minor = va === null ? null : monthly(va)
    return {
      unit: 'kVA',
      quantity: va === null ? null : decimal(va, 3),
      minor,
      gap: va === null ? 'capacity' : gapOf(minor),
      share,
    }
  }
  return { ...demandOf(sealed, price, facts), share }
}

/** Thousandths times a price per unit, in 10^-11; null: the price is no number. */
function exact(thousandths: bigint, price: string): Minor {
  const each = scaled(price)
  return each === null ? null : thousandths * each
}

const byDays = (amount: Minor, { days, of }: MonthDays): Minor =>
  amount === null ? null : half(amount * BigInt(days), BigInt(of))

const rounded = (amount: Minor, minorDigits: number): Minor =>
  amount === null ? null : half(amount, 10n ** BigInt(11 - minorDigits))

function demandOf({ DemandRule: rule }: Engine2Version, price: string, { inputs, maxW, used, share }: Facts): Found {
  const va = inputs.capacityVa === null ? null : BigInt(inputs.capacityVa)
  const declared = inputs.declaredW === null ? null : BigInt(inputs.declaredW) * 100n
  const centiwatts = billed(rule, { max: maxW === null ? null : maxW * 100n, declared, va })
  const discount = rule?.Discount ?? null
  // Of the month, however many versions price it.
  const isLarge = discount !== null && va !== null && used >= BigInt(discount.FromKwhPerKva) * va
  const percent = discount === null ? 100n : va === null ? null : isLarge ? BigInt(discount.PricePercent) : 100n
  const each = scaled(price)
  const amount = centiwatts === null || percent === null || each === null ? null : half(centiwatts * each * percent, 10_000n)
  const minor = rounded(byDays(amount, share), inputs.minorDigits)
  const needsMax = rule?.Base !== 'declared' || rule.Over !== null
  const lacks = rule?.Base === 'declared' && declared === null ? 'declared' : needsMax && maxW === null ? 'demand' : 'capacity'
  return {
    ...{ unit: 'kW', quantity: centiwatts === null ? null : decimal(centiwatts, 5), minor },
    ...{ gap: minor === null ? lacks : null, pricePercent: percent === 100n || percent === null ? null : String(percent) },
  }
}

/** In hundredths of a W, so that per cents are exact. */
function billed(
  rule: Engine2Version['DemandRule'],
  { max, declared, va }: { readonly max: Minor; readonly declared: Minor; readonly va: Minor },
): bigint | null {
  if (rule?.Base === 'declared') {
    if (declared === null || !rule.Over) return declared
    if (max === null) return null
    const limit = (declared * BigInt(rule.Over.AbovePercent)) / 100n
    return declared + (max > limit ? (max - limit) * BigInt(rule.Over.Factor) : 0n)
  }
  if (max === null || rule?.FloorPercent == null) return max
  if (va === null) return null
  const floor = va * BigInt(rule.FloorPercent)
  return max > floor ? max : floor
}

/** (83)水电财字215号: where the steps of the penalty change, and the rewards above the standard in hundredths of a per cent. */
const adjustments: Readonly<
  Record<number, { readonly half: number; readonly one: number; readonly rewards: readonly number[] }>
> = {
  90: { half: 70, one: 65, rewards: [-15, -30, -45, -60, -75] },
  85: { half: 65, one: 60, rewards: [-10, -20, -30, -40, -50, -65, -80, -95, -110] },
  80: { half: 60, one: 55, rewards: [-10, -20, -30, -40, -50, -60, -70, -80, -90, -100, -115, -130] },
}

function adjustment(standard: number, cos: number): number | null {
  const steps = adjustments[standard]
  if (!steps) return null
  if (cos === standard) return 0
  if (cos > standard) return steps.rewards[Math.min(cos - standard, steps.rewards.length) - 1] ?? 0
  const [byHalves, byOnes] = [Math.max(steps.half, cos), Math.max(steps.one, cos)]
  return 50 * (standard - byHalves) + 100 * (byHalves - byOnes) + 200 * (byOnes - cos)
}

function powerFactorRow(standard: number, { inputs }: Facts, rows: readonly Row[]): Row {
  const cos = inputs.cosHundredths
  const inBase = rows.filter(({ inPowerFactorBase }) => inPowerFactorBase)
  const base = sumOf(inBase.map(({ minor }) => minor))
  const percents = cos === null ? null : adjustment(standard, cos)
  const minor = base === null || percents === null ? null : half(base * BigInt(percents), 10_000n)
  return {
    ...{ key: 'powerFactor', band: null, unit: 'money', quantity: base === null ? null : decimal(base, inputs.minorDigits) },
    ...{ price: percents === null ? null : decimal(BigInt(percents), 2), pricePercent: null, minor, inPowerFactorBase: false },
    ...{ gap: minor !== null ? null : percents === null ? 'powerFactor' : 'others', share: null },
    estimated: inBase.some(({ estimated }) => estimated),
  }
}
