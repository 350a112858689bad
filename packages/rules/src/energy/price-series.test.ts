import { expect, test } from 'vitest'
import { civilZone, parseDate } from '../automation/civil-time.ts'
import { builtInCarbonFactors, carbonFactorOf, carbonG, carbonOf } from './carbon.ts'
import { quartersOfSeries } from './price-import.ts'
import type { SeriesPrice } from './price-series.ts'
import { bandsWithPrices, openBlock, seriesByBand } from './price-series.ts'
import { quarterMs, slotsOfDay, startOfDay } from './slots.ts'

const berlin = civilZone('Europe/Berlin')
const dayOf = (date: string) => {
  const day = parseDate(date)!
  return { slots: slotsOfDay(berlin, day), from: startOfDay(berlin, day), to: startOfDay(berlin, day + 1) }
}
const point = (position: number, price: number) => ({ position, price: BigInt(price) })

test('a position that is left out repeats the one before it', () => {
  const { from, to } = dayOf('2026-06-01')
  const opened = openBlock({ from, to, minutes: 60, points: [point(1, 10), point(3, -20)] }) as readonly SeriesPrice[]
  expect(opened.map(({ price }) => Number(price))).toEqual([10, 10, ...Array(22).fill(-20)])
})

test.each([
  ['2025-03-30', 92],
  ['2024-10-27', 100],
])('on %s, when clocks change, a price of an hour is the price of its four quarters', (date, quarters) => {
  const { slots, from, to } = dayOf(date)
  const opened = openBlock({ from, to, minutes: 60, points: Array.from({ length: quarters / 4 }, (_, i) => point(i + 1, i)) })
  const laid = quartersOfSeries(opened as readonly SeriesPrice[])
  expect([laid.from, laid.prices.length]).toEqual([from, slots.length])
  expect(laid.prices.map(Number)).toEqual(Array.from({ length: quarters }, (_, index) => Math.floor(index / 4)))
})

test.each([
  ['no positions at all', [], 'noPositions'],
  ['a first position that is not 1', [point(2, 1)], 'outside'],
  ['twenty-four prices on a day of twenty-three hours', [point(1, 1), point(24, 1)], 'outside'],
  ['a position twice', [point(1, 1), point(5, 1), point(5, 2)], 'unsorted'],
  ['positions that fall', [point(1, 1), point(5, 1), point(4, 2)], 'unsorted'],
] as const)('%s is refused', (_name, points, problem) => {
  const { from, to } = dayOf('2025-03-30')
  expect(openBlock({ from, to, minutes: 60, points })).toBe(problem)
})

test('a block that is not whole positions is refused', () =>
  expect(openBlock({ from: 0, to: 5 * quarterMs, minutes: 60, points: [point(1, 1)] })).toBe('notWhole'))

test('a price that is not known takes the band of its quarter and of no other, and a negative one lowers the cost', () => {
  const series: readonly SeriesPrice[] = [
    { at: 0, minutes: 15, price: 30_000_000n },
    { at: quarterMs, minutes: 15, price: -10_000_000n },
    { at: 2 * quarterMs, minutes: 15, price: null },
  ]
  const prices = quartersOfSeries(series).prices.map((each) => each ?? null)
  expect(prices).toEqual([30_000_000n, -10_000_000n, null])
  const bands = bandsWithPrices([0, 1, 0, 1], prices)
  expect(bands).toEqual([0, 1, null, null])
  expect(seriesByBand([1_000, 1_000, 1_000, null], bands, prices, 2)).toEqual([30_000_000_000n, -10_000_000_000n])
})

const cn = { region: 'CN', basis: 'average' } as const

test('carbon goes by the year of use; the latest before one that is not published is provisional', () => {
  const of = (year: number) => {
    const found = carbonFactorOf(builtInCarbonFactors, cn, year)
    return found && [found.factor.kgPerKwh, found.isProvisional]
  }
  expect([2021, 2022, 2023, 2026].map(of)).toEqual([null, ['0.5366', false], ['0.5306', false], ['0.5306', true]])
  expect(carbonFactorOf(builtInCarbonFactors, { region: 'NL', basis: 'average' }, 2026)).toBeNull()
})

test('carbon of parts is carbon of the whole', () => {
  const factor = builtInCarbonFactors[0]!
  expect(carbonOf(333, factor)! + carbonOf(667, factor)!).toBe(carbonOf(1_000, factor))
  expect(carbonG(carbonOf(1_000, factor)!)).toBeCloseTo(536.6)
  expect(carbonOf(1, { ...factor, kgPerKwh: 'much' })).toBeNull()
})
