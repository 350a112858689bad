import { expect, test } from 'vitest'
import { quietUntil } from './quiet-hours.ts'

const weekday = 0b0011111
const everyDay = 0b1111111
const office = [{ days: weekday, fromMinute: 8 * 60, toMinute: 18 * 60 }]
const night = [{ days: 0b0010000, fromMinute: 22 * 60, toMinute: 6 * 60 }]
const shanghai = (time: string) => Date.parse(`${time}+08:00`)
const until = (windows: Parameters<typeof quietUntil>[0], time: string) => quietUntil(windows, 'Asia/Shanghai', shanghai(time))

test('runs in the civil time of the project, from the first minute and not in the last', () => {
  expect(until(office, '2026-05-04T07:59:59')).toBeNull()
  expect(until(office, '2026-05-04T08:00:00')).toBe(shanghai('2026-05-04T18:00:00'))
  expect(until(office, '2026-05-04T17:59:59')).toBe(shanghai('2026-05-04T18:00:00'))
  expect(until(office, '2026-05-04T18:00:00')).toBeNull()
})

test('does not run on other days', () => {
  expect(until(office, '2026-05-09T12:00:00')).toBeNull()
})

test('over midnight belongs to the day on which it begins', () => {
  expect(until(night, '2026-05-08T23:00:00')).toBe(shanghai('2026-05-09T06:00:00'))
  expect(until(night, '2026-05-09T05:59:00')).toBe(shanghai('2026-05-09T06:00:00'))
  expect(until(night, '2026-05-08T05:00:00')).toBeNull()
  expect(until(night, '2026-05-09T23:00:00')).toBeNull()
})

test('windows that follow one on another end with the last', () => {
  const joined = [...office, { days: weekday, fromMinute: 18 * 60, toMinute: 20 * 60 }]
  expect(until(joined, '2026-05-04T09:30:00')).toBe(shanghai('2026-05-04T20:00:00'))
})

test.each([
  ['the longer first', (windows: typeof office) => windows],
  ['the shorter first', (windows: typeof office) => windows.toReversed()],
])('of windows that run at once the one that ends last counts, %s', (_, inOrder) => {
  const both = inOrder([...office, { days: weekday, fromMinute: 9 * 60, toMinute: 10 * 60 }])
  expect(until(both, '2026-05-04T09:30:00')).toBe(shanghai('2026-05-04T18:00:00'))
})

test('from and to alike is the whole day, and every day is a fortnight and never an endless search', () => {
  const always = [{ days: everyDay, fromMinute: 0, toMinute: 0 }]
  expect(until(always, '2026-05-04T09:30:00')).toBe(shanghai('2026-05-19T00:00:00'))
})

test('an hour that daylight saving leaves out is not waited for', () => {
  const windows = [{ days: everyDay, fromMinute: 60, toMinute: 4 * 60 }]
  const before = Date.parse('2026-03-29T01:30:00+01:00')
  expect(quietUntil(windows, 'Europe/Berlin', before)).not.toBeNull()
  expect(quietUntil(windows, 'Europe/Berlin', Date.parse('2026-03-29T04:00:00+02:00'))).toBeNull()
})
