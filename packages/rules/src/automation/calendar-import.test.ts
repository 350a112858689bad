import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CalendarDay } from './calendar.ts'
import type { CalendarRow } from './calendar-import.ts'
import { compareImport, maxImportDays, maxImportSpan, readCalendarRows, readIcsDays } from './calendar-import.ts'
import { parseDate } from './civil-time.ts'
import type { IcsEvent } from './ics.ts'

const row = (from: string, more: Partial<CalendarRow> = {}): CalendarRow => ({
  row: 2,
  from,
  to: '',
  class: '节假日',
  name: '元旦',
  ...more,
})
const datesOf = (rows: readonly CalendarRow[]) => readCalendarRows(rows).days.map(({ date }) => date)
const problemsOf = (...rows: CalendarRow[]) => readCalendarRows(rows).problems

test.each(['2027-01-01', '2027/1/1', '2027.01.01', '2027年1月1日', '20270101', '46388', ' 2027-01-01 '])(
  'a date is read as people and spreadsheets write it: %s',
  (text) => expect(datesOf([row(text)])).toEqual(['2027-01-01']),
)

test.each([
  ['工作日', 'workday'],
  ['补班', 'workday'],
  ['Rest day', 'restday'],
  ['休', 'holiday'],
  ['holiday', 'holiday'],
  ['特殊日', 'special'],
])('%s is %s', (word, dayClass) => {
  expect(readCalendarRows([row('2027-01-01', { class: word })]).days[0]?.class).toBe(dayClass)
})

test.each([
  ['date missing', row('')],
  ['date wrong', row('2027-02-29')],
  ['date wrong', row('1/2/2027')],
  ['date wrong', row('2027-01-01', { to: 'tomorrow' })],
  ['dates reversed', row('2027-01-02', { to: '2027-01-01' })],
  ['date out of range', row('1999-12-31')],
  ['date out of range', row('2200-01-01')],
  ['class unknown', row('2027-01-01', { class: '' })],
  ['class unknown', row('2027-01-01', { class: 'Feiertag' })],
  ['name too long', row('2027-01-01', { name: '节'.repeat(33) })],
] as const)('%s is named by its row', (key, wrong) => {
  expect(problemsOf(wrong)).toMatchObject([{ row: 2, key }])
  expect(datesOf([wrong, row('2027-05-01', { row: 3 })])).toEqual(['2027-05-01'])
})

test('a stretch of days is as long as the longest holiday, and no longer', () => {
  expect(datesOf([row('2027-01-01', { to: '2027-03-03' })])).toHaveLength(maxImportSpan)
  expect(problemsOf(row('2027-01-01', { to: '2027-03-04' }))).toMatchObject([{ key: 'span too long' }])
})

test('one date has one class: the second is named with the row of the first', () => {
  const rows = [row('2027-01-01'), row('2027-01-01', { row: 3, class: '工作日' })]
  expect(problemsOf(...rows)).toEqual([{ row: 3, key: 'date has two classes', detail: { date: '2027-01-01', row: 2 } }])
  expect(problemsOf(row('2027-01-01'), row('2027-01-01', { row: 3, name: 'again' }))).toEqual([])
})

test('no more days than may be are read at once', () => {
  const rows = Array.from({ length: 14 }, (_, index) =>
    row(`${2020 + index}-01-01`, { row: index + 2, to: `${2020 + index}-03-01` }),
  )
  const { days, problems } = readCalendarRows(rows)
  expect(days.length).toBeLessThanOrEqual(maxImportDays)
  expect(problems).toMatchObject([{ row: 15, key: 'too many days' }])
})

test('an event that only names a festival is of the class that was chosen, unless another says it of that day', () => {
  const event = (name: string, mark: IcsEvent['mark'], at: string): IcsEvent => {
    const day = parseDate(at) ?? 0
    return { row: 1, from: day, to: day, name, mark }
  }
  const events = [
    event('春节', null, '2027-02-06'),
    event('春节（班）', 'workday', '2027-02-06'),
    event('端午节', null, '2027-06-09'),
  ]
  expect(readIcsDays({ events, problems: [] }, 'special')).toEqual({
    days: [
      { row: 1, date: '2027-02-06', class: 'workday', name: '春节（班）' },
      { row: 1, date: '2027-06-09', class: 'special', name: '端午节' },
    ],
    problems: [],
  })
})

const entered = (date: string, origin: CalendarDay['origin'], dayClass: CalendarDay['class'], name: string): CalendarDay => ({
  date,
  class: dayClass,
  name,
  origin,
})

test.each([
  ['new', 'a plain day', [], [], false],
  ['same', 'a bundled day of that class', [], [entered('2027-01-01', 'bundle', 'holiday', 'New Year')], false],
  ['changed', 'a bundled day of another class', [], [entered('2027-01-01', 'bundle', 'workday', '补班')], false],
  ['same', 'an imported day', [entered('2027-01-01', 'import', 'holiday', '元旦')], [], false],
  ['changed', 'an imported day of another name', [entered('2027-01-01', 'import', 'holiday', '新年')], [], false],
  ['kept', 'a day that a person entered otherwise', [entered('2027-01-01', 'person', 'workday', '赶工')], [], false],
  ['changed', 'the same where that is wanted', [entered('2027-01-01', 'person', 'workday', '赶工')], [], true],
  ['same', 'a day that a person entered alike', [entered('2027-01-01', 'person', 'holiday', '元旦')], [], false],
] as const)('%s: against %s', (change, _, project, bundle, over) => {
  const { days } = readCalendarRows([row('2027-01-01')])
  expect(compareImport(days, project, bundle, over)).toMatchObject([{ change }])
})

test('what is shown of a day says what it was', () => {
  const { days } = readCalendarRows([row('2027-01-01'), row('2027-01-02', { row: 3 })])
  expect(
    compareImport(days, [entered('2027-01-01', 'person', 'workday', '赶工')], [], false).map(({ before }) => before),
  ).toEqual([
    { class: 'workday', by: 'project', name: '赶工', origin: 'person' },
    { class: 'restday', by: 'week', name: null, origin: null },
  ])
})

test('a day that the owner has entered for all projects is shown as what it was, and is new to the project', () => {
  const { days } = readCalendarRows([row('2027-01-01')])
  const ofOwner = [entered('2027-01-01', 'person', 'workday', '赶工')]
  expect(compareImport(days, [], [], false, ofOwner)).toMatchObject([
    { change: 'new', before: { class: 'workday', by: 'owner', name: '赶工', origin: 'person' } },
  ])
})

test('whatever is written, each day is named once and in order, and nothing is lost without a word', () => {
  const texts = fc.oneof(fc.constantFrom('2027-01-01', '2027-02-30', '46388', '', '2031-12-31'), fc.string({ maxLength: 12 }))
  const anyRow = fc.record({
    row: fc.integer({ min: 1, max: 50 }),
    from: texts,
    to: texts,
    class: fc.oneof(fc.constantFrom('节假日', '班', ''), fc.string({ maxLength: 6 })),
    name: fc.string({ maxLength: 40 }),
  })
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 12 }), (rows) => {
      const { days, problems } = readCalendarRows(rows)
      const dates = days.map(({ date }) => date)
      expect(dates).toEqual([...new Set(dates)].toSorted())
      const named = new Set([...days, ...problems].map((each) => each.row))
      // A row whose days another row has named already, alike, adds none.
      expect(rows.every((each) => named.has(each.row) || dates.length > 0)).toBe(true)
    }),
  )
})
