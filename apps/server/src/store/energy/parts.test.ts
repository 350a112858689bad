import { dayMs } from '@linewarden/equipment'
import { quarterMs } from '@linewarden/rules/energy'
import { expect, test } from 'vitest'
import { inParts, maxReadings } from './parts.ts'

const daysOf = (lines: number, length = dayMs) =>
  Array.from({ length: lines }, (_, index) => ({ lineId: index + 1, from: 0, to: length }))
const reporting = (periodMs: number) => new Map(Array.from({ length: 1_000 }, (_, index) => [index + 1, periodMs]))

test('days of lines that report each second are made one by one, and those that report each minute many at once', () => {
  expect(inParts(daysOf(3), reporting(1_000)).map((part) => part.length)).toEqual([1, 1, 1])
  const parts = inParts(daysOf(400), reporting(60_000))
  expect(parts.flat()).toEqual(daysOf(400))
  for (const part of parts) expect(part.length * 1_440).toBeLessThanOrEqual(maxReadings)
  expect(parts.length).toBeLessThan(8)
})

test('quarters of four hundred lines are made at once, also of lines that report when something changes', () => {
  expect(inParts(daysOf(400, quarterMs), reporting(0))).toHaveLength(1)
})

test('a line that reports every tenth of a second is made all the same, and nothing makes no part', () => {
  expect(inParts(daysOf(2), reporting(100))).toHaveLength(2)
  expect(inParts([], reporting(1_000))).toEqual([])
})
