import { expect, test } from 'vitest'
import { hoursOfDay, lengthInHours } from './day-hours.ts'

const day = (from: string, to: string, timeZone: string) => {
  const [begin, end] = [Date.parse(from), Date.parse(to)]
  const { hours, changes } = hoursOfDay(begin, end, timeZone)
  return { hours, changes, length: lengthInHours(begin, end) }
}

test('a plain day has 24 hours, and says no offset', () => {
  const { hours, changes, length } = day('2026-11-23T16:00Z', '2026-11-24T16:00Z', 'Asia/Shanghai')
  expect([hours.length, length, changes]).toEqual([24, 24, []])
  expect([hours[0]?.label, hours[23]?.label, hours[3]?.offsetMs]).toEqual(['00:00', '23:00', null])
})

test('an hour that the clock skips is not there; what was put forward is said', () => {
  const { hours, changes, length } = day('2027-03-27T23:00Z', '2027-03-28T22:00Z', 'Europe/Berlin')
  expect(length).toBe(23)
  expect(hours.map(({ label }) => label).slice(0, 4)).toEqual(['00:00', '01:00', '03:00', '04:00'])
  expect(changes).toEqual([{ at: Date.parse('2027-03-28T01:00Z'), byMs: 3_600_000, was: '02:00', is: '03:00' }])
})

test('an hour that the clock shows twice is there twice, told apart by its offset', () => {
  const { hours, length } = day('2026-10-24T22:00Z', '2026-10-25T23:00Z', 'Europe/Berlin')
  expect(length).toBe(25)
  expect(hours.slice(1, 5).map(({ label, offsetMs }) => `${label} ${(offsetMs ?? 0) / 3_600_000}`)).toEqual([
    '01:00 2',
    '02:00 2',
    '02:00 1',
    '03:00 1',
  ])
})

test('a change of half an hour, and one at midnight', () => {
  const howe = day('2026-04-04T13:00Z', '2026-04-05T13:30Z', 'Australia/Lord_Howe')
  expect([howe.length, howe.changes.map(({ byMs }) => byMs)]).toEqual([24.5, [-1_800_000]])
  const santiago = day('2026-09-06T04:00Z', '2026-09-07T03:00Z', 'America/Santiago')
  expect([santiago.length, santiago.hours[0]?.label, santiago.changes[0]?.byMs]).toEqual([23, '01:00', 3_600_000])
})
