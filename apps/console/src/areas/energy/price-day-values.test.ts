import { expect, test } from 'vitest'
import { priceAxis, priceFigures, priceRuns } from './price-day-values.ts'

const quarters = ['0.2', '0.2', '-0.05', null].map((Price, index) => ({ At: index, Clock: `00:${index * 15 || '00'}`, Price }))

test('quarters of one price are one row, and what is not known is one of its own', () => {
  expect(priceRuns(quarters).map(({ from, to, price }) => [from, to, price])).toEqual([
    ['00:00', '00:30', 0.2],
    ['00:30', '00:45', -0.05],
    ['00:45', '24:00', null],
  ])
})

test('prices below nought and those that are not known are counted', () => {
  expect(priceFigures(quarters)).toEqual({ least: -0.05, most: 0.2, mean: expect.closeTo(0.35 / 3), negative: 1, unknown: 1 })
  expect(priceFigures(quarters.slice(3))).toBe(null)
})

test.each([
  [-0.03, 0.65, -0.2, 0.8],
  [0.2, 0.4, 0, 0.4],
  [-0.4, -0.1, -0.4, 0],
  [0, 0, 0, 0],
])('an axis from %d to %d has nought on it', (least, most, bottom, top) => {
  const axis = priceAxis(least, most)
  expect(axis.bottom).toBeCloseTo(bottom)
  expect(axis.top).toBeCloseTo(top)
})
