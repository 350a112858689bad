import { expect, test } from 'vitest'
import { How } from './quarters.ts'
import type { PastDay } from './usual-course.ts'
import { usualDay } from './usual-course.ts'

const clock = Array.from({ length: 96 }, (_, index) => index)
const pastDay = (wh: number, unmeasured = 0): PastDay => ({
  wh: clock.map(() => wh),
  how: Uint8Array.from(clock, (index) => (index < unmeasured ? How.spread : How.measured)),
  clockQuarters: clock,
})

test('the usual day is the median of days that were measured', () => {
  expect(usualDay([pastDay(100), pastDay(900), pastDay(300)])).toEqual(clock.map(() => 300))
  expect(usualDay([pastDay(100), pastDay(300)])).toEqual(clock.map(() => 200))
})

test('one day is no usual one, nor are days of which less than 95 % was measured', () => {
  expect(usualDay([pastDay(100)])).toBeNull()
  expect(usualDay([pastDay(100), pastDay(100, 5)])).toBeNull()
  expect(usualDay([pastDay(100), pastDay(300, 4)])).not.toBeNull()
})

test('a quarter that was measured on none of them makes none usual', () =>
  expect(usualDay([pastDay(100, 1), pastDay(100, 1)])).toBeNull())

test('a day on which clocks change counts where its clock shows', () => {
  const short: PastDay = {
    ...pastDay(500),
    wh: clock.slice(4).map(() => 500),
    how: new Uint8Array(92),
    clockQuarters: clock.slice(4),
  }
  expect(usualDay([pastDay(100), short])?.slice(3, 5)).toEqual([100, 300])
})
