import type { Client } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import { analyseAlarms, downloadPath, exportAnalysis, listEvents, updateWarningRule } from '@linewarden/contract'
import { countDueSteps } from '@linewarden/server/event-counts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'
import { storeAlarms } from '../../kit/stored-alarms.ts'

// January 2026, of which the simulated fleet reports nothing. The projects stand in Shanghai: their 15th begins at 16:00 UTC of the 14th.
const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]
const midnight = Date.UTC(2026, 0, 14, 16)
const noon = midnight + 12 * hourMs

type Asked = Request<typeof analyseAlarms>['body']
const days = { FromDay: '2026-01-15', ToDay: '2026-01-16' }

let stack: Stack
let sub: Client
let [houseA, houseB] = [0, 0]
beforeAll(async () => {
  stack = await startStack({ plan: smallPlan })
  const { accounts, plant } = stack.server
  const idOf = (name: string) => [...plant.projects.values()].find((each) => each.name === name)?.id ?? 0
  ;[houseA, houseB] = [idOf('项目A'), idOf('项目B')]
  const account = { userName: '13800000008', password: 'Past-7391' }
  const privileges = ['hazard', 'hazard.analysis']
  const roleId = await accounts.createRole({ number: 'analysis', name: '统计', privileges, buttons: [] })
  await accounts.createAccount({ ...account, kind: 'sub', roleId, projectIds: [houseA] })
  sub = await signedIn(stack.url, account)
})
afterAll(() => stack?.close())

const sql = async (text: string, values: unknown[] = []) => {
  const client = await stack.server.database.connect()
  return (await client.query(text, values).finally(() => client.end())).rows
}
beforeEach(() =>
  sql(
    'delete from event; delete from event_counted; delete from event_shelf; delete from event_step_due; truncate event_ten, event_day, event_ack, event_ten_sum, event_day_sum, event_ack_sum',
  ),
)

const count = async () => {
  const client = await stack.server.database.connect()
  await countDueSteps(client).finally(() => client.end())
}
const store = async (...alarms: Parameters<typeof storeAlarms>[1]) => {
  await storeAlarms(stack, alarms)
  await count()
}
const analyse = (asked: Partial<Asked> = {}, client = stack.client) =>
  client.call(analyseAlarms, { body: { ...days, ...asked } as Asked })

type Listed = Request<typeof listEvents>['body']
/** How often the list behind a figure says that its events were counted. */
const timesOf = async (Counted: NonNullable<Listed['Counted']>, filter: Omit<Listed, 'Counted'> = {}, client = stack.client) =>
  (await client.call(listEvents, { body: { Kinds: ['alarm', 'fault', 'warning'], ...filter, Counted } })).about.Times

test('an alarm is counted where and when it was, beside what was before', async () => {
  await store(
    { raisedAt: noon, returnedAt: noon + 30_000 },
    { raisedAt: noon + dayMs, key: 'trip.short', priority: 'critical', acknowledgedAt: noon + dayMs + 90_000, by: 'a' },
    { raisedAt: noon - 2 * dayMs, returnedAt: noon - 2 * dayMs + 3_000 },
    // Outside of both periods: a moment before, and at the end.
    { raisedAt: midnight - 2 * dayMs - 1, returnedAt: midnight },
    { raisedAt: midnight + 2 * dayMs, returnedAt: midnight + 2 * dayMs },
  )
  const found = await analyse()
  expect([found.TimeZone, found.OtherZones, found.From, found.To]).toEqual([
    'Asia/Shanghai',
    false,
    midnight,
    midnight + 2 * dayMs,
  ])
  expect(found.Total).toEqual({ Announced: 2, Raised: 2, Folded: 0, Bursts: 0, Fleeting: 0, Unjustified: 1 })
  expect(found.Before).toEqual({ Announced: 1, Raised: 1, Folded: 0, Bursts: 0, Fleeting: 1, Unjustified: 1 })
  expect(found.Days.map(({ Day, Announced, Before }) => [Day, Announced, Before])).toEqual([
    ['2026-01-15', 1, 1],
    ['2026-01-16', 1, 0],
  ])
  expect(found.Mix.Counts).toEqual({ critical: 1, high: 1, medium: 0, low: 0 })
  expect(found.Rate).toMatchObject({ Windows: 288, None: 286, One: 2, Few: 0, Many: 0, Max: 1, Median: 0 })
  expect(found.Responses[0]).toMatchObject({ Priority: 'critical', Acknowledged: 1, MedianS: 90, P90S: 90 })
  expect(found.Hours.find(({ Weekday, Hour }) => Weekday === 3 && Hour === 12)).toMatchObject({ Announced: 1, Hours: 1 })
  expect(found.Frequent.Places).toMatchObject([
    { Key: 'current.alarm', Label: { en: 'Overcurrent alarm' }, ControllerID: 'A-T1', Count: 1, Share: null },
    { Key: 'trip.short', Count: 1 },
  ])
  expect((await analyse({ Compare: false })).Before).toBeNull()
})

