import type { Quarters } from './quarters.ts'
import { How } from './quarters.ts'

/** Quarters in an hour: the mean power of a quarter in W is four times its Wh. */
const quartersOfHour = 4

/** Block demand (区间式需量) of a quarter, W. */
export const demandW = (quarterWh: number): number => quartersOfHour * quarterWh

/** Whether how a quarter is known makes it a demand: energy that was spread or entered is of no certain quarter. */
export const makesDemand = (how: number | undefined): boolean => how === How.measured || how === How.estimated

/** The largest demand of a stretch; quarters whose course nobody measured make none. */
export interface MaxDemand {
  /** W; null: no quarter can say. */
  readonly maxW: number | null
  /** The beginning of the first quarter that reached it, Unix ms. */
  readonly at: number | null
  /** Quarters that were spread, entered or missing; open ones do not count. */
  readonly leftOut: number
}

export function maxDemandOf({ wh, how }: Quarters, slots: readonly number[]): MaxDemand {
  let maxW: number | null = null
  let at: number | null = null
  let leftOut = 0
  for (const [index, slot] of slots.entries()) {
    const [each, code] = [wh[index] ?? null, how[index]]
    if (each !== null && makesDemand(code)) {
      if (maxW === null || demandW(each) > maxW) [maxW, at] = [demandW(each), slot]
    } else if (code !== How.open) leftOut += 1
  }
  return { maxW, at, leftOut }
}

/**
 * How a demand is billed, as data of a tariff version: whoever enters it attaches the notice that it follows. Shares in whole per cent, so that
 * they are exact. Examples: 发改价格〔2016〕583号, 发改价格〔2023〕526号.
 */
export interface DemandRule {
  readonly base: 'actual' | 'declared'
  /** Of declared demand: what lies above so many per cent of it counts so many times. */
  readonly over: { readonly abovePercent: number; readonly factor: number } | null
  /** Of actual demand: at least so many per cent of the capacity are billed. */
  readonly floorPercent: number | null
  /** From so many kWh per kVA of the month on, so many per cent of the price. */
  readonly discount: { readonly fromKwhPerKva: number; readonly pricePercent: number } | null
}

/** What a demand rule is asked with; null: not known. */
export interface DemandFacts {
  readonly maxW: number | null
  readonly declaredW: number | null
  readonly capacityVa: number | null
  readonly usedWh: number | null
}

/** Billed demand in hundredths of a W, whole numbers, so that per cents are exact; null: a figure that the rule needs is not known. */
export function billedCentiwatts(rule: DemandRule, { maxW, declaredW, capacityVa }: DemandFacts): bigint | null {
  if (rule.base === 'declared') {
    if (declaredW === null) return null
    const declared = hundredfold(declaredW)
    if (!rule.over) return declared
    if (maxW === null) return null
    const above = hundredfold(maxW) - BigInt(Math.round(declaredW)) * BigInt(rule.over.abovePercent)
    return above > 0n ? declared + above * BigInt(rule.over.factor) : declared
  }
  if (maxW === null) return null
  if (rule.floorPercent === null) return hundredfold(maxW)
  if (capacityVa === null) return null
  const [actual, floor] = [hundredfold(maxW), BigInt(Math.round(capacityVa)) * BigInt(rule.floorPercent)]
  return actual > floor ? actual : floor
}

const hundredfold = (value: number): bigint => BigInt(Math.round(value)) * 100n

/** Per cent of the demand's price that is billed; null: it depends on a figure that is not known. */
export function pricePercentOf({ discount }: DemandRule, { capacityVa, usedWh }: DemandFacts): number | null {
  if (!discount) return 100
  if (capacityVa === null || usedWh === null || capacityVa <= 0) return null
  return usedWh >= discount.fromKwhPerKva * capacityVa ? discount.pricePercent : 100
}

/** Mean of twelve monthly maxima, W, as in Flanders; null: a month has none. */
export function meanOfMaxima(monthlyMaxW: readonly (number | null)[]): number | null {
  if (monthlyMaxW.length === 0) return null
  let sum = 0
  for (const each of monthlyMaxW) {
    if (each === null) return null
    sum += each
  }
  return sum / monthlyMaxW.length
}
