import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brokenPath, dayScale, daysWritten, dayText, roundTicks } from './scale.ts'

test.each([
  [16.9, [0, 5, 10, 15, 20]],
  [15, [0, 5, 10, 15]],
  [51, [0, 20, 40, 60]],
  [0.4, [0, 0.1, 0.2, 0.3, 0.4]],
])('values up to %s are written at %j', (most, ticks) => {
  expect(roundTicks(most)).toEqual(ticks)
})

test('an axis holds its highest value, begins at zero and has a few steps, whatever the value', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), (most) => {
      const ticks = roundTicks(most)
      expect(ticks[0]).toBe(0)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most * (1 - 1e-6))
      expect(ticks.length).toBeGreaterThan(2)
      expect(ticks.length).toBeLessThan(7)
    }),
  )
})

test('days stand side by side over the whole width, and the last one is always written', () => {
  const x = dayScale(100, 109, 0, 500)
  expect([x.width, x.at(100), x.at(109)]).toEqual([50, 25, 475])
  expect(daysWritten(100, 134, 400)).toEqual([106, 113, 120, 127, 134])
  expect(daysWritten(100, 134, 120).at(-1)).toBe(134)
  expect(dayText(20_781)).toBe('11-24')
})

test('a line is broken where a value is missing, never joined', () => {
  const days = [1, 2, null, 4, null]
  const path = brokenPath(
    days.map((value, at) => ({ value, at })),
    ({ at }) => at * 10,
    ({ value }) => value,
  )
  expect(path).toBe('M0.0 1.0L10.0 2.0M30.0 4.0')
})