test.each<[string, () => Partial<Asked>, number]>([
  ['a project', () => ({ HouseID: houseA }), 3],
  ['the other project', () => ({ HouseID: houseB }), 1],
  ['a gateway', () => ({ DeviceID: stack.server.plant.gatewayByNumber.get('GW-B')?.id ?? 0 }), 1],
  ['a device', () => ({ ControllerID: 'A-T1' }), 3],
  ['a device that there is not', () => ({ ControllerID: 'X-9' }), 0],
  ['a line', () => ({ LineID: stack.server.plant.lineAt('A-T1', 2)?.id ?? 0 }), 1],
  ['alarms', () => ({ Keys: ['trip.short'] }), 2],
  ['a kind', () => ({ Kinds: ['warning'] }), 1],
  ['priorities', () => ({ Priorities: ['critical', 'low'] }), 3],
  ['a group', () => ({ CityID: stack.server.plant.projects.get(houseA)?.cityId ?? 0 }), 4],
])('of %s', async (_, asked, announced) => {
  await store(
    { raisedAt: noon },
    { raisedAt: noon, lineNo: 2, key: 'trip.short', priority: 'critical' },
    { raisedAt: noon, lineNo: 3, kind: 'warning', key: 'current.warning', priority: 'low' },
    { raisedAt: noon, controllerId: 'B-T1', key: 'trip.short', priority: 'critical' },
  )
  const found = await analyse(asked())
  expect([found.Total.Announced, found.Frequent.Places.reduce((sum, { Count }) => sum + Count, 0)]).toEqual([
    announced,
    announced,
  ])
  // Every figure opens the list behind it, which has as many.
  const { FromDay: _from, ToDay: _to, ...filter } = { ...days, ...asked() }
  expect(await timesOf({ As: 'announced', From: found.From, To: found.To }, filter)).toBe(announced)
  expect(await timesOf({ As: 'raised', ...days }, filter)).toBe(announced)
})

