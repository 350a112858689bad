import fc from 'fast-check'
import { expect, test } from 'vitest'
import { civilZone, dateText, parseDate } from '../automation/civil-time.ts'
import { wallText } from '../automation/test-civil.ts'
import { lawRuns } from '../test-runs.ts'
import { changeOf, comparedWith, sameMoment } from './compared.ts'
import { coverOf, dayOfSlot, indexOfSlot } from './cover.ts'
import type { EnergyUnit } from './periods.ts'
import { barsOf, energyUnits, nextMonthStart, nextYearStart, rangeProblem } from './periods.ts'
import { quarterMs, slotsOfDay, startOfDay } from './slots.ts'
import { anyDay, anyZone, firstDay } from './test-energy.ts'

// Each new date of a zone is asked of Intl.
const numRuns = lawRuns(60)
const day = (date: string) => parseDate(date)!
const period = (first: string, end: string) => ({ first: day(first), end: day(end) })
const bars = (zone: string, unit: EnergyUnit, from: string, to: string) => barsOf(civilZone(zone), unit, day(from), day(to))
/** Bars with their lengths in quarters. */
const shown = (...asked: Parameters<typeof bars>) =>
  bars(...asked).map(({ civil, clock, start, end }) => `${civil} ${clock} ${(end - start) / quarterMs}`)

test('the hour that is shown twice is two bars, and the one that is skipped an empty place', () => {
  expect(shown('Europe/Berlin', 'hour', '2026-10-25', '2026-10-26').slice(1, 5)).toEqual([
    '2026-10-25 01:00 plain 4',
    '2026-10-25 02:00 first 4',
    '2026-10-25 02:00 second 4',
    '2026-10-25 03:00 plain 4',
  ])
  expect(shown('Europe/Berlin', 'hour', '2026-03-29', '2026-03-30').slice(1, 4)).toEqual([
    '2026-03-29 01:00 plain 4',
    '2026-03-29 02:00 skipped 0',
    '2026-03-29 03:00 plain 4',
  ])
})

test('where clocks change by half an hour an hour has two quarters, or two more', () => {
  expect(shown('Australia/Lord_Howe', 'hour', '2026-10-04', '2026-10-05')[2]).toBe('2026-10-04 02:00 plain 2')
  expect(shown('Australia/Lord_Howe', 'hour', '2026-04-05', '2026-04-06').slice(1, 4)).toEqual([
    '2026-04-05 01:00 first 4',
    '2026-04-05 01:00 second 2',
    '2026-04-05 02:00 plain 4',
  ])
})

test('midnight can be skipped, and the last hour of a day be shown twice', () => {
  expect(shown('America/Santiago', 'hour', '2025-09-07', '2025-09-08')[0]).toBe('2025-09-07 00:00 skipped 0')
  expect(shown('America/Santiago', 'hour', '2025-04-05', '2025-04-06').slice(-2)).toEqual([
    '2025-04-05 23:00 first 4',
    '2025-04-05 23:00 second 4',
  ])
})

test('a date that the zone never had is an empty place among days', () =>
  expect(shown('Pacific/Apia', 'day', '2011-12-29', '2012-01-01')).toEqual([
    '2011-12-29 plain 96',
    '2011-12-30 skipped 0',
    '2011-12-31 plain 96',
  ]))

test('a range cuts its first month and its last', () =>
  expect(shown('Asia/Shanghai', 'month', '2026-01-31', '2026-03-02')).toEqual([
    `2026-01 plain ${96}`,
    `2026-02 plain ${28 * 96}`,
    `2026-03 plain ${96}`,
  ]))

test.each([
  ['day', '2026-02-30', '2026-03-01', 'notDates'],
  ['day', '2026-03-01', '2026-03-01', 'endsBeforeStart'],
  ['year', '2016-01-01', '2026-01-02', 'tooLong'],
  ['day', '2025-01-01', '2026-02-06', 'tooManyBars'],
  ['hour', '2026-01-01', '2026-01-18', 'tooManyBars'],
  ['hour', '2026-01-01', '2026-01-17', null],
  ['day', '2025-01-01', '2026-02-05', null],
  ['year', '2016-01-01', '2026-01-01', null],
] as const)('by the %s from %s to %s: %s', (unit, from, to, problem) => expect(rangeProblem(unit, from, to)).toBe(problem))

const anyRange = fc.record({ zone: anyZone, first: anyDay, days: fc.integer({ min: 1, max: 70 }) })

test('bars of every unit follow each other and cover the range, and each begins where its clock time says by Intl', () => {
  fc.assert(
    fc.property(anyRange, fc.constantFrom(...energyUnits), ({ zone, first, days }, unit) => {
      const end = first + (unit === 'hour' ? Math.min(days, 5) : days)
      const made = barsOf(zone, unit, first, end)
      let next = startOfDay(zone, first)
      for (const { civil, start, end: ends, clock } of made) {
        expect(start).toBe(next)
        next = ends
        if (clock !== 'skipped' && unit !== 'hour' && start > startOfDay(zone, first))
          expect(wallText(zone.timeZone, start).startsWith(civil)).toBe(true)
        if (clock === 'plain' && unit === 'hour') expect(wallText(zone.timeZone, start).slice(0, 13)).toBe(civil.slice(0, 13))
      }
      expect(next).toBe(startOfDay(zone, end))
    }),
    { numRuns },
  )
})

