import { expect, test } from 'vitest'
import { floodFrom, isFlood } from './wall-flood.ts'

const events = (count: number, AddTime: number) => Array.from({ length: count }, () => ({ AddTime }))

test('sixty events within a minute are a flood; as many over a longer time are none', () => {
  expect(isFlood(events(floodFrom, 1_000), 60_000)).toBe(true)
  expect(isFlood(events(floodFrom - 1, 1_000), 60_000)).toBe(false)
  expect(isFlood([...events(1, 0), ...events(floodFrom - 1, 30_000)], 60_000)).toBe(false)
})
