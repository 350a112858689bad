import { randomUUID } from 'node:crypto'
import type { TimerForm } from '@linewarden/contract'
import {
  dayOfTimers,
  getTimer,
  insertLinkage,
  insertTimer,
  lateTimers,
  overrideLine,
  placeTag,
  previewTimer,
  queryTimers,
  skipTimer,
  timerPlan,
  timersAbout,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'

// What timers are going to do, told before they do it. Tuesday, ten in the morning of Shanghai.
let stack: Stack
const now = Date.UTC(2026, 10, 24, 2)
const at = (hour: number, day = 0, minute = 0, second = 0) => Date.UTC(2026, 10, 24 + day, hour - 8, minute, second)

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => now, fleet: { now: () => now } })
  calm(stack)
})
afterAll(() => stack?.close())

const house = () => stack.server.plant.deviceByControllerId.get('A-T1')?.gateway.project.id ?? 0
const line = (LineNo: number) => ({ ControllerID: 'A-T1', LineNo })
const daily = (Name: string, points: readonly (readonly [string, 'trip' | 'close'])[], ...lines: number[]): TimerForm => ({
  ...{ Name, Function: 'switch', Type: 'weekly', Period: { Days: 127 }, Exceptions: [], KeepWhileWanted: true, Enabled: true },
  Points: points.map(([At, Action], index) => ({ PointNo: index + 1, At, Action })),
  Lines: lines.map(line),
})
const insert = (form: TimerForm) => stack.client.call(insertTimer, { body: { HouseID: house(), ...form } })
const plan = (TimerID: number, client = stack.client) => client.call(timerPlan, { params: { TimerID } })

test('of the next runs it is said which lines will be left out or refused, by what and by whom', async () => {
  const long = await insert(
    daily(
      '夜班',
      [
        ['09:00', 'close'],
        ['23:30', 'trip'],
      ],
      2,
    ),
  )
  const { TimerID } = await insert(
    daily(
      '早班',
      [
        ['06:30', 'close'],
        ['18:00', 'trip'],
      ],
      1,
      2,
      3,
    ),
  )
  await stack.client.call(placeTag, { params: line(1), body: { TagID: randomUUID(), Kind: 'lock', Reason: '查绝缘' } })
  await stack.client.call(overrideLine, { params: line(3), body: { Kind: 'until', Until: at(20), Reason: '试车' } })
  const { Next, Timers, Instead } = await plan(TimerID)
  expect(Next.map(({ At }) => At)).toEqual([at(18), at(6, 1, 30), at(18, 1), at(6, 2, 30), at(18, 2)])
  expect(Next.map(({ Foreseen }) => Foreseen.map(({ Outcome, Why, By, LineNames }) => [Outcome, Why, By, ...LineNames]))).toEqual(
    [
      [
        ['skipped', 'stillWanted', '夜班', 'A线2'],
        ['skipped', 'override', null, 'A线3'],
      ],
      [['refused', 'tagged', stack.admin.userName, 'A线1']],
      [['skipped', 'stillWanted', '夜班', 'A线2']],
      [['refused', 'tagged', stack.admin.userName, 'A线1']],
      [['skipped', 'stillWanted', '夜班', 'A线2']],
    ],
  )
  expect((await stack.client.call(getTimer, { params: { TimerID } })).Foreseen.map(({ Why, Count }) => [Why, Count])).toEqual([
    ['stillWanted', 1],
    ['override', 1],
  ])
  expect(Instead).toEqual([
    { LineID: expect.any(Number), LineName: 'A线1', At: at(18, 1), By: '早班' },
    { LineID: expect.any(Number), LineName: 'A线2', At: at(23, 0, 30), By: '夜班' },
    { LineID: expect.any(Number), LineName: 'A线3', At: at(18, 1), By: '早班' },
  ])
  expect(Timers.map(({ TimerID: id, Windows }) => [id, Windows.length, Windows[0]])).toEqual([
    [TimerID, 7, { From: at(6, 0, 30), To: at(18), Left: false }],
    [long.TimerID, 7, { From: at(9), To: at(23, 0, 30), Left: false }],
  ])
})

