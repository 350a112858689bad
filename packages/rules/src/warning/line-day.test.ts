import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { HourRow } from './hours.ts'
import { hourCounts, lineHours, spanOfDays } from './hours.ts'
import { leakageDay } from './line-day.ts'

const row = (hour: number, more: Partial<HourRow> = {}): HourRow => ({
  hour,
  day: Math.floor(hour / 24),
  slot: hour % 24,
  counts: true,
  squareA2: [100],
  maxA: [12],
  terminalC: [30, 31],
  residualMa: hour % 24,
  ...more,
})
const dayOf = (rows: readonly HourRow[], day = 0) => {
  const hours = lineHours(rows)
  return leakageDay(day, hours, spanOfDays(hours, day, day))
}
const wholeDay = Array.from({ length: 24 }, (_, hour) => row(hour))

test.each<[string, Partial<Parameters<typeof hourCounts>[0]>, boolean]>([
  ['closed throughout, every sample there', {}, true],
  ['half of the samples', { coverage: 0.5 }, true],
  ['less than half of the samples', { coverage: 0.49 }, false],
  ['open for a moment', { closedThroughout: false }, false],
  ['a clock in doubt', { clockMarked: true }, false],
])('an hour, %s: counts %j', (_, more, expected) =>
  expect(hourCounts({ closedThroughout: true, coverage: 1, clockMarked: false, ...more })).toBe(expected),
)

test('the floor of a day is its quiet fifth, the peak its highest hour', () =>
  expect(dayOf(wholeDay)).toEqual({ day: 0, floorMa: expect.closeTo(4.6, 9), peakMa: 23 }))

test('five hours have no quiet fifth, six have', () => {
  expect(dayOf(wholeDay.slice(0, 5)).floorMa).toBeNull()
  expect(dayOf(wholeDay.slice(0, 6)).floorMa).toBe(1)
})

test('hours that do not count, and values that are not known, are no zero', () => {
  const rows = wholeDay.map((each, hour) =>
    hour < 6 ? row(hour, { counts: false }) : hour < 12 ? row(hour, { residualMa: Number.NaN }) : each,
  )
  expect(dayOf(rows).floorMa).toBeCloseTo(14.2, 9)
})

test('nothing of a day is nothing, not zero', () => expect(dayOf(wholeDay, 1)).toEqual({ day: 1, floorMa: null, peakMa: null }))

test('duplicate, reordered and late hours give the same day', () => {
  const two = Array.from({ length: 48 }, (_, hour) => row(hour))
  const expected = [dayOf(two, 0), dayOf(two, 1)]
  fc.assert(
    fc.property(fc.shuffledSubarray(two, { minLength: 48 }), fc.shuffledSubarray(two), (shuffled, twice) => {
      const rows = [...shuffled, ...twice]
      expect([dayOf(rows, 0), dayOf(rows, 1)]).toEqual(expected)
    }),
    { numRuns: lawRuns(2_000) },
  )
})

test('of an hour that came twice the later row is taken', () => {
  const rows = [...wholeDay, ...wholeDay.map((each) => ({ ...each, residualMa: 50 }))]
  expect(dayOf(rows)).toEqual({ day: 0, floorMa: 50, peakMa: 50 })
})
