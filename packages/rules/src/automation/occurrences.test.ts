import { expect, test } from 'vitest'
import { createCalendar } from './calendar.ts'
import { bundledDays } from './chinese-holidays.ts'
import type { ProjectTime } from './occurrences.ts'
import { lastDue, nextDue, nextRuns, occurrences } from './occurrences.ts'
import { at, dailySchedule, everyDay, scheduleOf, shanghai } from './test-timer.ts'
import type { Schedule } from './timer.ts'

const inZone = (timeZone: string): ProjectTime => ({ ...shanghai, timeZone })
const chinese: ProjectTime = { ...shanghai, calendar: createCalendar({ bundle: bundledDays('Asia/Shanghai') }) }

/** `24 08:00 close` of each, on the clock of the zone. */
const shown = (schedule: Schedule, time: ProjectTime, from: string, to: string) => {
  const text = new Intl.DateTimeFormat('sv-SE', { timeZone: time.timeZone, dateStyle: 'short', timeStyle: 'short' })
  return occurrences(schedule, time, Date.parse(from), Date.parse(to)).map(
    (each) => `${text.format(each.at).slice(5)} ${each.action}${each.skip ? ` ${each.skip}` : ''}`,
  )
}

test('a weekly timer acts on its days', () => {
  const mondays = { ...dailySchedule, period: { type: 'weekly', days: 0b1, fromDate: null, toDate: null } } as const
  expect(shown(mondays, shanghai, '2026-11-20T00:00Z', '2026-12-04T00:00Z')).toEqual([
    '11-23 08:00 close',
    '11-23 18:00 trip',
    '11-30 08:00 close',
    '11-30 18:00 trip',
  ])
})

test('a window contains its beginning and not its end', () => {
  expect(occurrences(dailySchedule, shanghai, at('2026-11-24T08:00'), at('2026-11-24T18:00')).map((each) => each.at)).toEqual([
    at('2026-11-24T08:00'),
  ])
  expect(occurrences(dailySchedule, shanghai, at('2026-11-24T18:00'), at('2026-11-24T18:00'))).toEqual([])
})

test('a timer for workdays acts on the Saturday that is worked and rests on the Monday of a holiday', () => {
  const workdays = scheduleOf([['08:00', 'close']], { type: 'calendar', classes: ['workday'] })
  expect(shown(workdays, chinese, '2026-02-12T16:00Z', '2026-02-24T16:00Z')).toEqual([
    '02-13 08:00 close',
    '02-14 08:00 close',
    '02-24 08:00 close',
  ])
})

test('a monthly timer on the 31st rests in shorter months, on the last day it never does', () => {
  const dates = (days: number[]) =>
    shown(scheduleOf([['08:00', 'trip']], { type: 'monthly', days }), shanghai, '2026-01-15T00:00Z', '2026-05-15T00:00Z').map(
      (each) => each.slice(0, 5),
    )
  expect(dates([31])).toEqual(['01-31', '03-31'])
  expect(dates([-1])).toEqual(['01-31', '02-28', '03-31', '04-30'])
  expect(dates([30, -1])).toEqual(['01-30', '01-31', '02-28', '03-30', '03-31', '04-30'])
})

test('29 February once is one run, however far ahead it lies', () => {
  const leap = scheduleOf([['08:00', 'trip']], { type: 'once', date: '2028-02-29' })
  expect(nextRuns(leap, shanghai, at('2026-11-24T00:00'), 5).map((each) => each.at)).toEqual([at('2028-02-29T08:00')])
  expect(nextDue(leap, shanghai, at('2028-02-29T08:00'))).toBeNull()
  expect(lastDue(leap, shanghai, at('2030-12-01T00:00'))?.at).toBe(at('2028-02-29T08:00'))
})

test('an exception goes before the period, the dates of the timer before both', () => {
  const exceptions = [
    { fromDate: '2026-11-25', toDate: '2026-11-26', points: 'none' },
    { fromDate: '2026-11-27', toDate: '2026-12-31', points: [{ pointNo: 1, at: '09:30', action: 'close' }] },
  ] as const
  const timer: Schedule = {
    ...dailySchedule,
    period: { type: 'weekly', days: everyDay, fromDate: '2026-11-24', toDate: '2026-11-28' },
    exceptions,
  }
  expect(shown(timer, shanghai, '2026-11-01T00:00Z', '2026-12-31T00:00Z')).toEqual([
    '11-24 08:00 close',
    '11-24 18:00 trip',
    '11-27 09:30 close',
    '11-28 09:30 close',
  ])
})