test('the preview says of each line what would stand against each action now, by the words of the permit and of people', async () => {
  const form = daily(
    '试填',
    [
      ['07:00', 'close'],
      ['19:00', 'trip'],
    ],
    1,
    3,
    5,
  )
  const preview = async (body: TimerForm, client = stack.client) => {
    const { Against, AgainstCounts } = await client.call(previewTimer, { body: { HouseID: house(), ...body } })
    const against = Against.map(({ LineName, Unmet }) => [LineName, ...Unmet.map(({ Key, Actions }) => [Key, ...Actions])])
    return { against, counts: AgainstCounts.map(({ Action, Count }) => [Action, Count]) }
  }
  // The tag of the first test stands against a close and no trip; the override of a person against both. That a line is closed already stands against nothing.
  expect(await preview(form)).toEqual({
    against: [
      ['A线3', ['override', 'trip', 'close']],
      ['A线1', ['tags', 'close']],
    ],
    counts: [
      ['trip', 1],
      ['close', 2],
    ],
  })
  const test = { ...form, Function: 'selfTest' as const, Points: [{ PointNo: 1, At: '02:00', Action: 'test' as const }] }
  expect((await preview(test)).counts).toEqual([['test', 2]])
  // Whoever may switch nothing is kept from everything.
  const { accounts } = stack.server
  const who = { userName: '13800000202', password: 'Duty-7391' }
  const roleId = await accounts.createRole({ number: 'R-P', name: 'R-P', privileges: ['timer', 'timer.list'], buttons: [] })
  await accounts.createAccount({ ...who, kind: 'sub', roleId, projectIds: [house()] })
  const reader = await signedIn(stack.url, who, () => now)
  const { against } = await preview({ ...form, Lines: [line(5)] }, reader)
  expect(against).toEqual([['A线5', ['permission', 'trip', 'close']]])
  // A trip of a gateway that is away is tried, and the preview says that it would not get there.
  const gateway = stack.fleet.gatewayOf('B-T1')
  gateway.disconnectAbruptly()
  await expect.poll(() => stack.server.plant.deviceByControllerId.get('B-T1')?.gateway.link).toBe('offline')
  const HouseID = stack.server.plant.deviceByControllerId.get('B-T1')?.gateway.project.id ?? 0
  const away = await stack.client.call(previewTimer, {
    body: { HouseID, ...daily('离线', [['19:00', 'trip']]), Lines: [{ ControllerID: 'B-T1', LineNo: 1 }] },
  })
  expect(away.Against.map(({ Unmet }) => Unmet.map(({ Key, Actions }) => [Key, ...Actions]))).toEqual([[['online', 'trip']]])
  await gateway.reconnect()
})

test('an exception keeps its place in the week, and what another timer undoes within a minute is marked', async () => {
  const form = daily(
    '烘箱',
    [
      ['07:00', 'close'],
      ['19:00', 'trip'],
    ],
    4,
  )
  const { TimerID } = await insert({ ...form, Exceptions: [{ FromDate: '2026-11-25', ToDate: '2026-11-25', Do: 'none' }] })
  const other = daily(
    '夜烘',
    [
      ['19:00:30', 'close'],
      ['21:00', 'trip'],
    ],
    4,
  )
  await stack.client.call(insertTimer, { body: { HouseID: house(), ...other, ConflictReason: '试产' } })
  const { Timers, Conflicts, Days } = await plan(TimerID)
  expect(Timers[0]?.Windows.map(({ From, Left }) => [From, Left]).slice(0, 3)).toEqual([
    [at(7), false],
    [at(7, 1), true],
    [at(7, 2), false],
  ])
  expect(Timers[1]?.Opposed.slice(0, 2)).toEqual([at(19, 0, 0, 30), at(19, 2, 0, 30)])
  expect(Conflicts.filter(({ Key }) => Key === 'fight')).toEqual([
    expect.objectContaining({ Effect: 'confirm', Name: '夜烘', Line: line(4), At: at(19, 0, 0, 30) }),
  ])
  expect(Days.map(({ Date: date, Class }) => [date, Class]).slice(3, 6)).toEqual([
    ['2026-11-27', 'workday'],
    ['2026-11-28', 'restday'],
    ['2026-11-29', 'restday'],
  ])
})

