import type { Request, TimerForm } from '@linewarden/contract'
import { insertTimer, linkageLog, logTimers, queryTimers, sceneLog, switchTimer } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { overdueTimers } from '../../../apps/server/src/store/automation/execution-list.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'
import { storeExecutions } from '../../kit/stored-executions.ts'

// Lists of timers and of runs: what is on a page, in which order, and for whom.
let stack: Stack
const now = Date.now()
const hour = 3_600_000
/** So many hours from now, on the clock of Shanghai. */
const clock = (hours: number) => new Date(now + (8 + hours) * hour).toISOString().slice(11, 16)
const timers: Record<string, number> = {}
const house = (device = 'A-T1') => stack.server.plant.deviceByControllerId.get(device)?.gateway.project.id ?? 0

const daily = (Name: string, At: string, ...lines: number[]): TimerForm => ({
  ...{ Name, Function: 'switch', Type: 'weekly', Period: { Days: 127 }, Exceptions: [], KeepWhileWanted: true, Enabled: true },
  Points: [{ PointNo: 1, At, Action: 'trip' }],
  Lines: lines.map((LineNo) => ({ ControllerID: 'A-T1', LineNo })),
})

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => now, fleet: { now: () => now } })
  calm(stack)
  const HouseID = house()
  for (const [name, time, line] of [
    ['中午', clock(2), 1],
    ['傍晚', clock(3), 2],
    ['上午', clock(1), 3],
    ['从未', clock(4), 4],
  ] as const) {
    const { TimerID } = await stack.client.call(insertTimer, { body: { HouseID, ...daily(name, time, line) } })
    timers[name] = TimerID
  }
  const off = await stack.client.call(insertTimer, { body: { HouseID, ...daily('停用', clock(5), 5) } })
  await stack.client.call(switchTimer, { body: { TimerID: off.TimerID, Version: off.Version, Enabled: false } })
  const text = { zh: '检修挂牌中', en: 'A lock-out tag is on' }
  await storeExecutions(stack, [
    ...[0, 1].map((day) => ({
      ...{
        sourceId: timers.中午 ?? 0,
        name: '中午',
        dueAt: now - (2 + day) * 24 * hour,
        claimedAt: now - (2 + day) * 24 * hour + 90_000,
      },
      ...{ state: 'missed' as const, why: 'serverDown' },
    })),
    {
      ...{ sourceId: timers.傍晚 ?? 0, name: '傍晚', dueAt: now - hour, claimedAt: now - hour + 40, state: 'partly' as const },
      lines: [
        { lineNo: 1, state: 'ordered' as const, command: 'verified' as const },
        { lineNo: 2, state: 'refused' as const, key: 'line tagged', text },
      ],
    },
    {
      ...{
        sourceId: timers.上午 ?? 0,
        name: '上午',
        dueAt: now - 2 * hour,
        claimedAt: now - 2 * hour + 210,
        state: 'done' as const,
      },
      lines: [
        { lineNo: 1, state: 'ordered' as const, command: 'verified' as const },
        { lineNo: 3, state: 'skipped' as const, key: 'stillWanted', text: { zh: '定时「夜班」仍需供电', en: 'Wanted' } },
      ],
    },
    {
      ...{
        sourceId: timers.上午 ?? 0,
        name: '上午',
        dueAt: now - 0.5 * hour,
        claimedAt: now - 0.5 * hour + 50,
        state: 'done' as const,
      },
      lines: [{ lineNo: 3, state: 'ordered' as const, command: 'verified' as const }],
    },
    {
      ...{
        source: 'scene' as const,
        sourceId: 1,
        name: '换型',
        dueAt: null,
        claimedAt: now - hour,
        state: 'partly' as const,
        reason: '交班',
      },
      lines: [
        { lineNo: 4, action: 'trip' as const, state: 'ordered' as const, command: 'verified' as const },
        { lineNo: 5, action: 'close' as const, state: 'skipped' as const, key: 'scene already so', text },
        { lineNo: 6, action: 'close' as const, state: 'ordered' as const, command: 'unknown' as const },
      ],
    },
  ])
})
afterAll(() => stack?.close())

type Query = Request<typeof queryTimers>['body']
const list = (body: Query) => stack.client.call(queryTimers, { body })
const namesOf = async (body: Query) => (await list(body)).items.map(({ Name }) => Name)