describe('the list behind a figure counts what the figure does', () => {
  test('of each hour of the week, each day and the day before it, floods and the worst window', async () => {
    await store(
      ...Array.from({ length: 13 }, (_, i) => ({ raisedAt: noon + i * 1_000, lineNo: 1 + (i % 3) })),
      { raisedAt: noon + 10 * minuteMs, lineNo: 2 },
      { raisedAt: midnight + 2 * dayMs - 1, priority: 'low' },
      { raisedAt: midnight - dayMs },
      { raisedAt: midnight - dayMs - 1 },
    )
    const found = await analyse()
    const { From, To, TimeZone } = found
    for (const { Weekday, Hour, Announced } of found.Hours.filter((each) => each.Announced > 0 || each.Hour === 13))
      expect(await timesOf({ As: 'announced', From, To, Hour: { Weekday, Hour, TimeZone } })).toBe(Announced)
    for (const [i, day] of found.Days.entries()) {
      const next = found.Days[i + 1]
      expect(await timesOf({ As: 'announced', From: day.From, To: next?.From ?? To })).toBe(day.Announced)
      expect(await timesOf({ As: 'announced', From: day.BeforeFrom, To: next?.BeforeFrom ?? From })).toBe(day.Before)
    }
    expect(found.Days.map(({ Announced, Before }) => [Announced, Before])).toEqual([
      [14, 1],
      [1, 1],
    ])
    for (const flood of found.Floods.Worst)
      expect(await timesOf({ As: 'announced', From: flood.From, To: flood.To })).toBe(flood.Announced)
    expect([found.Floods.Count, found.Rate.MaxAt]).toEqual([1, noon])
    expect(await timesOf({ As: 'announced', From: noon, To: noon + 10 * minuteMs })).toBe(found.Rate.Max)
    for (const Priority of ['high', 'low'] as const)
      expect(await timesOf({ As: 'announced', From, To }, { Priorities: [Priority] })).toBe(found.Mix.Counts[Priority])
    const total = { Bursts: 'bursts', Fleeting: 'fleeting', Unjustified: 'unjustified', Raised: 'raised' } as const
    for (const [name, As] of Object.entries(total))
      expect(await timesOf({ As, ...days })).toBe(found.Total[name as keyof typeof total])
  })

  test('of what was acknowledged, what returned at once, and what was active for long at a midnight and is now', async () => {
    await store(
      { raisedAt: noon, returnedAt: noon + 3_000 },
      { raisedAt: noon, returnedAt: noon + 40_000, lineNo: 2 },
      { raisedAt: noon, acknowledgedAt: noon + 90_000, priority: 'critical', lineNo: 3 },
      { raisedAt: midnight - 25 * hourMs, returnedAt: midnight + hourMs, lineNo: 4 },
      { raisedAt: midnight - 25 * hourMs, state: 'active', lineNo: 5 },
    )
    const found = await analyse()
    expect([found.Total.Fleeting, found.Total.Unjustified, found.LongActive.NowCount]).toEqual([1, 2, 1])
    expect(await timesOf({ As: 'fleeting', ...days })).toBe(1)
    expect(await timesOf({ As: 'unjustified', ...days })).toBe(2)
    expect(await timesOf({ As: 'acknowledged', ...days }, { Priorities: ['critical'] })).toBe(1)
    expect(await timesOf({ As: 'acknowledged', ...days }, { Priorities: ['high'] })).toBe(0)
    expect(found.Days.map(({ LongActive }) => LongActive)).toEqual([2, 1])
    for (const { Day, LongActive } of found.Days)
      expect(await timesOf({ As: 'longActive', FromDay: Day, ToDay: Day })).toBe(LongActive)
    expect(await timesOf({ As: 'longActive', From: found.AsOf })).toBe(1)
  })

  test('of each row of what comes most often: an alarm of a gateway is none of its lines', async () => {
    await store({ raisedAt: noon }, { raisedAt: noon, lineNo: 2, key: 'trip.short' }, { raisedAt: noon, controllerId: 'B-T1' })
    const gateway = stack.server.plant.gatewayByNumber.get('GW-A')
    await sql(
      `with made as (insert into event (kind, priority, key, label_zh, label_en, state, project_id, gateway_id, raised_at, stored_at)
         values ('alarm', 'high', 'current.alarm', 'x', 'x', 'normal', $1, $2, $3, $3) returning event_id)
       insert into event_transition (event_id, at, act, to_state, announced) select event_id, $3, 'raise', 'active', true from made`,
      [gateway?.project.id, gateway?.id, new Date(noon)],
    )
    await count()
    const { Frequent } = await analyse()
    const raised = { As: 'raised', ...days } as const
    expect(Frequent.Places).toHaveLength(4)
    for (const { Key, Count, DeviceID, LineID } of Frequent.Places) {
      const place = LineID === null ? { DeviceID: DeviceID ?? 0, Here: true } : { LineID }
      expect(await timesOf(raised, { ...place, Keys: [Key] })).toBe(Count)
    }
    for (const { Family, Model, Count } of Frequent.Models)
      expect(await timesOf(raised, { Model: { Family, Model } })).toBe(Count)
    expect(Frequent.Causes.map(({ Cause, Count }) => [Cause, Count])).toEqual([
      ['overload', 3],
      ['shortCircuit', 1],
    ])
    for (const { Keys, Count } of Frequent.Causes) expect(await timesOf(raised, { Keys })).toBe(Count)
    // Whoever sees one project is told of no event of another.
    expect(await timesOf(raised, {}, sub)).toBe(3)
  })

  test.each([
    ['of half a range of days', { As: 'raised', FromDay: '2026-01-15' }],
    ['of a day that there is not', { As: 'raised', FromDay: '2026-02-30', ToDay: '2026-03-01' }],
    ['by the clock of no project', { As: 'announced', Hour: { Weekday: 0, Hour: 1, TimeZone: 'Mars/Olympus' } }],
    ['of what is active for long, at no moment', { As: 'longActive' }],
    ['of what is no figure', { As: 'guessed' }],
  ])('%s there is none', async (_, Counted) =>
    expect(await outcomeOf(stack.client.call(listEvents, { body: { Counted } as Listed }))).toBe('invalid parameter'),
  )
})

