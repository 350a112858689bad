import { expect, test } from 'vitest'
import { countUnknown, newCounters } from './counters.ts'

test('a server that has received nothing has counted nothing', () => {
  const { unknown, ...counts } = newCounters()
  expect(counts).toEqual({ messages: 0, readings: 0, quarantined: 0, duplicates: 0, rebirths: 0 })
  expect(unknown.size).toBe(0)
})

test('of names nobody understands the first two hundred are kept, and counted on', () => {
  const counters = newCounters()
  for (let round = 0; round < 2; round++)
    for (let each = 0; each < 250; each++) countUnknown(counters, `metric ${each}`, 'breaker3p')
  expect([...counters.unknown.values()].map(({ name, count }) => [name, count])).toEqual(
    Array.from({ length: 200 }, (_, each) => [`metric ${each}`, 2]),
  )
})