test('timers stand by when they are due next, what is due at no time last either way', async () => {
  expect(await namesOf({})).toEqual(['上午', '中午', '傍晚', '从未', '停用'])
  expect(await namesOf({ Sort: '-Next' })).toEqual(['从未', '傍晚', '中午', '上午', '停用'])
})

test('timers stand by how their last run ended: missed first, what never ran last', async () => {
  expect(await namesOf({ Sort: 'Last' })).toEqual(['中午', '傍晚', '上午', '从未', '停用'])
})

test('a page has its own timers, and the number is of all', async () => {
  const page = await list({ Page: 2, Size: 2 })
  expect([page.items.map(({ Name }) => Name), page.total]).toEqual([['傍晚', '从未'], 5])
  expect((await list({ Page: 9, Size: 2 })).total).toBe(5)
})

test('timers that missed a run lately are found, each with how many', async () => {
  const { items, total } = await list({ Missed: true })
  expect([items.map(({ Name, Missed }) => [Name, Missed]), total]).toEqual([[['中午', 2]], 1])
  expect(await namesOf({ Missed: false })).not.toContain('中午')
})

test('timers are found by a line and by their owner', async () => {
  expect(await namesOf({ ControllerID: 'A-T1', LineNo: 4 })).toEqual(['从未'])
  expect(await namesOf({ Orphan: true })).toEqual([])
  expect(await namesOf({ Orphan: false })).toHaveLength(5)
})

type Runs = Awaited<ReturnType<typeof runs>>
const runs = (body: Request<typeof logTimers>['body'] = {}) => stack.client.call(logTimers, { body: { Size: 50, ...body } })
const lines = ({ items }: Runs) => items.map(({ Name, State }) => `${Name} ${State}`)

test('the log names what was not done first, then what was done but for lines left out', async () => {
  const log = await runs({ AmissFirst: true })
  expect(lines(log)).toEqual(['傍晚 partly', '中午 missed', '中午 missed', '上午 done', '上午 done'])
  expect(log.items[3]).toMatchObject({ Counts: { Total: 2, Verified: 1, Skipped: 1 } })
  expect(lines(await runs())).toEqual(['上午 done', '傍晚 partly', '上午 done', '中午 missed', '中午 missed'])
})

test('pages of the log continue each other, and the number is of all that have the state that is asked for', async () => {
  for (const body of [{ AmissFirst: true }, {}, { AmissFirst: true, States: ['missed' as const, 'done' as const] }]) {
    const whole = await runs(body)
    const pages = [1, 2, 3].map((Page) => runs({ ...body, Page, Size: 2 }))
    const found = await Promise.all(pages)
    expect(found.flatMap(({ items }) => items.map(({ RunID }) => RunID))).toEqual(whole.items.map(({ RunID }) => RunID))
    expect(found.map(({ total }) => total)).toEqual(found.map(() => whole.items.length))
  }
})

test('pages of what linkages did and nearly did continue each other, the newest first, and the number is of both', async () => {
  const db = await stack.server.database.connect()
  const { rows } = await db.query<{ linkage_id: number }>(
    `insert into linkage (project_id, name, enabled, mode, match, active_hours, cooldown_s, max_per_hour, max_per_day, may_close,
       owner_name, changed_at, changed_by) values ($1, '烟感', false, 'live', 'all', '[]', 300, 6, 24, false, '', now(), '')
     returning linkage_id`,
    [house()],
  )
  const sourceId = rows[0]?.linkage_id ?? 0
  await db.query(
    `insert into linkage_near (linkage_id, project_id, why, slot, at, name, mode, trace)
     select $1, $2, 'cooldown', i, to_timestamp($3::float8 / 1000) - make_interval(secs => i * 20), '烟感', 'live', '{}'
     from generate_series(1, 3) as i`,
    [sourceId, house(), now],
  )
  await db.end()
  await storeExecutions(
    stack,
    [1, 2].map((i) => ({
      ...{ source: 'linkage' as const, sourceId, name: '烟感', dueAt: null, claimedAt: now - i * 30_000, state: 'done' as const },
    })),
  )
  const page = (Page: number, Size: number, Near = true) =>
    stack.client.call(linkageLog, { body: { LinkageID: sourceId, Near, Page, Size } })
  const times = (all: readonly Awaited<ReturnType<typeof page>>[]) => all.flatMap(({ items }) => items.map(({ At }) => now - At))
  const pages = [await page(1, 2), await page(2, 2), await page(3, 2)]
  expect(times(pages)).toEqual([20_000, 30_000, 40_000, 60_000, 60_000])
  expect(pages.map(({ total }) => total)).toEqual([5, 5, 5])
  const ran = await page(1, 10, false)
  expect([times([ran]), ran.total]).toEqual([[30_000, 60_000], 2])
})