test('a sub-account sees its own projects, in the file too', async () => {
  await store({ raisedAt: noon }, { raisedAt: noon, controllerId: 'B-T1', key: 'trip.short' })
  const found = await analyse({}, sub)
  expect([found.Total.Announced, found.Frequent.Keys.map(({ Key }) => Key)]).toEqual([1, ['current.alarm']])
  expect(found.Frequent.Projects.map(({ HouseID }) => HouseID)).toEqual([houseA])
  expect(found.Lines.All).toBeLessThan((await analyse()).Lines.All)
  expect(await outcomeOf(analyse({ HouseID: houseB }, sub))).toBe('project not exists')
  const gatewayB = stack.server.plant.gatewayByNumber.get('GW-B')?.id ?? 0
  expect((await analyse({ DeviceID: gatewayB }, sub)).Total.Announced).toBe(0)
  const text = await file('places', 'csv', sub)
  expect(text).toContain('过流报警 / 项目A')
  expect(text).not.toContain('trip.short')
})

test('without the permission for the page there are no statistics', async () => {
  const account = { userName: '13800000007', password: 'Past-7391' }
  const role = { number: 'live', name: '实时', privileges: ['devmon', 'devmon.realtime'], buttons: [] }
  const roleId = await stack.server.accounts.createRole(role)
  await stack.server.accounts.createAccount({ ...account, kind: 'sub', roleId, projectIds: [houseA] })
  const other = await signedIn(stack.url, account)
  expect(await outcomeOf(analyse({}, other))).toBe('access denied')
})

describe('a range that is none is refused', () => {
  test.each([
    ['ends before it begins', { FromDay: '2026-01-16', ToDay: '2026-01-15' }],
    ['has more than 400 days', { FromDay: '2024-12-01', ToDay: '2026-01-16' }],
    ['begins on a day that there is not', { FromDay: '2026-02-30', ToDay: '2026-03-01' }],
    ['begins in the future', { FromDay: '2300-01-01', ToDay: '2300-01-02' }],
    ['is no day', { FromDay: 'yesterday' }],
    ['names a kind that is counted nowhere', { Kinds: ['journal'] as never }],
    ['names no kind', { Kinds: [] }],
  ])('%s', async (_, asked) => expect(await outcomeOf(analyse(asked))).toBe('invalid parameter'))
  test('400 days are answered', async () =>
    expect((await analyse({ FromDay: '2024-12-12', ToDay: '2026-01-15' })).Days).toHaveLength(400))
})

test('more than ten in ten minutes is a flood, and misses the target', async () => {
  await store(
    ...Array.from({ length: 12 }, (_, i) => ({ raisedAt: noon + i * 1_000, key: `current.alarm`, lineNo: 1 + (i % 3) })),
  )
  const found = await analyse()
  expect(found.Floods).toMatchObject({
    Count: 1,
    Ms: 10 * minuteMs,
    Worst: [{ From: noon, To: noon + 10 * minuteMs, Announced: 12, Peak: 12 }],
  })
  expect([found.Rate.Verdict, found.Rate.Many]).toEqual(['missed', 1])
  expect(found.ChatterPlaces).toBe(3)
})

test('what is active still is long active at each midnight after its first day', async () => {
  await store({ raisedAt: midnight - 25 * hourMs, state: 'active' })
  const found = await analyse()
  expect(found.Days.map(({ LongActive }) => LongActive)).toEqual([1, 1])
  expect(found.LongActive).toMatchObject({ Verdict: 'met', Median: 1, Max: 1, NowCount: 1, Now: [{ Key: 'current.alarm' }] })
})

