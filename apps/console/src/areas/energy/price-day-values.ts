import type { PriceDay } from '@linewarden/contract'
import { scaleOf } from './figures.ts'

type Quarter = PriceDay['Quarters'][number]

/** Quarters one after the other that have the same price. */
interface PriceRun {
  readonly from: string
  /** The clock at the end of it; of the last of the day 24:00. */
  readonly to: string
  readonly price: number | null
  readonly first: number
  readonly count: number
}

/** As few rows as say all: an hourly price is one row of an hour. */
export function priceRuns(quarters: readonly Quarter[]): readonly PriceRun[] {
  const runs: PriceRun[] = []
  for (const [first, { Clock, Price }] of quarters.entries()) {
    const price = Price === null ? null : Number(Price)
    const to = quarters[first + 1]?.Clock ?? '24:00'
    const last = runs.at(-1)
    if (last && last.price === price) runs[runs.length - 1] = { ...last, to, count: last.count + 1 }
    else runs.push({ from: Clock, to, price, first, count: 1 })
  }
  return runs
}

/** What is said of a day's prices; null: none is known. */
export function priceFigures(quarters: readonly Quarter[]) {
  const prices = quarters.flatMap(({ Price }) => (Price === null ? [] : Number(Price)))
  if (prices.length === 0) return null
  return {
    ...{
      least: Math.min(...prices),
      most: Math.max(...prices),
      mean: prices.reduce((sum, each) => sum + each, 0) / prices.length,
    },
    ...{ negative: prices.filter((each) => each < 0).length, unknown: quarters.length - prices.length },
  }
}

/** From where to where the axis goes: nought is always on it. */
export function priceAxis(least: number, most: number) {
  const [low, high] = [Math.min(0, least), Math.max(0, most)]
  const { step } = scaleOf(high - low || 1)
  return { bottom: Math.floor(low / step) * step, top: Math.ceil(high / step) * step, step }
}
