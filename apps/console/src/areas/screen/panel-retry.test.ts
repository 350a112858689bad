import { expect, test } from 'vitest'
import { isGivenUp, panelRetryMs } from './panel-retry.ts'

test('a panel is tried again after five, thirty, and then each three hundred seconds', () => {
  expect([1, 2, 3, 4, 9].map(panelRetryMs)).toEqual([5_000, 30_000, 300_000, 300_000, 300_000])
})

test('a page that failed three times within ten minutes is given up; failures of long ago count no more', () => {
  expect(isGivenUp([0, 1, 2], 599_999)).toBe(true)
  expect(isGivenUp([0, 1], 2)).toBe(false)
  expect(isGivenUp([0, 1, 600_001], 600_001)).toBe(false)
})