test('what was on the shelf or under a tag is listed with how long and how often', async () => {
  await store({ raisedAt: noon, state: 'active' })
  await sql(
    `insert into event_shelf (event_id, gateway_id, line_id, key, shelved_at, until, ended_at, actor, reason)
     select event_id, gateway_id, line_id, key, at, at + interval '2 hours', ended, 'a', 'r'
     from event, (values ($1::timestamptz, null), ($1 + interval '4 hours', $1 + interval '5 hours')) as shelf (at, ended)`,
    [new Date(noon)],
  )
  await sql(
    `insert into tag (tag_id, line_id, kind, holder, reason, placed_at, removed_at) select gen_random_uuid(), $1, 'tag', 'a', 'r', $2, $3`,
    [stack.server.plant.lineAt('A-T1', 2)?.id, new Date(noon), new Date(noon + 90 * minuteMs)],
  )
  const { Suppressed } = await analyse()
  expect(Suppressed).toMatchObject([
    { How: 'shelf', Times: 2, Ms: 3 * hourMs, LongestMs: 2 * hourMs, Event: { Key: 'current.alarm' } },
    { How: 'tag', Times: 1, Ms: 90 * minuteMs, ControllerID: 'A-T1' },
  ])
  expect((await analyse({ FromDay: '2026-01-16' })).Suppressed).toEqual([])
})

test('silence is good only with data: lines without an alarm, and those of them with readings', async () => {
  const lineId = stack.server.plant.lineAt('A-T1', 1)?.id
  await sql(
    `insert into reading_hour (line_id, hour, count, min, mean, max) values ($1, $2, 1, '{}', '{}', '{}') on conflict do nothing`,
    [lineId, new Date(noon)],
  )
  const found = await analyse({ ControllerID: 'A-T1' })
  expect(found.Total.Announced).toBe(0)
  expect(found.Lines).toMatchObject({ All: found.Lines.Quiet, QuietWithReadings: 1 })
})

test('a rule that was changed is a mark with who and why, for whoever sees what it is a rule of', async () => {
  const change = (HouseID?: number) =>
    stack.client.call(updateWarningRule, {
      body: {
        ...(HouseID !== undefined && { HouseID }),
        ...{ Key: 'contact', Version: 0, Enabled: false, Params: [], Priority: 'high', Except: [], Reason: 'spring' },
        Targets: { Kind: 'all', Families: [], LineIDs: [] },
      },
    })
  await change(houseA)
  await change(houseB)
  await change()
  const day = (ms: number) => new Date(ms + 8 * hourMs).toISOString().slice(0, 10)
  const now = Date.now()
  const range = { FromDay: day(now - dayMs), ToDay: day(now) }
  const marks = async (asked: Partial<Asked> = {}, client = stack.client) =>
    (await analyse({ ...range, ...asked }, client)).RuleChanges.map(({ HouseID }) => HouseID)
  expect(await marks()).toEqual([null, houseB, houseA])
  expect(await marks({ HouseID: houseA })).toEqual([null, houseA])
  // The default is in force for its project, too.
  expect(await marks({}, sub)).toEqual([null, houseA])
  expect(await marks({ Keys: ['trip.short'] })).toEqual([])
  expect((await analyse({ ...range, HouseID: houseB })).RuleChanges[1]).toMatchObject({
    ...{ Project: '项目B', Key: 'contact', Version: 1, Enabled: false, Reason: 'spring', Restored: false },
    ChangedBy: expect.stringMatching(/./),
  })
  expect(await marks(days)).toEqual([])
})

test('an answer of the rationalisation sheet that was written is a mark likewise', async () => {
  const { project_id, at } = { project_id: houseA, at: new Date(noon) }
  await sql(
    `with sheet as (insert into alarm_rationale (project_id, key, texts, version, changed_at, changed_by)
       values ($1, 'trip.short', '{}', 1, $2, 'a') returning rationale_id)
     insert into alarm_rationale_change (rationale_id, version, at, actor, reason, restored) select rationale_id, 1, $2, 'a', 'spring', false from sheet`,
    [project_id, at],
  )
  const marks = async (asked: Partial<Asked> = {}) => (await analyse(asked)).SheetChanges
  expect(await marks()).toMatchObject([
    { HouseID: houseA, Key: 'trip.short', Label: { en: expect.stringMatching(/short/i) }, Reason: 'spring', At: noon },
  ])
  expect(await marks({ HouseID: houseB })).toEqual([])
  expect(await marks({ FromDay: '2026-01-16' })).toEqual([])
})

