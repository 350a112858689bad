import { priorities } from '@linewarden/equipment'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import { hazardOfDeduction, hazardPoints, isAcceptable, isGraver } from './hazard.ts'

test.each<[string, string, number, object | null]>([
  ['seven points are none', 'heat', 7, null],
  ['eight are one of medium level', 'setting.over', 8, { key: 'exam.setting.over', level: 'medium' }],
  ['fourteen still', 'residual', 14, { key: 'exam.residual', level: 'medium' }],
  ['fifteen are high', 'heat', 15, { key: 'exam.heat', level: 'high' }],
  ['a failed self-test is that of its alarm', 'selfTest', 25, { key: 'selfTest.failed', level: 'high' }],
  ['an overdue one is that of the test plan', 'selfTest', 8, { key: 'selfTest.overdue', level: 'medium' }],
  ['a contact is that of its finding', 'finding.contact', 20, { key: 'contact', level: 'high' }],
  ['an alarm is that of the alarm', 'alarms:trip.arc', 15, { key: 'trip.arc', level: 'high' }],
  ['an overdue order is no hazard of its own', 'orders', 8, null],
])('a deduction: %s', (_, key, deduct, is) => {
  expect(hazardOfDeduction({ key, deduct })).toEqual(is)
})

test('of no deduction below eight points there is a hazard, whatever it is of', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 0, max: hazardPoints - 1 }), (key, deduct) => {
      expect(hazardOfDeduction({ key, deduct })).toBe(null)
    }),
    { numRuns: lawRuns(2_000) },
  )
})

test('what is graver goes one way only', () => {
  const order = [...priorities].toReversed()
  for (const [i, a] of order.entries()) for (const [j, b] of order.entries()) expect(isGraver(a, b)).toBe(i > j)
})

test('what somebody works on, waits for its proof or is gone is not accepted', () => {
  expect((['open', 'ordered', 'verifying', 'gone', 'accepted'] as const).map(isAcceptable)).toEqual([
    true,
    false,
    false,
    false,
    true,
  ])
})
