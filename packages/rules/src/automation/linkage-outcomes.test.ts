import { hourMs, minuteMs } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { outcomesOf } from './linkage-outcomes.ts'

const limits = { cooldownS: 300, maxPerHour: 2, maxPerDay: 3 }
const always = () => true
const at = (ats: readonly number[], isDangerTrip = false) => ats.map((each) => ({ at: each, isDangerTrip }))

test('a firing within the cooldown of the one before is left out', () => {
  expect(outcomesOf(at([0, 4 * minuteMs, 5 * minuteMs]), limits, always)).toEqual({
    outcomes: ['fired', 'cooldown', 'fired'],
    haltedAt: null,
  })
})

test('past what an hour may have it halts, and nothing fires after that', () => {
  const times = [0, 10, 20, 200].map((minutes) => minutes * minuteMs)
  expect(outcomesOf(at(times), limits, always)).toEqual({
    outcomes: ['fired', 'fired', 'maxPerHour', 'halted'],
    haltedAt: 20 * minuteMs,
  })
})

test('past what a day may have it halts', () => {
  const times = [0, 2, 4, 6].map((hours) => hours * hourMs)
  expect(outcomesOf(at(times), limits, always).outcomes).toEqual(['fired', 'fired', 'fired', 'maxPerDay'])
})

test('trips on danger alarms have no limits', () => {
  expect(outcomesOf(at([0, 1, 2, 3, 4], true), limits, always)).toEqual({ outcomes: Array(5).fill('fired'), haltedAt: null })
})

test('a firing that is for a danger passes the limits; one beside it that is for something else does not', () => {
  const mixed = [0, 10, 20, 30].map((minutes, index) => ({ at: minutes * minuteMs, isDangerTrip: index === 2 }))
  expect(outcomesOf(mixed, limits, always).outcomes).toEqual(['fired', 'fired', 'fired', 'maxPerHour'])
})

test('what has halted still trips for a danger, and nothing else', () => {
  const mixed = [0, 10, 20, 30, 40].map((minutes, index) => ({ at: minutes * minuteMs, isDangerTrip: index === 3 }))
  expect(outcomesOf(mixed, limits, always)).toEqual({
    outcomes: ['fired', 'fired', 'maxPerHour', 'fired', 'halted'],
    haltedAt: 20 * minuteMs,
  })
})

test('what rises outside its hours does nothing and counts for nothing', () => {
  const times = [0, 10, 20, 30].map((minutes) => minutes * minuteMs)
  expect(outcomesOf(at(times), limits, (each) => each >= 10 * minuteMs).outcomes).toEqual([
    'outsideHours',
    'fired',
    'fired',
    'maxPerHour',
  ])
})