test('an alarm that was tuned is a mark for whoever sees its line, and what comes most often is tuned by its newest event', async () => {
  const timing = (offDelayMs: number) => JSON.stringify({ onDelayMs: 0, offDelayMs, deadBandShare: 0.02 })
  const tuned = (controllerId: string, actor: string) =>
    sql(
      `with tuning as (insert into alarm_tuning (line_id, key, point, on_delay_ms, off_delay_ms, dead_band_share, changed_at, changed_by)
         values ($1, 'voltage.over', 'voltage.a', 0, 10000, 0.02, $2, $3) returning tuning_id)
       insert into alarm_tuning_change (tuning_id, version, at, actor, reason, restored, before, after)
       select tuning_id, 1, $2, $3, 'pump', false, $4, $5 from tuning`,
      [stack.server.plant.lineAt(controllerId, 1)?.id, new Date(noon), actor, ...[5_000, 10_000].map(timing)],
    )
  await tuned('A-T1', '13800000001')
  await tuned('B-T1', '13800000002')
  const marks = async (asked: Partial<Asked> = {}, client = stack.client) =>
    (await analyse(asked, client)).TuningChanges.map(({ ControllerID }) => ControllerID).sort()
  expect(await marks()).toEqual(['A-T1', 'B-T1'])
  expect(await marks({}, sub)).toEqual(['A-T1'])
  expect(await marks({ HouseID: houseB })).toEqual(['B-T1'])
  expect(await marks({ LineID: stack.server.plant.lineAt('A-T1', 2)?.id ?? 0 })).toEqual([])
  expect(await marks({ Keys: ['trip.short'] })).toEqual([])
  expect(await marks({ FromDay: '2026-01-16' })).toEqual([])
  const [mark] = (await analyse({ HouseID: houseA })).TuningChanges
  expect(mark).toMatchObject({ At: noon, Reason: 'pump', ChangedBy: '13800000001', After: { OffDelayMs: 10_000 } })
  const over = { raisedAt: noon, key: 'voltage.over' }
  await store(over, { ...over, raisedAt: noon + dayMs }, { ...over, key: 'trip.short' })
  await sql(`update event set point = 'voltage.a' where key = 'voltage.over'`)
  const [{ event_id }] = await sql(`select event_id from event where key = 'voltage.over' order by raised_at desc limit 1`)
  expect((await analyse()).Frequent.Places.map(({ TuneEventID }) => TuneEventID)).toEqual([event_id, null])
})

async function file(Content: 'days' | 'places', Format: 'csv' | 'xlsx', client = stack.client): Promise<string> {
  const body = { ...days, Content, Format, Language: 'CN' } as const
  const { Ticket, FileName } = await client.call(exportAnalysis, { body })
  expect(FileName).toBe(`隐患统计-20260115-20260116.${Format}`)
  const answer = await fetch(`${stack.url}${downloadPath}${Ticket}`)
  return answer.text()
}

test('the file has a row for each day, or for each alarm of a place', async () => {
  await store({ raisedAt: noon, returnedAt: noon + 30_000 })
  const [head, first, second] = (await file('days', 'csv')).split('\r\n')
  expect(head).toContain('日期 (Asia/Shanghai)')
  expect([first, second]).toEqual(['2026-01-15 00:00:00,1,0,1,0,0,0,,0,""', '2026-01-16 00:00:00,0,0,0,0,0,0,,0,""'])
  expect((await file('places', 'csv')).split('\r\n')[1]).toMatch(/^2026-01-15 00:00:00,1,1,0,0,0,1,1,"过流报警 \/ 项目A \//)
  expect((await file('days', 'xlsx')).slice(0, 2)).toBe('PK')
})
