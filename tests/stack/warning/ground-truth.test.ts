import { expect, test } from 'vitest'
import { falseFindings } from '../../kit/warning-truth/measure-daily.ts'
import { liveFalseFindings } from '../../kit/warning-truth/measure-live.ts'
import { arcFalseFindings, releaseFalseFindings } from '../../kit/warning-truth/measure-slow.ts'
import { faultRows } from '../../kit/warning-truth/table.ts'

/** The bench `warnings` in small: few faults of each kind, so that a detector that finds nothing, or anything, is noticed at once. */
const faults = 8

test.each(faultRows(1, faults, {}, 1).map((row) => [row.detector, row] as const))(
  'most faults of %s are found',
  (detector, row) => {
    // Within hours only half of the steps show that days show for certain.
    expect(row.foundPercent).toBeGreaterThanOrEqual(detector === 'leakage.step hourly' ? 10 : 75)
  },
)

test('sound lines raise next to nothing', () => {
  expect(Object.values(falseFindings(1, 4)).reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(1)
  expect(Object.values(liveFalseFindings(1, 20)).reduce((sum, each) => sum + each, 0)).toBe(0)
  expect(arcFalseFindings(1, 50)).toBeLessThanOrEqual(5)
  expect(releaseFalseFindings(1, 50)).toBe(0)
})

test('the same seed brings the same lines, and so the same findings', () =>
  expect(faultRows(3, 3, {}, 1)).toEqual(faultRows(3, 3, {}, 1)))
