import { expect, test } from 'vitest'
import { civilZone } from './civil-time.ts'
import { isActiveAt } from './linkage-hours.ts'

const zone = civilZone('Asia/Shanghai')
/** Friday 20 November 2026 and the days around it, on the clock of Shanghai. */
const at = (day: number, hour: number, minute = 0) => Date.UTC(2026, 10, day, hour - 8, minute)
const weekdays = 0b0011111

test('without hours it always acts', () => expect(isActiveAt([], zone, at(21, 3))).toBe(true))

test.each([
  ['as they begin', at(20, 8), true],
  ['before them', at(20, 7, 59), false],
  ['as they end', at(20, 18), false],
  ['on another day', at(21, 9), false],
])('hours of weekdays, %s', (_, when, active) => {
  expect(isActiveAt([{ days: weekdays, from: '08:00', to: '18:00' }], zone, when)).toBe(active)
})

test.each([
  ['in the evening of their day', at(20, 22), true],
  ['in the morning after', at(21, 5, 59), true],
  ['as they end', at(21, 6), false],
  ['in the morning after a day that is none of theirs', at(22, 5), false],
  ['in the morning of their first day', at(16, 5), false],
])('hours over midnight, %s', (_, when, active) => {
  expect(isActiveAt([{ days: weekdays, from: '20:00', to: '06:00' }], zone, when)).toBe(active)
})

test('hours that end as they begin are a whole day', () => {
  const hours = [{ days: 1 << 4, from: '00:00', to: '00:00' }]
  expect([at(20, 0), at(20, 23, 59), at(21, 0)].map((when) => isActiveAt(hours, zone, when))).toEqual([true, true, false])
})
