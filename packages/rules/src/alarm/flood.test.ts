import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import { floodAbove, floodAt, floodEndsBelow, floodWindowMs } from './flood.ts'

const secondMs = 1_000
const now = Date.UTC(2026, 0, 15, 8)
const each = (count: number, everyMs: number, from = now) => Array.from({ length: count }, (_, index) => from + index * everyMs)

test('eleven announcements in ten minutes are a flood since the eleventh, ten are none', () => {
  expect(floodAt(each(10, secondMs), now + 20 * secondMs)).toBeNull()
  expect(floodAt(each(11, secondMs), now + 20 * secondMs)).toEqual({ since: now + 10 * secondMs, announced: 11 })
  expect(floodAt(each(11, 60_001), now + 20 * 60_000)).toBeNull()
})

test('a flood goes on until fewer than five are within ten minutes, and not until ten', () => {
  const flood = each(20, secondMs)
  const fifthLast = now + 15 * secondMs
  expect(floodAt(flood, fifthLast + floodWindowMs - 1)).toMatchObject({ announced: 20 })
  expect(floodAt(flood, fifthLast + floodWindowMs)).toBeNull()
})

test('after it has ended, six more are no flood', () => {
  expect(floodAt([...each(20, secondMs), ...each(6, secondMs, now + 3_600_000)], now + 3_610_000)).toBeNull()
})

/** The same, moment by moment. */
function stepByStep(announcedAt: readonly number[], to: number): boolean {
  let floods = false
  for (let at = Math.min(to, ...announcedAt); at <= to; at += secondMs) {
    const count = announcedAt.filter((each) => each > at - floodWindowMs && each <= at).length
    if (!floods && count > floodAbove) floods = true
    else if (floods && count < floodEndsBelow) floods = false
  }
  return floods
}

test('it is what somebody who counts every second finds', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 2_400 }), { maxLength: 60 }),
      fc.integer({ min: 0, max: 3_600 }),
      (given, until) => {
        const times = given.toSorted((a, b) => a - b).map((second) => now + second * secondMs)
        const at = now + until * secondMs
        expect(floodAt(times, at) !== null).toBe(
          stepByStep(
            times.filter((time) => time <= at),
            at,
          ),
        )
      },
    ),
    { numRuns: lawRuns(1_000) },
  )
})
