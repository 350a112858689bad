import { expect, test } from 'vitest'
import { Limits } from './limits.ts'

const taken = (limits: Limits, key: string, now: number, times: number) =>
  Array.from({ length: times }, () => limits.take(key, now)).filter(Boolean).length

test('so many at once, then so many a second, each key by itself', () => {
  const limits = new Limits(10, 2)
  expect(taken(limits, 'a', 0, 20)).toBe(10)
  expect(taken(limits, 'b', 0, 5)).toBe(5)
  expect(taken(limits, 'a', 1_500, 20)).toBe(3)
  expect(taken(limits, 'a', 60_000, 20)).toBe(10)
})

test('a clock that goes back gives nothing away', () => {
  const limits = new Limits(2, 1)
  expect(taken(limits, 'a', 10_000, 2)).toBe(2)
  expect(taken(limits, 'a', 0, 1)).toBe(0)
})

test('a flood from ever new addresses does not grow without end', () => {
  const limits = new Limits(3, 1)
  for (let i = 0; i < 30_000; i++) limits.take(`address ${i}`, 0)
  expect(limits.take('somebody else', 0)).toBe(true)
})
