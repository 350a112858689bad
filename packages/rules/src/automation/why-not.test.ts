import { expect, test } from 'vitest'
import { createCalendar } from './calendar.ts'
import { bundledDays } from './chinese-holidays.ts'
import { at, dailySchedule, everyDay, scheduleOf, shanghai } from './test-timer.ts'
import { whyNot } from './why-not.ts'

const time = { ...shanghai, calendar: createCalendar({ bundle: bundledDays('Asia/Shanghai') }) }
const workdays = scheduleOf([['08:00', 'close']], { type: 'calendar', classes: ['workday'] })
const bounded = {
  ...dailySchedule,
  period: { type: 'weekly', days: everyDay, fromDate: '2026-11-24', toDate: '2026-11-25' },
} as const
const away = { ...dailySchedule, exceptions: [{ fromDate: '2026-11-24', toDate: '2026-11-24', points: 'none' }] } as const

test.each([
  ['a holiday', workdays, '2026-10-01T08:00', { why: 'period', classOfDay: { class: 'holiday', by: 'bundle', name: '国庆节' } }],
  ['a day of its exceptions', away, '2026-11-24T08:00', { why: 'exception', weekday: 1 }],
  ['a day before it begins', bounded, '2026-11-23T08:00', { why: 'beforeFrom' }],
  ['a day after it ended', bounded, '2026-11-26T08:00', { why: 'afterTo' }],
  ['a minute that is due', workdays, '2026-10-10T08:00', { why: 'due', occurrence: { pointNo: 1 } }],
  [
    'another hour',
    dailySchedule,
    '2026-11-24T09:00',
    { why: 'noPoint', before: { at: at('2026-11-24T08:00') }, after: { at: at('2026-11-24T18:00') } },
  ],
  ['an hour after the last', workdays, '2026-10-10T20:00', { why: 'noPoint', before: { pointNo: 1 }, after: null }],
] as const)('on %s nothing happens, and the answer names it', (_name, schedule, instant, answer) => {
  expect(whyNot(schedule, time, true, at(instant))).toMatchObject({ ...answer, date: instant.slice(0, 10) })
})

test('a timer that is switched off says so first', () => {
  expect(whyNot(workdays, time, false, at('2026-10-10T08:00')).why).toBe('disabled')
})

test('whoever asks within the minute means what is due in it', () => {
  expect(whyNot(dailySchedule, time, true, at('2026-11-24T08:00') + 59_999).why).toBe('due')
})
