import { minuteMs } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import type { RunningRead } from './running.ts'
import { runningOf } from './running.ts'

const now = Date.UTC(2026, 2, 1, 10, 22)
const madeTo = Date.UTC(2026, 2, 1, 10, 15)
const asked = { now, periodMs: minuteMs, ratedCurrentA: 63 }
/** Half a kWh an hour over a quarter's end, which lies between two readings. */
const read: RunningRead = {
  madeTo,
  before: { at: madeTo - minuteMs, kwh: 100 },
  after: { at: madeTo + minuteMs, kwh: 100.1 },
  last: { at: madeTo + 6 * minuteMs, kwh: 100.4 },
}
const meter = { to: null, registerMaxKwh: null, startRegisterKwh: null, endRegisterKwh: null }

test.each<readonly [string, Partial<RunningRead>, number | null]>([
  ['what the register rose since the quarter ended', {}, 350],
  ['nothing was used since', { after: { at: madeTo + minuteMs, kwh: 100 }, last: { at: now, kwh: 100 } }, 0],
  ['nothing was read before', { before: null }, null],
  ['nothing was read since', { after: null, last: null }, null],
  ['it has been silent for more than a quarter of an hour', { last: { at: now - 16 * minuteMs, kwh: 100.4 } }, null],
  ['its quarters are hours behind', { madeTo: madeTo - 9 * 15 * minuteMs }, null],
])('%s', (_name, more, wh) => {
  expect(runningOf({ ...read, ...more }, [], asked)).toBe(wh)
})

test('a meter counts by its multiplier, and another one from the middle on says nothing', () => {
  expect(runningOf(read, [{ ...meter, from: Number.NEGATIVE_INFINITY, multiplier: 60 }], asked)).toBe(21_000)
  const replaced = madeTo + 3 * minuteMs
  const meters = [
    { ...meter, from: Number.NEGATIVE_INFINITY, to: replaced, multiplier: 1 },
    { ...meter, from: replaced, multiplier: 1 },
  ]
  expect(runningOf({ ...read, last: { at: now, kwh: 0.2 } }, meters, asked)).toBe(null)
})
