import { CallError } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import { getCalendar, getTimer, importCalendar, insertTimer, listJournal, updateCalendar } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'

// Days of a calendar from files, each shown against what is there before it is stored.
let stack: Stack
const now = Date.now()
beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => now, fleet: { now: () => now } })
  calm(stack)
})
afterAll(() => stack?.close())

const house = (device = 'A-T1') => stack.server.plant.deviceByControllerId.get(device)?.gateway.project.id ?? 0
type Body = Request<typeof importCalendar>['body']
const imported = (body: Omit<Body, 'HouseID'>, client = stack.client, HouseID = house()) =>
  client.call(importCalendar, { body: { HouseID, ...body } })

/** Some days from now on the clock of Shanghai. */
const dateIn = (days: number) => new Date(now + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
const event = (name: string, from: string, to: string, ...more: string[]) =>
  ['BEGIN:VEVENT', `SUMMARY:${name}`, `DTSTART;VALUE=DATE:${from}`, `DTEND;VALUE=DATE:${to}`, ...more, 'END:VEVENT'].join('\r\n')
const calendar = (...events: string[]) => ['BEGIN:VCALENDAR', ...events, 'END:VCALENDAR'].join('\r\n')
const yearOf2035 = calendar(
  event('元旦 假期', '20350101', '20350103'),
  event('元旦 补班', '20350107', '20350108'),
  event('厂庆', '20350601', '20350602'),
)
const daysOf = async (Year: number) =>
  (await stack.client.call(getCalendar, { params: { HouseID: house() }, query: { Year } })).Days

test('a dry run shows each day of an iCalendar file and stores none; then they are stored as imported, and audited', async () => {
  const shown = await imported({ DryRun: true, Ics: yearOf2035, PlainClass: 'special' })
  expect(shown.Stored).toBe(0)
  expect(shown.Days.map(({ Date: date, Class, Name, Change, Before }) => [date, Class, Name, Change, Before.Class])).toEqual([
    ['2035-01-01', 'holiday', '元旦 假期', 'new', 'workday'],
    ['2035-01-02', 'holiday', '元旦 假期', 'new', 'workday'],
    ['2035-01-07', 'workday', '元旦 补班', 'new', 'restday'],
    ['2035-06-01', 'special', '厂庆', 'new', 'workday'],
  ])
  expect(await daysOf(2035)).toEqual([])

  expect((await imported({ DryRun: false, Ics: yearOf2035, PlainClass: 'special' })).Stored).toBe(4)
  expect(await daysOf(2035)).toMatchObject([
    { Date: '2035-01-01', Class: 'holiday', Origin: 'import', ChangedBy: stack.admin.userName, ChangedAt: now },
    { Date: '2035-01-02' },
    { Date: '2035-01-07', Class: 'workday' },
    { Date: '2035-06-01', Class: 'special' },
  ])
  const { items } = await stack.client.call(listJournal, { body: { Action: 'calendar.import' } })
  expect(items).toMatchObject([{ Actor: stack.admin.userName }])
  expect(JSON.parse(items[0]?.After ?? '')).toMatchObject({
    source: 'ics',
    leftOut: 0,
    days: [{ date: '2035-01-01', class: 'holiday' }, {}, {}, {}],
  })

  expect((await imported({ DryRun: false, Ics: yearOf2035, PlainClass: 'special' })).Days.map(({ Change }) => Change)).toEqual([
    'same',
    'same',
    'same',
    'same',
  ])
})

test('rows of a table are named one by one where they are wrong, and nothing is stored unless they are left out', async () => {
  const Rows = [
    { Row: 2, From: '2036/10/1', To: '2036/10/3', Class: '节假日', Name: '国庆节' },
    { Row: 3, From: '2036-02-30', Class: '节假日' },
    { Row: 4, From: '2036-10-12', Class: '上课' },
  ]
  const wrong = [
    {
      Row: 3,
      Key: 'date wrong',
      Text: { en: expect.stringContaining('no such date'), zh: expect.stringContaining('日期不存在') },
    },
    { Row: 4, Key: 'class unknown', Text: { zh: expect.stringContaining('上课'), en: expect.stringContaining('上课') } },
  ]
  expect((await imported({ DryRun: true, Rows })).Problems).toEqual(wrong)
  const refused = await imported({ DryRun: false, Rows }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(CallError)
  expect(refused).toMatchObject({
    problem: {
      failure: {
        Message: 'calendar rows wrong',
        Text: { zh: '有 2 行无法导入，未保存任何日期', en: 'Nothing was stored: 2 rows cannot be imported' },
        Problems: [{ Path: 'row 3' }, { Path: 'row 4' }],
      },
    },
  })
  expect(await daysOf(2036)).toEqual([])
  expect(await imported({ DryRun: false, Rows, LeaveOut: true })).toMatchObject({ Stored: 3, Problems: wrong })
  expect((await daysOf(2036)).map(({ Date: date }) => date)).toEqual(['2036-10-01', '2036-10-02', '2036-10-03'])
})

test('what a person entered stays, unless the import is to go over it', async () => {
  const Rows = [{ Row: 2, From: '2037-05-01', Class: 'holiday', Name: '劳动节' }]
  await stack.client.call(updateCalendar, {
    body: { HouseID: house(), Days: [{ Date: '2037-05-01', Class: 'workday', Name: '赶工' }] },
  })
  expect(await imported({ DryRun: false, Rows })).toMatchObject({
    Stored: 0,
    Days: [{ Change: 'kept', Before: { Class: 'workday', Name: '赶工', Origin: 'person' } }],
  })
  expect(await daysOf(2037)).toMatchObject([{ Class: 'workday', Origin: 'person' }])
  expect(await imported({ DryRun: false, Rows, OverEntered: true })).toMatchObject({ Stored: 1, Days: [{ Change: 'changed' }] })
  expect(await daysOf(2037)).toMatchObject([{ Class: 'holiday', Name: '劳动节', Origin: 'import' }])
})

test('an imported day moves what timers are due for', async () => {
  const date = dateIn(20)
  const timer = await stack.client.call(insertTimer, {
    body: {
      ...{ HouseID: house(), Name: '特殊日断电', Function: 'switch', Type: 'calendar', Period: { Classes: ['special'] } },
      Points: [{ PointNo: 1, At: '12:00', Action: 'trip' }],
      ...{ Exceptions: [], Lines: [{ ControllerID: 'A-T1', LineNo: 1 }], KeepWhileWanted: true, Enabled: true },
    },
  })
  await imported({ DryRun: false, Rows: [{ Row: 2, From: date, Class: '特殊日', Name: '停电演练' }] })
  const { Next } = await stack.client.call(getTimer, { params: { TimerID: timer.TimerID } })
  expect(Next[0]?.Date).toBe(date)
  const due = await stack.server.database.general
    .selectFrom('timer_due')
    .select('due_at')
    .where('timer_id', '=', timer.TimerID)
    .executeTakeFirst()
  expect(due?.due_at.getTime()).toBe(Next[0]?.At)
})

test.each<[string, Omit<Body, 'HouseID'>]>([
  ['a page', { DryRun: true, Ics: '<!doctype html>' }],
  ['neither file nor rows', { DryRun: true }],
  ['both', { DryRun: true, Ics: yearOf2035, Rows: [{ Row: 2, From: '2035-01-01', Class: 'holiday' }] }],
])('%s is no calendar, and is refused by what it should be', async (_, body) => {
  expect(await outcomeOf(imported(body))).toBe('calendar file wrong')
})

test('more rows than may be are not read, and whoever may not manage timers imports nothing', async () => {
  const Rows = Array.from({ length: 801 }, (_, index) => ({ Row: index + 2, From: '2035-01-01', Class: 'holiday' }))
  expect(await outcomeOf(imported({ DryRun: true, Rows }))).toBe('invalid parameter')
  const who = { userName: 'other-owner', password: 'Duty-7391' }
  await stack.server.accounts.createAccount({ ...who, kind: 'project' })
  const stranger = await signedIn(stack.url, who, () => now)
  expect(await outcomeOf(imported({ DryRun: true, Ics: yearOf2035 }, stranger))).not.toBe('done')
})
