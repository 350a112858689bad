import fc from 'fast-check'
import { expect, test } from 'vitest'
import { zoneClock } from './zone-clock.ts'

const at = Date.UTC(2026, 0, 15, 0, 30)

test.each([
  ['Asia/Shanghai', '2026-01-15 08:30:00'],
  ['Asia/Kathmandu', '2026-01-15 06:15:00'],
  ['America/New_York', '2026-01-14 19:30:00'],
  ['UTC', '2026-01-15 00:30:00'],
])('%s', (timeZone, text) => expect(zoneClock(timeZone).text(at)).toBe(text))

test('milliseconds are written when there are any', () => expect(zoneClock('UTC').text(at + 20)).toBe('2026-01-15 00:30:00.020'))

test('the hour that summer takes and the hour that winter gives back', () => {
  const berlin = zoneClock('Europe/Berlin')
  expect(berlin.text(Date.UTC(2026, 2, 29, 0, 59, 59))).toBe('2026-03-29 01:59:59')
  expect(berlin.text(Date.UTC(2026, 2, 29, 1))).toBe('2026-03-29 03:00:00')
  expect(berlin.text(Date.UTC(2026, 9, 25, 0))).toBe('2026-10-25 02:00:00')
  expect(berlin.text(Date.UTC(2026, 9, 25, 1))).toBe('2026-10-25 02:00:00')
})

test('a time shown is found again', () => {
  const clocks = ['Asia/Shanghai', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'].map(zoneClock)
  fc.assert(
    fc.property(fc.constantFrom(...clocks), fc.integer({ min: 0, max: 4_000_000_000_000 }), (clock, moment) => {
      const shown = clock.local(moment)
      expect(clock.local(clock.moment(shown))).toBe(shown)
    }),
  )
})

test('of a time that summer skips the moment is as much later, east and west of Greenwich, at midnight too', () => {
  const skipped = (timeZone: string, shown: number) => {
    const clock = zoneClock(timeZone)
    return clock.local(clock.moment(shown)) - shown
  }
  const hour = 3_600_000
  expect(skipped('Europe/Berlin', Date.UTC(2026, 2, 29, 2, 30))).toBe(hour)
  expect(skipped('America/New_York', Date.UTC(2026, 2, 8, 2, 30))).toBe(hour)
  expect(skipped('America/Santiago', Date.UTC(2020, 8, 6))).toBe(hour)
  expect(skipped('America/Havana', Date.UTC(2026, 2, 8))).toBe(hour)
  expect(skipped('Australia/Lord_Howe', Date.UTC(2026, 9, 4, 2, 15))).toBe(hour / 2)
})
