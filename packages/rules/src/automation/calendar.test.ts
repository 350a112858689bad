import { expect, test } from 'vitest'
import type { CalendarDay, DayClass } from './calendar.ts'
import { createCalendar, createPublicCalendar, isPublicClass, unmaintainedYears } from './calendar.ts'
import { bundledDays } from './chinese-holidays.ts'
import { dateText, parseDate, weekdayOf } from './civil-time.ts'

const entry = (date: string, dayClass: DayClass): CalendarDay => ({ date, class: dayClass, name: dayClass, origin: 'person' })
const bundle = bundledDays('Asia/Shanghai')
const classOn = (calendar: ReturnType<typeof createCalendar>, date: string) => calendar.classOf(parseDate(date)!)

test('the project goes before its owner, the owner before the bundle, the bundle before the week', () => {
  const all = {
    project: [entry('2026-10-01', 'special')],
    owner: [entry('2026-10-01', 'workday'), entry('2026-10-02', 'workday')],
    bundle,
  }
  const calendar = createCalendar(all)
  expect(['2026-10-01', '2026-10-02', '2026-10-03', '2026-10-12', '2026-10-17'].map((date) => classOn(calendar, date))).toEqual([
    { class: 'special', by: 'project', name: 'special' },
    { class: 'workday', by: 'owner', name: 'workday' },
    { class: 'holiday', by: 'bundle', name: '国庆节' },
    { class: 'workday', by: 'week', name: null },
    { class: 'restday', by: 'week', name: null },
  ])
})

// Days off of the State Council's notices, and the weekend days worked for them.
test.each([
  [2025, 28, ['2025-01-26', '2025-02-08', '2025-04-27', '2025-09-28', '2025-10-11']],
  [2026, 33, ['2026-01-04', '2026-02-14', '2026-02-28', '2026-05-09', '2026-09-20', '2026-10-10']],
])('%d has %d days of holidays, and its make-up workdays lie on weekends', (year, daysOff, workdays) => {
  const days = bundle.filter((each) => each.date.startsWith(String(year)))
  expect(days.filter((each) => each.class === 'holiday')).toHaveLength(daysOff)
  expect(days.filter((each) => each.class === 'workday').map((each) => each.date)).toEqual(workdays)
  for (const date of workdays) expect(weekdayOf(parseDate(date)!)).toBeGreaterThanOrEqual(5)
})

test('a tariff goes by what the state arranged, of the bundle and of what was entered as such, and by nothing else', () => {
  const isPublic = { isPublic: true }
  const calendar = createPublicCalendar({
    project: [entry('2026-10-01', 'workday'), { ...entry('2027-10-01', 'holiday'), ...isPublic }],
    owner: [
      { ...entry('2027-10-09', 'workday'), ...isPublic },
      { ...entry('2027-10-01', 'workday'), ...isPublic },
    ],
    bundle,
  })
  expect(['2026-10-01', '2027-10-01', '2027-10-09', '2027-10-16'].map((date) => classOn(calendar, date).class)).toEqual([
    ...['holiday', 'holiday', 'workday', 'restday'],
  ])
  expect([calendar.hasYear(2027), calendar.hasYear(2028)]).toEqual([true, false])
  expect((['holiday', 'workday', 'restday', 'special'] as const).map(isPublicClass)).toEqual([true, true, false, false])
})

test('each date is entered once', () => {
  expect(new Set(bundle.map((each) => each.date)).size).toBe(bundle.length)
  for (const { date } of bundle) expect(dateText(parseDate(date)!)).toBe(date)
})

test('outside mainland China no holidays come with the product', () => {
  for (const zone of ['Asia/Hong_Kong', 'Asia/Taipei', 'Europe/Berlin']) expect(bundledDays(zone)).toEqual([])
})

test('a year without entries is named from sixty days before it', () => {
  const calendar = createCalendar({ bundle })
  const years = (date: string) => unmaintainedYears(calendar, parseDate(date)!)
  expect([years('2026-11-01'), years('2026-11-02'), years('2027-03-01')]).toEqual([[], [2027], [2027]])
  expect(unmaintainedYears(createCalendar({}), parseDate('2026-12-31')!)).toEqual([2026, 2027])
})
