import { expect, test } from 'vitest'
import { isStale, stalePeriods } from './link.ts'

const last = 1_000_000

test('a gateway is stale after three of its own reporting periods without a message', () => {
  expect(stalePeriods).toBe(3)
  expect(isStale(last, 10_000, last + 30_000)).toBe(false)
  expect(isStale(last, 10_000, last + 30_001)).toBe(true)
})

test('a slow gateway has longer', () => {
  expect(isStale(last, 60_000, last + 30_001)).toBe(false)
})

test('a clock that steps back makes nobody stale', () => {
  expect(isStale(last, 10_000, last - 3_600_000)).toBe(false)
})
