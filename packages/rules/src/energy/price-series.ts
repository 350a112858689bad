import { minuteMs } from '@linewarden/equipment'
import type { Amount } from './money.ts'

export const priceMinutes = [15, 30, 60] as const

/** One price of a series, as in a day-ahead market. */
export interface SeriesPrice {
  /** Unix ms, where it begins. */
  readonly at: number
  readonly minutes: (typeof priceMinutes)[number]
  /** Per kWh in 10^-8; it can be negative. Null: not known. */
  readonly price: bigint | null
}

/** Bands of quarters that a series prices, too: none where its price is not known (缺刻电价). */
export const bandsWithPrices = (
  bands: readonly (number | null)[],
  prices: readonly (bigint | null)[],
): readonly (number | null)[] => bands.map((band, index) => ((prices[index] ?? null) === null ? null : band))

/** What a series makes of the energy of quarters, not rounded, by their bands. */
export function seriesByBand(
  wh: readonly (number | null)[],
  bands: readonly (number | null)[],
  prices: readonly (bigint | null)[],
  bandCount: number,
): readonly Amount[] {
  const sums = new Array<Amount>(bandCount).fill(0n)
  for (const [index, each] of wh.entries()) {
    const [band, price] = [bands[index] ?? null, prices[index] ?? null]
    if (each !== null && band !== null && price !== null && band < bandCount)
      sums[band] = (sums[band] ?? 0n) + BigInt(each) * price
  }
  return sums
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
  const nextOf = (index: number) => points[index + 1]?.position ?? count + 1
  // All of them before any is opened: what is wrong at its end costs nothing.
  for (const [index, { position }] of points.entries()) {
    if (position > count || nextOf(index) > count + 1) return 'outside'
    if (nextOf(index) <= position) return 'unsorted'
  }
  const prices: SeriesPrice[] = []
  for (const [index, { position, price }] of points.entries())
    for (let each = position; each < nextOf(index); each++)
      prices.push({ at: from + (each - 1) * minutes * minuteMs, minutes, price })
  return prices
}
