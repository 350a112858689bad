import { describe, expect, test } from 'vitest'
import { dateText } from './civil-time.ts'
import { parseIcs } from './ics.ts'

const calendar = (...lines: string[]) => ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n')
const newYear = ['SUMMARY:元旦', 'DTSTART;VALUE=DATE:20270101']

const read = (text: string) => {
  const content = parseIcs(text)
  return {
    events: content?.events.map(({ row, from, to, name, mark }) => ({ row, from: dateText(from), to: dateText(to), name, mark })),
    problems: content?.problems,
  }
}

test('an all-day event ends the day before the end that the file writes', () => {
  expect(read(calendar(event(...newYear, 'DTEND;VALUE=DATE:20270104')))).toEqual({
    events: [{ row: 3, from: '2027-01-01', to: '2027-01-03', name: '元旦', mark: null }],
    problems: [],
  })
})

test.each([
  ['no end', [], '2027-01-01'],
  ['an end on its own day, as some programs write it', ['DTEND;VALUE=DATE:20270101'], '2027-01-01'],
  ['a duration in days', ['DURATION:P3D'], '2027-01-03'],
  ['a duration in weeks', ['DURATION:P1W'], '2027-01-07'],
])('with %s it lasts until then', (_, more, to) => {
  expect(read(calendar(event(...newYear, ...more))).events?.[0]?.to).toBe(to)
})

test('lines that go on with a blank, escapes, line ends of any kind and a byte order mark are read', () => {
  const text = `\uFEFFBEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY;LANGUAGE="zh:CN":春节\\, 假\n 期\\n第1天\nDTSTART:20270206\nEND:VEVENT\nEND:VCALENDAR\n\n`
  expect(read(text).events).toEqual([{ row: 2, from: '2027-02-06', to: '2027-02-06', name: '春节, 假期 第1天', mark: 'holiday' }])
})

test.each([
  ['春节（休）', [], 'holiday'],
  ['春节（班）', [], 'workday'],
  ['国庆节 补班 第1天/共2天', [], 'workday'],
  ['国庆节 假期 第1天/共7天', [], 'holiday'],
  ['Spring Festival', ['X-APPLE-SPECIAL-DAY:WORK-HOLIDAY'], 'holiday'],
  ['Spring Festival', ['X-APPLE-SPECIAL-DAY:ALTERNATE-WORKDAY'], 'workday'],
  ['端午节', [], null],
  ['值班表', [], null],
] as const)('%s says of its class: %s %s', (name, more, mark) => {
  expect(read(calendar(event(`SUMMARY:${name}`, 'DTSTART;VALUE=DATE:20270101', ...more))).events?.[0]?.mark).toBe(mark)
})

test.each([
  ['event timed', ['DTSTART:20270101T080000Z']],
  ['event timed', ['DTSTART;TZID=Asia/Shanghai:20270101T080000']],
  ['event timed', ['DTSTART;VALUE=DATE-TIME:20270101']],
  ['event timed', ['DTSTART;VALUE=DATE:20270101', 'DURATION:PT8H']],
  ['event repeats', ['DTSTART;VALUE=DATE:20270101', 'RRULE:FREQ=YEARLY']],
  ['event cancelled', ['DTSTART;VALUE=DATE:20270101', 'STATUS:CANCELLED']],
  ['date wrong', ['DTSTART;VALUE=DATE:20270230']],
  ['date wrong', ['SUMMARY:no date']],
  ['dates reversed', ['DTSTART;VALUE=DATE:20270105', 'DTEND;VALUE=DATE:20270101']],
])('%s: it is named by its line, and others are read', (key, lines) => {
  expect(read(calendar(event(...lines), event(...newYear)))).toMatchObject({
    events: [{ name: '元旦' }],
    problems: [{ row: 3, key }],
  })
})

test('the date of an alarm within an event is not the date of the event', () => {
  const alarm = ['BEGIN:VALARM', 'DTSTART;VALUE=DATE:20991231', 'RRULE:FREQ=DAILY', 'END:VALARM']
  expect(read(calendar(event(...alarm, ...newYear))).events).toMatchObject([{ from: '2027-01-01' }])
})

describe('what is no calendar is not read at all:', () => {
  test.each([
    ['nothing', ''],
    ['a page', '<!doctype html>\n<title>404</title>'],
    ['a calendar that ends early', calendar(event(...newYear)).replace('END:VCALENDAR', '')],
    ['an event that is not closed', calendar('BEGIN:VEVENT', ...newYear)],
    ['an event within an event', calendar('BEGIN:VEVENT', event(...newYear), 'END:VEVENT')],
    ['another part that ends', calendar('BEGIN:VEVENT', 'END:VTODO')],
    ['something after its end', `${calendar(event(...newYear))}SUMMARY:more`],
    ['a line that is none', calendar('a word')],
    ['a text that only begins like one', 'BEGIN:VCARD\nEND:VCARD'],
  ])('%s', (_, text) => expect(parseIcs(text)).toBeNull())
})

test('a line of a hundred thousand signs takes no time of its own', () => {
  const long = `X-A${';B="c"'.repeat(20_000)}`
  expect(parseIcs(calendar(long))).toBeNull()
  expect(read(calendar(`${long}:`, event(...newYear))).events).toHaveLength(1)
})
