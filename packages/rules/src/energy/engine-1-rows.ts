import type { Minor } from './engine-1-numbers.ts'
import { amountOf, decimal, half, scaled, sumOf } from './engine-1-numbers.ts'
import type { Engine1Inputs, Engine1Row, SealedVersion } from './engine-1-types.ts'

/** The rows of engine 1: never edited, see `engine-1.ts`. */

/** A row before it is written. */
export type Row = Omit<Engine1Row, 'amount'> & { readonly minor: Minor }

export interface Facts {
  readonly inputs: Engine1Inputs
  readonly wh: readonly bigint[]
  readonly estimated: readonly boolean[]
  readonly maxW: bigint | null
  /** One version prices all of the period: what is charged by the month is known. */
  readonly isOne: boolean
}

/** Each row is rounded once, half away from zero; what the power factor adjusts is a sum of rows as they are printed. */
export function rowsOf(sealed: SealedVersion, facts: Facts): readonly Row[] {
  const rows: Row[] = []
  for (const component of sealed.Components) {
    const inPowerFactorBase = component.InPowerFactorBase && !component.GovernmentFund
    const plain = { key: component.Key, band: null, price: component.Prices[0] ?? null, pricePercent: null, gap: null }
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

type Component = SealedVersion['Components'][number]
type Found = Pick<Row, 'unit' | 'quantity' | 'minor' | 'gap'> & Partial<Pick<Row, 'estimated' | 'pricePercent'>>

function monthly(sealed: SealedVersion, component: Component, facts: Facts, before: readonly Row[]): Found {
  const { Basis, Prices, Of } = component
  const { inputs, isOne } = facts
  const price = Prices[0] ?? ''
  const used = facts.wh.reduce((sum, wh) => sum + wh, 0n)
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
  if (Basis === 'month') {
    const minor = isOne ? amountOf(1_000n, price, inputs.minorDigits) : null
    return { unit: 'month', quantity: '1', minor, gap: isOne ? gapOf(minor) : 'period' }
  }
  if (Basis === 'kvaCapacity') {
    const va = inputs.capacityVa === null ? null : BigInt(inputs.capacityVa)
    const quantity = va === null ? null : decimal(va, 3)
    const minor = va === null || !isOne ? null : amountOf(va, price, inputs.minorDigits)
    return { unit: 'kVA', quantity, minor, gap: isOne ? (va === null ? 'capacity' : gapOf(minor)) : 'period' }
  }
  return demandOf(sealed, price, facts, used)
}

function demandOf({ DemandRule: rule }: SealedVersion, price: string, { inputs, maxW, isOne }: Facts, used: bigint): Found {
  const va = inputs.capacityVa === null ? null : BigInt(inputs.capacityVa)
  const declared = inputs.declaredW === null ? null : BigInt(inputs.declaredW) * 100n
  const centiwatts = billed(rule, { max: maxW === null ? null : maxW * 100n, declared, va })
  const discount = rule?.Discount ?? null
  const isLarge = discount !== null && va !== null && used >= BigInt(discount.FromKwhPerKva) * va
  const percent = discount === null ? 100n : va === null ? null : isLarge ? BigInt(discount.PricePercent) : 100n
  const quantity = centiwatts === null ? null : decimal(centiwatts, 5)
  if (!isOne) return { unit: 'kW', quantity, minor: null, gap: 'period' }
  const each = scaled(price)
  const minor =
    centiwatts === null || percent === null || each === null
      ? null
      : // Rounded to 10^-11 first, as an amount of any other row is.
        half(half(centiwatts * each * percent, 10_000n), 10n ** BigInt(11 - inputs.minorDigits))
  const needsMax = rule?.Base !== 'declared' || rule.Over !== null
  const lacks = rule?.Base === 'declared' && declared === null ? 'declared' : needsMax && maxW === null ? 'demand' : 'capacity'
  return {
    unit: 'kW',
    quantity,
    minor,
    gap: minor === null ? lacks : null,
    pricePercent: percent === 100n ? null : String(percent),
  }
}

/** In hundredths of a W, so that per cents are exact. */
function billed(
  rule: SealedVersion['DemandRule'],
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

function powerFactorRow(standard: number, { inputs, isOne }: Facts, rows: readonly Row[]): Row {
  const cos = inputs.cosHundredths
  const inBase = rows.filter(({ inPowerFactorBase }) => inPowerFactorBase)
  const base = sumOf(inBase.map(({ minor }) => minor))
  const percents = cos === null ? null : adjustment(standard, cos)
  const minor = !isOne || base === null || percents === null ? null : half(base * BigInt(percents), 10_000n)
  return {
    ...{ key: 'powerFactor', band: null, unit: 'money', quantity: base === null ? null : decimal(base, inputs.minorDigits) },
    ...{ price: percents === null ? null : decimal(BigInt(percents), 2), pricePercent: null, minor, inPowerFactorBase: false },
    gap: minor !== null ? null : isOne ? (percents === null ? 'powerFactor' : 'others') : 'period',
    estimated: inBase.some(({ estimated }) => estimated),
  }
}