test('whole years, months, days and quarters cover any stretch once', () => {
  const anyStretch = fc.record({ zone: anyZone, from: fc.nat(200_000), length: fc.nat(100_000) })
  fc.assert(
    fc.property(anyStretch, ({ zone, from, length }) => {
      const begins = startOfDay(zone, firstDay) + from * quarterMs
      const ends = begins + length * quarterMs
      let next = begins
      for (const piece of coverOf(zone, begins, ends)) {
        const [start, end] =
          piece.level === 'quarters'
            ? [piece.from, piece.to]
            : [
                startOfDay(zone, piece.start),
                startOfDay(
                  zone,
                  { year: nextYearStart(piece.start), month: nextMonthStart(piece.start), day: piece.start + 1 }[piece.level],
                ),
              ]
        expect(start).toBe(next)
        if (piece.level === 'quarters') expect(slotsOfDay(zone, piece.day)[indexOfSlot(zone, piece.day, start)]).toBe(start)
        next = end
      }
      expect(next).toBe(ends)
    }),
    { numRuns },
  )
})

test('a year is one figure, and one that begins a quarter late is eleven months and thirty days with their quarters', () => {
  const zone = civilZone('Asia/Shanghai')
  const [from, to] = [startOfDay(zone, day('2025-01-01')), startOfDay(zone, day('2026-01-01'))]
  expect(coverOf(zone, from, to)).toEqual([{ level: 'year', start: day('2025-01-01') }])
  expect(coverOf(zone, from + quarterMs, to).map(({ level }) => level)).toEqual([
    'quarters',
    ...Array(30).fill('day'),
    ...Array(11).fill('month'),
  ])
  expect(dayOfSlot(zone, from)).toBe(day('2025-01-01'))
})

const datesBeside = (one: ReturnType<typeof period>, comparison: Parameters<typeof comparedWith>[1], ...dates: string[]) => {
  const compared = comparedWith(one, comparison)
  const beside = dates.map((date) => compared.partnerOf(day(date)))
  return [dateText(compared.first), dateText(compared.end), ...beside.map((each) => each && dateText(each))]
}

test('March stands beside all of February, and its last days alone', () =>
  expect(
    datesBeside(period('2026-03-01', '2026-04-01'), 'previous', '2026-03-01', '2026-03-28', '2026-03-29', '2026-03-31'),
  ).toEqual(['2026-02-01', '2026-03-01', '2026-02-01', '2026-02-28', null, null]))

test('29 February has no date beside it a year ago', () => {
  expect(datesBeside(period('2024-02-01', '2024-03-01'), 'yearAgo', '2024-02-28', '2024-02-29')).toEqual([
    ...['2023-02-01', '2023-03-01', '2023-02-28', null],
  ])
  expect(comparedWith(period('2024-02-29', '2024-03-01'), 'yearAgo').partnerOf(day('2024-02-29'))).toBeNull()
  expect(datesBeside(period('2024-02-27', '2024-03-03'), 'yearAgo', '2024-02-29', '2024-03-02')).toEqual([
    ...['2023-02-27', '2023-03-03', null, '2023-03-02'],
  ])
})

test('a year stands beside the one before, a week beside the seven days before, and by the weekday 364 days back', () => {
  expect(datesBeside(period('2025-01-01', '2026-01-01'), 'previous', '2025-03-01')).toEqual([
    ...['2024-01-01', '2025-01-01', '2024-03-01'],
  ])
  expect(datesBeside(period('2026-11-16', '2026-11-23'), 'previous', '2026-11-16')).toEqual([
    ...['2026-11-09', '2026-11-16', '2026-11-09'],
  ])
  expect(datesBeside(period('2026-11-16', '2026-11-23'), 'yearAgoWeekday', '2026-11-16')).toEqual([
    ...['2025-11-17', '2025-11-24', '2025-11-17'],
  ])
})

const momentsIn = (zoneName: string, one: ReturnType<typeof period>, now: string) => {
  const zone = civilZone(zoneName)
  const { until, comparedUntil } = sameMoment(zone, one, comparedWith(one, 'previous'), Date.parse(now))
  return [wallText(zoneName, until), wallText(zoneName, comparedUntil)]
}

test('a period that runs is compared up to the same civil moment, on days on which clocks change too', () => {
  expect(momentsIn('Asia/Shanghai', period('2026-11-01', '2026-12-01'), '2026-11-20T10:50:00+08:00')).toEqual([
    ...['2026-11-20 10:45', '2026-10-20 10:45'],
  ])
  expect(momentsIn('Europe/Berlin', period('2026-03-30', '2026-03-31'), '2026-03-30T08:00:00Z')).toEqual([
    ...['2026-03-30 10:00', '2026-03-29 10:00'],
  ])
  expect(momentsIn('Asia/Shanghai', period('2026-03-01', '2026-04-01'), '2026-03-30T10:00:00+08:00')).toEqual([
    ...['2026-03-30 10:00', '2026-03-01 00:00'],
  ])
  expect(momentsIn('Asia/Shanghai', period('2026-10-01', '2026-11-01'), '2026-11-20T10:50:00+08:00')).toEqual([
    ...['2026-11-01 00:00', '2026-10-01 00:00'],
  ])
})

test('a per cent is given only when both sides are known for 95 % of their time', () => {
  const known = (wh: number, knownQuarters: number) => ({ wh, knownQuarters, quarters: 100 })
  expect(changeOf(known(110, 100), known(100, 95))).toBeCloseTo(0.1)
  expect(changeOf(known(110, 94), known(100, 100))).toBeNull()
  expect(changeOf(known(110, 100), known(0, 100))).toBeNull()
  expect(changeOf({ ...known(0, 0), quarters: 0 }, known(1, 100))).toBeNull()
})
