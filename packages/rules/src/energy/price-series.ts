import { minuteMs } from '@linewarden/equipment'
import type { Amount } from './money.ts'
import { quarterMs } from './slots.ts'

export const priceMinutes = [15, 30, 60] as const

/** One price of a series, as in a day-ahead market. */
export interface SeriesPrice {
  /** Unix ms, where it begins. */
  readonly at: number
  readonly minutes: (typeof priceMinutes)[number]
  /** Per kWh in 10^-8; it can be negative. Null: not known. */
  readonly price: bigint | null
}

/** The prices of quarters: one of an hour is the price of its four quarters. Null: not known. Of two for one quarter the later in the list counts. */
export function pricesOfQuarters(series: readonly SeriesPrice[], slots: readonly number[]): readonly (bigint | null)[] {
  const bySlot = new Map<number, bigint | null>()
  for (const { at, minutes, price } of series)
    for (let slot = at; slot < at + minutes * minuteMs; slot += quarterMs) bySlot.set(slot, price)
  return slots.map((slot) => bySlot.get(slot) ?? null)
}

/** What quarters cost by a series, and of how many with energy the price is not known (缺刻电价). */
export interface SeriesFee {
  /** Of the quarters with a price. */
  readonly fee: Amount
  readonly unpricedQuarters: number
}

export function feeBySeries(wh: readonly (number | null)[], prices: readonly (bigint | null)[]): SeriesFee {
  let fee = 0n
  let unpricedQuarters = 0
  for (const [index, each] of wh.entries()) {
    const price = prices[index] ?? null
    if (each === null) continue
    if (price === null) unpricedQuarters += 1
    else fee += BigInt(each) * price
  }
  return { fee, unpricedQuarters }
}

/** A position of a block, counted from 1. */
export interface BlockPosition {
  readonly position: number
  readonly price: bigint
}

/** Why a block of prices is not imported. */
export type BlockProblem = 'noPositions' | 'unsorted' | 'outside' | 'notWhole'

/**
 * Opens a block with curve type A03 (variable sized block, ENTSO-E): a position that is left out repeats the last one before it. A block of a day on
 * which clocks change has 23 or 25 hours of positions, which its own ends say.
 */
export function openBlock(block: {
  readonly from: number
  readonly to: number
  readonly minutes: SeriesPrice['minutes']
  readonly points: readonly BlockPosition[]
}): readonly SeriesPrice[] | BlockProblem {
  const { from, to, minutes, points } = block
  const count = (to - from) / (minutes * minuteMs)
  if (!Number.isInteger(count) || count < 1) return 'notWhole'
  if (points[0]?.position !== 1) return points.length === 0 ? 'noPositions' : 'outside'
  const prices: SeriesPrice[] = []
  for (const [index, { position, price }] of points.entries()) {
    const next = points[index + 1]?.position ?? count + 1
    if (position > count || next > count + 1) return 'outside'
    if (next <= position) return 'unsorted'
    for (let each = position; each < next; each++) prices.push({ at: from + (each - 1) * minutes * minuteMs, minutes, price })
  }
  return prices
}