test('a run says of its lines how many stand as meant, and why the others do not', async () => {
  const [partly] = (await runs({ States: ['partly'] })).items
  expect(partly).toMatchObject({
    ...{ Action: 'trip', Whole: true, Counts: { Total: 2, Verified: 1, Refused: 1, Skipped: 0 } },
    Reasons: [{ Outcome: 'refused', Key: 'line tagged', Count: 1, LineNames: ['A线2'], Text: { zh: '检修挂牌中' } }],
  })
})

test('of all runs the log says how many ended how, and how late the latest was that was carried out', async () => {
  const { about, total } = await runs({ States: ['missed'] })
  expect(total).toBe(2)
  expect(Object.fromEntries(about.States.map(({ State, Count }) => [State, Count]))).toEqual({ missed: 2, partly: 1, done: 2 })
  expect(about).toMatchObject({ LeftOut: 1, MaxLateMs: 210, Overdue: 0 })
})

test('what is due and claimed by nobody is counted, for whoever sees its project', async () => {
  const { general } = stack.server.database
  expect(await overdueTimers(general, {}, now + 48 * hour)).toBe(4)
  expect(await overdueTimers(general, {}, now)).toBe(0)
  expect(await overdueTimers(general, { projectIds: [house('B-T1')] }, now + 48 * hour)).toBe(0)
})

test('whoever sees another project sees neither its timers nor what they did', async () => {
  const { accounts } = stack.server
  const privileges = ['timer', 'timer.list', 'timer.log', 'scene.log']
  const roleId = await accounts.createRole({ number: 'R1', name: 'R1', privileges, buttons: [] })
  const who = { userName: '13800000301', password: 'Duty-7391' }
  await accounts.createAccount({ ...who, kind: 'sub', roleId, projectIds: [house('B-T1')] })
  const other = await signedIn(stack.url, who)
  expect((await other.call(queryTimers, { body: {} })).total).toBe(0)
  expect(await other.call(logTimers, { body: {} })).toMatchObject({
    total: 0,
    about: { States: [], LeftOut: 0, MaxLateMs: null },
  })
  expect((await other.call(sceneLog, { body: {} })).total).toBe(0)
})

test('runs are found by a line, also those that were missed as a whole', async () => {
  expect(lines(await runs({ ControllerID: 'A-T1', LineNo: 2 }))).toEqual(['傍晚 partly'])
  expect(lines(await runs({ ControllerID: 'A-T1', LineNo: 1 }))).toEqual([
    ...['傍晚 partly', '上午 done', '中午 missed', '中午 missed'],
  ])
})

test('runs are found by part of a name, by timer and by time', async () => {
  expect(lines(await runs({ Text: '上' }))).toEqual(['上午 done', '上午 done'])
  expect(lines(await runs({ TimerID: timers.傍晚 ?? 0 }))).toEqual(['傍晚 partly'])
  expect(lines(await runs({ From: now - 1.5 * hour, To: now - 0.75 * hour }))).toEqual(['傍晚 partly'])
})

test('a scene says what became of its lines; each of them only where one run is asked for', async () => {
  const { items } = await stack.client.call(sceneLog, { body: { AmissFirst: true } })
  expect(items).toMatchObject([{ Reason: '交班', Counts: { Total: 3, Verified: 1, Already: 1, Unknown: 1 }, Lines: [] }])
  const one = await stack.client.call(sceneLog, { body: { RunID: items[0]?.RunID ?? '' } })
  expect(one.items[0]?.Lines.map(({ Action, LineNo }) => `${Action} ${LineNo}`)).toEqual(['trip 4', 'close 5', 'close 6'])
})
