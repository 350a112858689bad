import fc from 'fast-check'
import { expect, test } from 'vitest'
import { civilZone } from '../automation/civil-time.ts'
import { cronProblem, periodBefore, sendingOf } from './report-period.ts'
import { parseCron, sendTimesAfter, sendTimesBetween } from './send-times.ts'

const at = (text: string) => Date.parse(text)
const next = (cron: string, zone: string, after: string, count = 2) => {
  const parsed = parseCron(cron)
  if (!parsed) throw new Error(`${cron} is no cron`)
  return sendTimesAfter(parsed, civilZone(zone), at(after), count).map((each) => new Date(each).toISOString().slice(0, 16))
}

test.each([
  ['0 8 1 * *', 'Asia/Shanghai', '2026-11-30T00:00Z', ['2026-12-01T00:00', '2027-01-01T00:00']],
  ['30 7 * * 1', 'Asia/Shanghai', '2026-11-30T00:00Z', ['2026-12-06T23:30', '2026-12-13T23:30']],
  ['0 8 * * 7', 'UTC', '2026-11-30T00:00Z', ['2026-12-06T08:00', '2026-12-13T08:00']],
  ['0 8 1 * 1', 'UTC', '2026-11-30T00:00Z', ['2026-11-30T08:00', '2026-12-01T08:00']],
  ['0 6-18/12 * * *', 'UTC', '2026-11-30T06:00Z', ['2026-11-30T18:00', '2026-12-01T06:00']],
  ['0 0 29 2 *', 'UTC', '2026-11-30T00:00Z', ['2028-02-29T00:00', '2032-02-29T00:00']],
  // The hour that is left out in spring, and the one that comes twice in autumn.
  ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', ['2026-03-29T01:00', '2026-03-30T00:30']],
  ['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', ['2026-10-25T00:30', '2026-10-26T01:30']],
])('%s in %s is due next at', (cron, zone, after, due) => expect(next(cron, zone, after)).toEqual(due))

test.each([
  '',
  '* * * *',
  '60 * * * *',
  '0 24 * * *',
  '0 0 0 * *',
  '0 0 * 13 *',
  '0 0 * * 8',
  '5-1 0 * * *',
  '*/0 0 * * *',
  '0 0 1 jan *',
])('%j is no cron', (text) => expect(parseCron(text)).toBeNull())

const zone = civilZone('Asia/Shanghai')
const now = at('2026-11-30T04:00Z')

test.each([
  ['nonsense', 'month', 'notCron'],
  ['0 8 30 2 *', 'month', 'neverFires'],
  ['0 8 * * *', 'month', 'twiceInPeriod'],
  ['0 8 1,15 * *', 'month', 'twiceInPeriod'],
  ['0 8 1 * *', 'month', null],
  ['0 8 * * 1', 'week', null],
  ['0 8 * * 1,2', 'week', 'twiceInPeriod'],
  ['0 8 * * *', 'day', null],
  ['0 8,9 * * *', 'day', 'twiceInPeriod'],
  ['0 8 1 * *', 'day', null],
] as const)('%s for a report by the %s: %s', (cron, unit, problem) => expect(cronProblem(cron, unit, zone, now)).toBe(problem))

test('the period of a report is the last one that is over by the clock of the project', () => {
  const dates = (unit: 'day' | 'week' | 'month', instant: string) => {
    const { first, end } = periodBefore(unit, zone, at(instant))
    return [first, end].map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10))
  }
  expect(dates('day', '2026-11-30T15:59Z')).toEqual(['2026-11-29', '2026-11-30'])
  expect(dates('day', '2026-11-30T16:00Z')).toEqual(['2026-11-30', '2026-12-01'])
  expect(dates('week', '2026-11-30T04:00Z')).toEqual(['2026-11-23', '2026-11-30'])
  expect(dates('month', '2026-11-30T16:00Z')).toEqual(['2026-11-01', '2026-12-01'])
})

test('a report waits for what comes late, three days and no longer', () => {
  const end = zone.dayAt(now)
  const begins = at('2026-11-29T16:00Z')
  const sending = (known: number | null, ms: number) => sendingOf({ known, end }, zone, begins + ms)
  const days = 86_400_000
  expect([sending(null, 0), sending(0.995, 0), sending(0.994, 0)]).toEqual(['now', 'now', 'waits'])
  expect([sending(0.9, 3 * days - 1), sending(0.9, 3 * days)]).toEqual(['waits', 'withNote'])
})

test('what is due is the same wherever one begins to count, and rises', () => {
  const zones = ['Asia/Shanghai', 'Europe/Berlin', 'Australia/Lord_Howe', 'Pacific/Apia', 'Africa/Casablanca', 'America/Santiago']
  const crons = ['0 8 * * *', '30 2 * * *', '*/30 0-3 * * 0', '0 0 1 * *', '15 23 * 3,4,10,11 *']
  const instant = fc
    .integer({ min: at('2010-01-01T00:00Z') / 60_000, max: at('2030-01-01T00:00Z') / 60_000 })
    .map((each) => each * 60_000)
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.constantFrom(...crons), instant, fc.nat(100), (name, text, after, share) => {
      const [cron, own] = [parseCron(text), civilZone(name)]
      if (!cron) throw new Error(text)
      const all = sendTimesAfter(cron, own, after, 6)
      expect(all).toEqual([...new Set(all)].toSorted((one, other) => one - other))
      const last = all.at(-1) ?? after
      const middle = after + Math.floor(((last - after) * share) / 100)
      const parts = [...sendTimesBetween(cron, own, after, middle, 99), ...sendTimesBetween(cron, own, middle, last, 99)]
      expect(parts).toEqual(all)
    }),
    { numRuns: 60 },
  )
})