test('the day of a project has what was skipped and what is to come, in the order of time', async () => {
  const [timer] = (await stack.client.call(queryTimers, { body: { Text: '夜烘' } })).items
  if (!timer) throw new Error('no timer')
  await stack.client.call(skipTimer, { body: { TimerID: timer.TimerID, Version: timer.Version, Until: at(19, 0, 0, 30) } })
  const day = (date?: string) =>
    stack.client.call(dayOfTimers, { params: { HouseID: house() }, query: { ...(date && { Date: date }) } })
  const today = await day()
  expect([today.Date, today.Total]).toEqual(['2026-11-24', 5])
  expect(today.Items.map(({ At, Name, Action, Skip }) => [At, Name, Action, Skip])).toEqual([
    [at(18), '早班', 'trip', null],
    [at(19), '烘箱', 'trip', null],
    [at(19, 0, 0, 30), '夜烘', 'close', 'skipOnce'],
    [at(21), '夜烘', 'trip', null],
    [at(23, 0, 30), '夜班', 'trip', null],
  ])
  // The tag on line 1 hangs still, and another server on this database hung one on line 4.
  const db = await stack.server.database.connect()
  const oven = stack.server.plant.lineAt('A-T1', 4)?.id
  await db.query(
    `insert into tag (tag_id, line_id, kind, holder, reason, placed_at) values ($1, $2, 'tag', '另一台服务器', '检修', now())`,
    [randomUUID(), oven],
  )
  const taggedOf = async () => (await day()).Items.map(({ Name, Tagged }) => [Name, Tagged])
  expect(await taggedOf()).toEqual([
    ['早班', 1],
    ['烘箱', 1],
    ['夜烘', 1],
    ['夜烘', 1],
    ['夜班', 0],
  ])
  await db.query(`delete from tag where line_id = $1`, [oven])
  await db.end()
  expect(today.Items.map(({ LineCount, Tagged }) => [LineCount, Tagged])).toEqual([
    [3, 1],
    [1, 0],
    [1, 0],
    [1, 0],
    [1, 0],
  ])
  expect([today.From, today.To]).toEqual([at(0), at(24)])
  expect((await day('2026-11-25')).Total).toBe(6)
  const LineID = stack.server.plant.deviceByControllerId.get('A-T1')?.lines.get(4)?.id ?? 0
  const ofLine = await stack.client.call(dayOfTimers, { params: { HouseID: house() }, query: { LineID } })
  expect([...new Set(ofLine.Items.map(({ Name }) => Name))].sort()).toEqual(['夜烘', '烘箱'])
  expect(await outcomeOf(day('2026-02-31'))).toBe('invalid parameter')
})

test('of all timers of a place it is said what comes next today, and that the holidays of next year are not entered', async () => {
  await insert({
    ...daily('按日历', [['23:40', 'trip']], 1),
    ...{ Type: 'calendar', Period: { Classes: ['workday'] } },
  })
  const about = await stack.client.call(timersAbout, { body: { HouseID: house() } })
  const { total } = await stack.client.call(queryTimers, { body: { HouseID: house() } })
  expect(about).toMatchObject({
    Total: total,
    Enabled: total,
    Today: { Done: 0, Coming: 6 },
    Orphan: 0,
    OrphansOf: [],
    Overdue: 0,
  })
  expect(about.Next).toMatchObject({ At: at(18), Name: '早班', Action: 'trip', TimeZone: 'Asia/Shanghai' })
  expect(about.Unmaintained).toEqual([{ HouseID: house(), Year: 2027, Timers: 1, BeginsInDays: 38 }])
  // Of several projects nobody says what date is today.
  expect((await stack.client.call(timersAbout, { body: {} })).Today).toBeNull()
})

