import { hourMs, minuteMs } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { outcomesOf } from './linkage-outcomes.ts'

const limits = { cooldownS: 300, maxPerHour: 2, maxPerDay: 3 }
const always = () => true

test('a firing within the cooldown of the one before is left out', () => {
  expect(outcomesOf([0, 4 * minuteMs, 5 * minuteMs], limits, false, always)).toEqual({
    outcomes: ['fired', 'cooldown', 'fired'],
    haltedAt: null,
  })
})

test('past what an hour may have it halts, and nothing fires after that', () => {
  const at = [0, 10, 20, 200].map((minutes) => minutes * minuteMs)
  expect(outcomesOf(at, limits, false, always)).toEqual({
    outcomes: ['fired', 'fired', 'maxPerHour', 'halted'],
    haltedAt: 20 * minuteMs,
  })
})

test('past what a day may have it halts', () => {
  const at = [0, 2, 4, 6].map((hours) => hours * hourMs)
  expect(outcomesOf(at, limits, false, always).outcomes).toEqual(['fired', 'fired', 'fired', 'maxPerDay'])
})

test('trips on danger alarms have no limits', () => {
  expect(outcomesOf([0, 1, 2, 3, 4], limits, true, always)).toEqual({ outcomes: Array(5).fill('fired'), haltedAt: null })
})

test('what rises outside its hours does nothing and counts for nothing', () => {
  const at = [0, 10, 20, 30].map((minutes) => minutes * minuteMs)
  expect(outcomesOf(at, limits, false, (each) => each >= 10 * minuteMs).outcomes).toEqual([
    'outsideHours',
    'fired',
    'fired',
    'maxPerHour',
  ])
})