test('what a person skips stays a due row, and is no next run', () => {
  const skipped = { ...dailySchedule, skipNext: { since: at('2026-11-24T00:00'), until: at('2026-11-24T08:00') } }
  expect(nextDue(skipped, shanghai, at('2026-11-24T00:00'))).toMatchObject({ at: at('2026-11-24T08:00'), skip: 'skipOnce' })
  expect(nextRuns(skipped, shanghai, at('2026-11-24T00:00'), 2).map((each) => each.at)).toEqual([
    at('2026-11-24T18:00'),
    at('2026-11-25T08:00'),
  ])
})

test('of two points that a gap brings together the later by the wall is done, the other is merged', () => {
  const timer = scheduleOf([
    ['02:45', 'close'],
    ['02:15', 'trip'],
  ])
  const [due, ...more] = occurrences(
    timer,
    inZone('Europe/Berlin'),
    Date.parse('2026-03-29T00:00Z'),
    Date.parse('2026-03-29T22:00Z'),
  )
  expect(more).toEqual([])
  expect(due).toMatchObject({ at: Date.parse('2026-03-29T01:00Z'), pointNo: 1, clock: 'gap' })
  expect(due?.merged).toEqual([{ pointNo: 2, date: '2026-03-29' }])
})

test('in the hour that comes twice a timer acts once', () => {
  expect(shown(scheduleOf([['02:30', 'trip']]), inZone('Europe/Berlin'), '2026-10-24T22:00Z', '2026-10-25T23:00Z')).toEqual([
    '10-25 02:30 trip',
  ])
})

test('a date that the zone never had has no run', () => {
  expect(shown(scheduleOf([['12:00', 'trip']]), inZone('Pacific/Apia'), '2011-12-29T00:00Z', '2011-12-31T10:00Z')).toEqual([
    '12-29 12:00 trip',
    '12-31 12:00 trip',
  ])
})

test('lights go on at sunset and off by the clock', () => {
  const timer = scheduleOf(
    [
      [{ sun: 'set', offsetMin: -10 }, 'close'],
      ['23:00', 'trip'],
    ],
    { type: 'sun', days: everyDay },
  )
  expect(shown(timer, shanghai, '2026-11-23T16:00Z', '2026-11-24T16:00Z')).toEqual(['11-24 16:42 close', '11-24 23:00 trip'])
  expect(shown(timer, { ...shanghai, position: null }, '2026-11-23T16:00Z', '2026-11-24T16:00Z')).toEqual(['11-24 23:00 trip'])
})

test('where the sun does not rise the run is due at noon and skipped', () => {
  const tromso: ProjectTime = { ...inZone('Europe/Oslo'), position: { latitude: 69.65, longitude: 18.96 } }
  const timer = scheduleOf([[{ sun: 'rise', offsetMin: 0 }, 'trip']], { type: 'sun', days: everyDay })
  expect(shown(timer, tromso, '2026-12-21T00:00Z', '2026-12-22T00:00Z')).toEqual(['12-21 12:00 trip noSun'])
})

test('skipping the next run says nothing of those before', () => {
  const skipped = { ...dailySchedule, skipNext: { since: at('2026-11-24T00:00'), until: at('2026-11-24T08:00') } }
  expect(lastDue(skipped, shanghai, at('2026-11-23T09:00'))).toMatchObject({ at: at('2026-11-23T08:00'), skip: null })
})

test('what cannot be parsed never acts', () => {
  expect(nextDue(scheduleOf([['24:00', 'close']]), shanghai, 0)).toBeNull()
  expect(nextDue(scheduleOf([['08:00', 'close']], { type: 'once', date: '2026-02-30' }), shanghai, 0)).toBeNull()
  const bounded = { ...dailySchedule, period: { ...dailySchedule.period, toDate: 'soon' } }
  expect(nextDue(bounded, shanghai, 0)).toBeNull()
})
