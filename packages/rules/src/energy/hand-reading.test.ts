import { hourMs, minuteMs } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { handReadingProblem } from './hand-reading.ts'
import { How, quartersOf } from './quarters.ts'
import type { RegisterReading } from './register.ts'
import { registerOf } from './register.ts'
import { quarterMs } from './slots.ts'
import { evenly } from './test-energy.ts'

const at = (minutes: number, kwh: number, isTyped = false): RegisterReading => ({
  ...{ at: minutes * minuteMs, kwh, quality: 0 },
  ...(isTyped && { isTyped }),
})
/** A kWh an hour for an hour, silent for two, and three hours on again. */
const silent = [...minutes(0, 60, 100), ...minutes(180, 240, 107)]
function minutes(from: number, to: number, kwh: number) {
  return Array.from({ length: to - from + 1 }, (_, index) => at(from + index, kwh + index / 60))
}

function quarters(readings: readonly RegisterReading[]) {
  const slots = Array.from({ length: 16 }, (_, index) => index * quarterMs)
  const question = { now: 10 * hourMs, periodMs: minuteMs, usual: evenly }
  const { wh, how } = quartersOf(registerOf(readings, [], 63), slots, question)
  return { wh, how: [...how] }
}
const sum = (values: readonly (number | null)[]) => values.reduce<number>((total, each) => total + (each ?? 0), 0)

test('a register that somebody read within a silence parts its energy, and all of it stays the same', () => {
  const [without, withOne] = [quarters(silent), quarters([...silent, at(120, 105, true)])]
  expect([sum(withOne.wh), sum(without.wh)]).toEqual([8_000, 8_000])
  expect(without.wh.slice(4, 12)).toEqual(Array(8).fill(750))
  expect(withOne.wh.slice(4, 12)).toEqual([1_000, 1_000, 1_000, 1_000, 500, 500, 500, 500])
  expect(withOne.how.slice(4, 12)).toEqual(Array(8).fill(How.spread))
})

test('one that is read each quarter of a silence makes entered quarters', () => {
  const read = [75, 90, 105, 120, 135, 150, 165].map((minute) => at(minute, 101 + (minute - 60) / 20, true))
  expect(quarters([...silent, ...read]).how.slice(4, 12)).toEqual(Array(8).fill(How.entered))
})

test('one that is read after the last report makes energy up to it', () => {
  const { wh, how } = quarters([...minutes(0, 60, 100), at(120, 103, true)])
  expect(wh.slice(3, 9)).toEqual([250, 500, 500, 500, 500, null])
  expect(how.slice(7, 9)).toEqual([How.spread, How.missing])
})

test.each([
  ['above what was reported next', at(120, 108, true)],
  ['below what was reported just before', at(120, 100.5, true)],
])('one %s says nothing: it would be a reset', (_name, typed) => {
  expect(quarters([...silent, typed])).toEqual(quarters(silent))
})

const beside = { before: { at: 60, kwh: 101 }, after: { at: 180, kwh: 107 } }
const known = { since: 0, now: 1_000 }
test.each([
  ['between both', 120, 105, beside, null],
  ['as the one before', 120, 101, beside, null],
  ['after the last', 200, 110, { before: { at: 180, kwh: 107 }, after: null }, null],
  ['above a register that was reset after it', 120, 105, { ...beside, after: { at: 180, kwh: 3 } }, null],
  ['below the one before', 120, 100, beside, { problem: 'below', read: beside.before }],
  ['above the one after', 120, 108, beside, { problem: 'above', read: beside.after }],
  ['in the future', 1_001, 200, beside, { problem: 'future' }],
])('a register %s', (_name, instant, kwh, read, problem) => {
  expect(handReadingProblem({ at: instant, kwh }, read, known)).toEqual(problem)
})

test('before anything was read nothing is entered so', () => {
  const alone = { before: null, after: beside.before }
  expect(handReadingProblem({ at: 50, kwh: 100 }, alone, { since: 60, now: 1_000 })).toEqual({ problem: 'beforeReadings' })
  expect(handReadingProblem({ at: 50, kwh: 100 }, alone, { since: null, now: 1_000 })).toEqual({ problem: 'beforeReadings' })
})
