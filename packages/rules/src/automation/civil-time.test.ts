import { expect, test } from 'vitest'
import { civilZone, dateText, dayOfMonth, parseDate, parseTime, weekdayOf } from './civil-time.ts'
import { localMinutes, zonesOfTests } from './test-civil.ts'

const resolve = (zone: string, date: string, time: string) => {
  const found = civilZone(zone).resolve(parseDate(date)!, parseTime(time)!)
  return found && [new Date(found.at).toISOString(), found.clock]
}

test.each([
  ['Asia/Shanghai', '2026-11-24', '08:00', '2026-11-24T00:00:00.000Z', 'plain'],
  ['Asia/Shanghai', '2026-11-24', '00:00:01', '2026-11-23T16:00:01.000Z', 'plain'],
  // Summer time begins at 01:00 UTC, ends at 01:00 UTC.
  ['Europe/Berlin', '2026-03-29', '01:59:59', '2026-03-29T00:59:59.000Z', 'plain'],
  ['Europe/Berlin', '2026-03-29', '02:00', '2026-03-29T01:00:00.000Z', 'gap'],
  ['Europe/Berlin', '2026-03-29', '02:30', '2026-03-29T01:00:00.000Z', 'gap'],
  ['Europe/Berlin', '2026-03-29', '03:00', '2026-03-29T01:00:00.000Z', 'plain'],
  ['Europe/Berlin', '2026-10-25', '02:30', '2026-10-25T00:30:00.000Z', 'overlap'],
  ['Europe/Berlin', '2026-10-25', '02:00', '2026-10-25T00:00:00.000Z', 'overlap'],
  ['Europe/Berlin', '2026-10-25', '03:00', '2026-10-25T02:00:00.000Z', 'plain'],
  ['Europe/Berlin', '2026-10-25', '01:59', '2026-10-24T23:59:00.000Z', 'plain'],
  // Half an hour.
  ['Australia/Lord_Howe', '2026-10-04', '02:10', '2026-10-03T15:30:00.000Z', 'gap'],
  ['Australia/Lord_Howe', '2026-10-04', '02:30', '2026-10-03T15:30:00.000Z', 'plain'],
  ['Australia/Lord_Howe', '2026-04-05', '01:45', '2026-04-04T14:45:00.000Z', 'overlap'],
  ['Australia/Lord_Howe', '2026-04-05', '01:15', '2026-04-04T14:15:00.000Z', 'plain'],
  // Midnight itself is skipped, and shown twice.
  ['Asia/Beirut', '2025-03-30', '00:00', '2025-03-29T22:00:00.000Z', 'gap'],
  ['Asia/Beirut', '2025-03-30', '00:59', '2025-03-29T22:00:00.000Z', 'gap'],
  ['America/Santiago', '2025-09-07', '00:30', '2025-09-07T04:00:00.000Z', 'gap'],
  ['America/Santiago', '2025-04-05', '23:30', '2025-04-06T02:30:00.000Z', 'overlap'],
  // The days around the date that Samoa left out.
  ['Pacific/Apia', '2011-12-29', '23:59', '2011-12-30T09:59:00.000Z', 'plain'],
  ['Pacific/Apia', '2011-12-31', '00:00', '2011-12-30T10:00:00.000Z', 'plain'],
] as const)('in %s the clock shows %s %s first at %s (%s)', (zone, date, time, at, clock) => {
  expect(resolve(zone, date, time)).toEqual([at, clock])
})

test('a date that the zone never had has no instant', () => {
  for (const time of ['00:00', '12:00', '23:59:59']) expect(resolve('Pacific/Apia', '2011-12-30', time)).toBeNull()
})

/** All changes of ten years in the long run; of one year, with one each way, in the usual one. */
const years = process.env.TEST_LONG ? [2011, 2014, 2016, 2018, 2020, 2022, 2023, 2024, 2025, 2026, 2030] : [2025]

test.each(zonesOfTests)(
  'around each clock change of %s every minute resolves as a walk over all minutes finds it',
  (timeZone) => {
    const zone = civilZone(timeZone)
    const wrong: string[] = []
    for (const year of years)
      for (let day = parseDate(`${year}-01-01`)!; day < parseDate(`${year + 1}-01-01`)!; day++) {
        const noon = Date.parse(`${dateText(day)}T12:00:00Z`)
        if (zone.offsetMsAt(noon) === zone.offsetMsAt(noon + 86_400_000)) continue
        for (const each of [day, day + 1]) {
          const walked = localMinutes(timeZone, dateText(each))
          for (let minute = 0; minute < 1_440; minute++) {
            const at = zone.resolve(each, minute * 60)?.at ?? null
            if (at !== (walked[minute] ?? null)) wrong.push(`${dateText(each)} ${minute}`)
          }
        }
      }
    expect(wrong).toEqual([])
  },
)

test('what is no date and no time of a day is none', () => {
  expect(['2026-02-29', '2026-13-01', '2026-1-1', '', '2026-00-10', '20260101'].map(parseDate)).toEqual(Array(6).fill(null))
  expect(['24:00', '8:00', '08:60', '08:00:60', '', '08:00:00.5'].map(parseTime)).toEqual(Array(6).fill(null))
  expect([parseTime('08:30'), parseTime('23:59:59')]).toEqual([30_600, 86_399])
})

test('a week begins on Monday', () => {
  expect(['2026-11-23', '2026-11-29', '1969-12-29'].map((date) => weekdayOf(parseDate(date)!))).toEqual([0, 6, 0])
})

test('each date has its day of the month, in leap years and before 1970 too', () => {
  const wrong: string[] = []
  for (let day = parseDate('1899-12-31')!; day <= parseDate('2401-03-01')!; day++)
    if (dayOfMonth(day) !== Number(dateText(day).slice(8))) wrong.push(dateText(day))
  expect(wrong).toEqual([])
})
