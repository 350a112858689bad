import { dayMs } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { dayIn, daysShown, dayText, mondayOf } from './days.ts'

const day = (text: string) => dayIn(text)

test('five weeks are shown from a Monday, with today in the third', () => {
  const days = daysShown('', day('2026-11-20'))
  expect(days).toHaveLength(35)
  expect(dayText(days[0] ?? 0)).toBe('2026-11-02')
  expect(dayText(days.at(-1) ?? 0)).toBe('2026-12-06')
  expect(days.indexOf(day('2026-11-20'))).toBe(18)
})

test('asked for another day it shows the weeks from its Monday', () => {
  expect(dayText(daysShown('2026-12-09', day('2026-11-20'))[0] ?? 0)).toBe('2026-12-07')
  expect(dayText(daysShown('2026-02-30', day('2026-11-20'))[0] ?? 0)).toBe('2026-11-02')
})

test.each([
  ['2026-11-20', '2026-11-16'],
  ['2026-11-16', '2026-11-16'],
  ['2026-11-22', '2026-11-16'],
])('the week of %s begins on %s', (of, monday) => expect(dayText(mondayOf(day(of)))).toBe(monday))

test('what is no day is none', () => {
  expect(dayIn('2026-02-29')).toBeNaN()
  expect(dayIn('morgen')).toBeNaN()
  expect(dayIn('2028-02-29') - dayIn('2028-02-28')).toBe(dayMs)
})