test('whoever sees none of its lines is told nothing of a timer; of its project, what is theirs alone', async () => {
  const { accounts, plant } = stack.server
  const roleId = await accounts.createRole({ number: 'R-B', name: 'R-B', privileges: ['timer', 'timer.list'], buttons: [] })
  const who = { userName: '13800000201', password: 'Duty-7391' }
  const projectB = plant.deviceByControllerId.get('B-T1')?.gateway.project.id ?? 0
  await accounts.createAccount({ ...who, kind: 'sub', roleId, projectIds: [projectB] })
  const client = await signedIn(stack.url, who, () => now)
  const [timer] = (await stack.client.call(queryTimers, { body: {} })).items
  expect(await outcomeOf(plan(timer?.TimerID ?? 0, client))).toBe('timer not exists')
  expect((await client.call(dayOfTimers, { params: { HouseID: projectB }, query: {} })).Items).toEqual([])
  expect(await client.call(timersAbout, { body: {} })).toMatchObject({ Total: 0, Next: null, Unmaintained: [] })
  expect(await client.call(lateTimers, {})).toEqual({ Count: 0, DueAt: null })
})

test('a linkage that undoes what a timer does is named in the form and in the drawer, once it orders', async () => {
  const form = daily(
    '门厅',
    [
      ['07:00', 'close'],
      ['19:00', 'trip'],
    ],
    6,
    7,
  )
  const opposedBy = async () => {
    const { Conflicts } = await stack.client.call(previewTimer, { body: { HouseID: house(), ...form } })
    return Conflicts.filter(({ Key }) => Key === 'opposed')
  }
  const linkage = (Name: string, Mode: 'shadow' | 'live') => ({
    ...{ HouseID: house(), Name, Enabled: true, Mode, Match: 'all' as const, ActiveHours: [], MayClose: false },
    ...{ CooldownS: 60, MaxPerHour: 6, MaxPerDay: 24 },
    Conditions: [{ Kind: 'state', ...line(6), Key: 'position', Op: '=', Value: 1, ForS: 60 } as const],
    Actions: [{ Kind: 'trip', ...line(6), DelayS: 0 } as const],
  })
  await stack.client.call(insertLinkage, { body: linkage('试运行', 'shadow') })
  expect(await opposedBy()).toEqual([])
  const { LinkageID } = await stack.client.call(insertLinkage, { body: linkage('禁止合闸', 'live') })
  const opposed = {
    ...{ Key: 'opposed', Effect: 'warn', TimerID: null, LinkageID, Name: '禁止合闸', By: null },
    ...{ Line: line(6), At: at(7, 1), Figure: null },
  }
  expect(await opposedBy()).toEqual([opposed])
  const { TimerID } = await insert(form)
  const { Conflicts, CutAt } = await plan(TimerID)
  expect(Conflicts).toContainEqual(opposed)
  expect(CutAt).toBeNull()
})

test('of two thousand timers of one line it is said up to when they were looked at, and the server answers others meanwhile', async () => {
  const db = await stack.server.database.connect()
  const times = Array.from({ length: 8 }, (_, index) => [`1${index}:20`, index % 2 ? 'trip' : 'close'] as const)
  const { TimerID } = await insert(daily('一路', times, 8))
  await db.query(
    `with copied as (
      insert into timer (project_id, name, function, schedule, keep_while_wanted, enabled, owner_id, owner_name, changed_at, changed_by)
      select project_id, name || n, function, schedule, keep_while_wanted, enabled, owner_id, owner_name, changed_at, changed_by
      from timer, generate_series(1, 1900) n where timer_id = $1 returning timer_id)
    insert into timer_line (timer_id, position, line_id)
    select copied.timer_id, position, line_id from copied, timer_line where timer_line.timer_id = $1`,
    [TimerID],
  )
  await db.end()
  const form = { ...daily('月末', [['12:00', 'trip']], 8), Type: 'monthly' as const, Period: { Days: [-1] } }
  let isAnswered = false
  let answered = 0
  const preview = stack.client.call(previewTimer, { body: { HouseID: house(), ...form } }).finally(() => {
    isAnswered = true
  })
  while (!isAnswered) {
    await stack.client.call(lateTimers, {})
    answered++
  }
  const { CutAt, Next, Conflicts } = await preview
  expect(answered).toBeGreaterThan(1)
  expect(Next.length).toBe(5)
  expect(CutAt).toBeGreaterThan(now)
  expect(CutAt).toBeLessThan(now + 366 * 86_400_000)
  expect(Conflicts.every(({ At }) => At === null || At < (CutAt ?? 0))).toBe(true)
}, 240_000)
