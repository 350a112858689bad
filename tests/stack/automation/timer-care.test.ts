import type { ProjectRecord, TimerForm } from '@linewarden/contract'
import {
  dayOfTimers,
  editProject,
  getTimer,
  insertLinkage,
  insertTimer,
  lateTimers,
  listJournal,
  placeTag,
  projectDetails,
  queryTimers,
  switchTimer,
  takeOrphanedTimers,
  timersAbout,
} from '@linewarden/contract'
import { sunTime } from '@linewarden/rules/automation'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'

// What timers need beside their instants: coordinates of the sun, an owner, and somebody who looks at them every night.
let stack: Stack
// Nine in the morning of Shanghai: no sunrise or sunset is near.
let now = Date.UTC(2026, 10, 24, 1)

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => now, fleet: { now: () => now } })
  calm(stack)
})
afterAll(() => stack?.close())

const house = () => stack.server.plant.deviceByControllerId.get('A-T1')?.gateway.project.id ?? 0
const details = () => stack.client.call(projectDetails, { params: { HouseID: house() } })

/** Everything of a project that its form sends. */
const fieldsOf = (project: ProjectRecord) => ({
  ...{ Name: project.Name, PersonInCharge: '王电工', ContactPhone: '13800000000' },
  ...{ Province: '上海市', City: '市辖区', District: '黄浦区' },
})
async function place(coordinates: { Latitude?: number | null; Longitude?: number | null }) {
  const project = await details()
  const body = { ...fieldsOf(project), ...coordinates, Version: project.Version }
  return stack.client.call(editProject, { params: { HouseID: project.HouseID }, body })
}

const daily = (Name: string, Points: TimerForm['Points'], ...lines: number[]): TimerForm => ({
  ...{ Name, Function: 'switch', Type: 'weekly', Period: { Days: 127 }, Points, Exceptions: [] },
  Lines: lines.map((LineNo) => ({ ControllerID: 'A-T1', LineNo })),
  ...{ KeepWhileWanted: true, Enabled: true },
})
const bySun = (Name: string, ...lines: number[]): TimerForm => ({
  ...daily(Name, [{ PointNo: 1, At: { Sun: 'set', OffsetMin: 15 }, Action: 'trip' }], ...lines),
  Type: 'sun',
})
const insert = (form: TimerForm) => stack.client.call(insertTimer, { body: { HouseID: house(), ...form } })

const shanghai = { Latitude: 31.2304, Longitude: 121.4737 }
const kashgar = { Latitude: 39.4704, Longitude: 75.9897 }
const sunset = ({ Latitude, Longitude }: typeof shanghai) =>
  (sunTime('set', { latitude: Latitude, longitude: Longitude }, Date.UTC(2026, 10, 24, 4)) ?? 0) + 15 * 60_000
const dueOf = async (timerId: number) =>
  (
    await stack.server.database.general.selectFrom('timer_due').select('due_at').where('timer_id', '=', timerId).execute()
  )[0]?.due_at.getTime()

test('coordinates of a project are degrees, both or neither, and stand in the log with what they were', async () => {
  expect((await details()).Latitude).toBeNull()
  expect([
    await outcomeOf(place({ Latitude: 31.2304 })),
    await outcomeOf(place({ Latitude: 31.2304, Longitude: null })),
    await outcomeOf(place({ Latitude: 90.1, Longitude: 0 })),
    await outcomeOf(place({ Latitude: 0, Longitude: -180.1 })),
  ]).toEqual(['coordinates incomplete', 'coordinates incomplete', 'invalid parameter', 'invalid parameter'])
  expect(await place(shanghai)).toMatchObject(shanghai)
  // What is left out stays as it is.
  expect(await place({})).toMatchObject(shanghai)
  const { items } = await stack.client.call(listJournal, { body: { Size: 5 } })
  const changed = items.find(({ Action, After }) => Action === 'project.edit' && After?.includes('121.4737'))
  expect(changed?.Before).toContain('"latitude": null')
  expect(await place({ Latitude: null, Longitude: null })).toMatchObject({ Latitude: null, Longitude: null })
})

test('a timer by the sun is due by the coordinates of its project, and anew when they are changed', async () => {
  expect(await outcomeOf(insert(bySun('景观照明', 1)))).toBe('position missing')
  await place(shanghai)
  const timer = await insert(bySun('景观照明', 1))
  expect([timer.Next[0]?.At, await dueOf(timer.TimerID)]).toEqual([sunset(shanghai), sunset(shanghai)])
  await place(kashgar)
  await stack.server.automation.tick()
  await vi.waitFor(async () => expect(await dueOf(timer.TimerID)).toBe(sunset(kashgar)))
  expect((await stack.client.call(getTimer, { params: { TimerID: timer.TimerID } })).Next[0]?.At).toBe(sunset(kashgar))
})

test('coordinates that timers go by are not taken away, and without them none is enabled', async () => {
  const refused = await place({ Latitude: null, Longitude: null }).catch((error: unknown) => error)
  expect(refused).toMatchObject({ problem: { failure: { Text: { zh: expect.stringContaining('景观照明') } } } })
  const timer = await insert({ ...bySun('夜景', 2), Enabled: false })
  const off = async (TimerID: number, Version: number) =>
    stack.client.call(switchTimer, { body: { TimerID, Version, Enabled: false } })
  const named = await stack.server.database.general
    .selectFrom('timer')
    .select('timer_id')
    .where('name', '=', '景观照明')
    .execute()
  await off(named[0]?.timer_id ?? 0, 1)
  await place({ Latitude: null, Longitude: null })
  const on = () => stack.client.call(switchTimer, { body: { TimerID: timer.TimerID, Version: timer.Version, Enabled: true } })
  expect(await outcomeOf(on())).toBe('position missing')
  await place(shanghai)
  expect((await on()).Next[0]?.At).toBe(sunset(shanghai))
})

/** A check of every project that waits for one, and not of what has just been checked. */
async function checked(): Promise<void> {
  now += 10_000
  await stack.server.automation.checks.tick()
}
const found = async (timerId: number) => (await stack.client.call(getTimer, { params: { TimerID: timerId } })).Conflicts
const at = (hour: string, Action: 'trip' | 'close', PointNo = 1) => ({ PointNo, At: hour, Action })

test('timers that are in conflict are found by themselves, and no more once they are not', async () => {
  const one = await insert(daily('对开一', [at('20:00', 'close')], 3))
  const body = { HouseID: house(), ...daily('对开二', [at('20:00:30', 'trip')], 3), ConflictReason: '试验' }
  const other = await stack.client.call(insertTimer, { body })
  await insert(daily('无关', [at('20:00', 'trip')], 4))
  await vi.waitFor(async () => {
    await checked()
    expect([await found(one.TimerID), await found(other.TimerID)]).toEqual([['fight'], ['fight']])
  })
  const names = async (Conflict: boolean) =>
    (await stack.client.call(queryTimers, { body: { Conflict, Text: '对开' } })).items.map(({ Name }) => Name)
  expect([await names(true), await names(false)]).toEqual([['对开一', '对开二'], []])
  await stack.client.call(switchTimer, { body: { TimerID: other.TimerID, Version: 1, Enabled: false } })
  await vi.waitFor(async () => {
    await checked()
    expect([await found(one.TimerID), await names(true)]).toEqual([[], []])
  })
})

test('a tag that is hung is noted of the timers that would close its line', async () => {
  const timer = await insert(daily('挂牌线路', [at('21:00', 'close')], 5))
  await stack.client.call(placeTag, {
    params: { ControllerID: 'A-T1', LineNo: 5 },
    body: { TagID: crypto.randomUUID(), Kind: 'lock', Reason: '检修' },
  })
  await vi.waitFor(async () => {
    await checked()
    expect(await found(timer.TimerID)).toEqual(['tagged'])
  })
})

test('a linkage that comes to undo what a timer does is found by itself', async () => {
  const timer = await insert(daily('被联动', [at('21:30', 'close')], 8))
  const place = { ControllerID: 'A-T1', LineNo: 8 }
  await stack.client.call(insertLinkage, {
    body: {
      ...{ HouseID: house(), Name: '禁止合闸', Enabled: true, Mode: 'live', Match: 'all', ActiveHours: [], MayClose: false },
      ...{ CooldownS: 60, MaxPerHour: 6, MaxPerDay: 24 },
      Conditions: [{ Kind: 'state', ...place, Key: 'position', Op: '=', Value: 1, ForS: 60 }],
      Actions: [{ Kind: 'trip', ...place, DelayS: 0 }],
    },
  })
  await vi.waitFor(async () => {
    await checked()
    expect(await found(timer.TimerID)).toEqual(['opposed'])
  })
})

test('a due row that is missing or wrong is made again', async () => {
  const { general } = stack.server.database
  const timer = await insert(daily('补齐', [at('22:00', 'trip')], 6))
  const wrong = await insert(daily('改正', [at('22:30', 'trip')], 7))
  const due = [await dueOf(timer.TimerID), await dueOf(wrong.TimerID)]
  await vi.waitFor(async () => {
    await checked()
    expect(await general.selectFrom('timer_check_mark').selectAll().execute()).toEqual([])
  })
  await general.deleteFrom('timer_due').where('timer_id', '=', timer.TimerID).execute()
  await general
    .updateTable('timer_due')
    .set({ due_at: new Date((due[1] ?? 0) + 60_000) })
    .where('timer_id', '=', wrong.TimerID)
    .execute()
  // The night that follows.
  await general
    .updateTable('timer_check')
    .set({ due_at: new Date(now) })
    .execute()
  await vi.waitFor(async () => {
    await checked()
    await stack.server.automation.tick()
    expect([await dueOf(timer.TimerID), await dueOf(wrong.TimerID)]).toEqual(due)
  })
})

test('a timer that other time zone data makes due at another instant is named, until it is over or saved anew', async () => {
  const { general } = stack.server.database
  const [moved, same] = [
    await insert(daily('时区数据', [at('18:00', 'trip')], 2)),
    await insert(daily('不变', [at('18:30', 'trip')], 2)),
  ]
  const due = (await dueOf(moved.TimerID)) ?? 0
  const hourMs = 3_600_000
  // As a server of other data has left it, for which the clock was an hour behind.
  const leave = (timerId: number, dueAt: number) =>
    general
      .updateTable('timer_due')
      .set({ zone_data: 'other', stale: true, due_at: new Date(dueAt) })
      .where('timer_id', '=', timerId)
      .execute()
  await leave(moved.TimerID, due + hourMs)
  await leave(same.TimerID, due + hourMs / 2)
  const about = async () => {
    const { Moved, MovedCount } = await stack.client.call(timersAbout, { body: {} })
    return { moved: Moved, count: MovedCount }
  }
  await stack.server.automation.tick()
  const named = { TimerID: moved.TimerID, Name: '时区数据', TimeZone: 'Asia/Shanghai', From: due + hourMs, At: due }
  expect([await dueOf(moved.TimerID), await about()]).toEqual([due, { moved: [named], count: 1 }])
  await stack.client.call(switchTimer, { body: { TimerID: moved.TimerID, Version: 1, Enabled: false } })
  await stack.client.call(switchTimer, { body: { TimerID: moved.TimerID, Version: 2, Enabled: true } })
  expect(await about()).toEqual({ moved: [], count: 0 })
  // Whoever changes the clock of the project knows that its timers follow.
  await leave(moved.TimerID, due + hourMs)
  await general.updateTable('timer_due').set({ time_zone: 'UTC' }).where('timer_id', '=', moved.TimerID).execute()
  await stack.server.automation.tick()
  expect([await dueOf(moved.TimerID), await about()]).toEqual([due, { moved: [], count: 0 }])
})

const alarms = async (key: string) => {
  await stack.server.ingest.drained()
  const rows = await stack.server.database.general
    .selectFrom('event')
    .select(['state', 'raises', 'label_zh', 'line_id'])
    .where('key', '=', key)
    .orderBy('event_id')
    .execute()
  return rows.map(({ state, raises }) => [state, raises])
}

test('timers whose owner is gone are announced once, taken over at once by an administrator, and then it is over', async () => {
  const who = { userName: 'left1', password: 'Duty-7391' }
  const accountId = await stack.server.accounts.createAccount({ ...who, kind: 'platform' })
  const client = await signedIn(stack.url, who, () => now)
  const forms = [daily('走廊', [at('23:00', 'trip')], 8), daily('车库', [at('23:10', 'trip')], 8)]
  for (const form of forms) await client.call(insertTimer, { body: { HouseID: house(), ...form } })
  await vi.waitFor(async () => {
    await checked()
    expect(await stack.server.database.general.selectFrom('timer_check_mark').selectAll().execute()).toEqual([])
  })
  expect(await alarms('automation.orphaned')).toEqual([])
  await stack.server.database.general.updateTable('account').set({ disabled: true }).where('account_id', '=', accountId).execute()
  await vi.waitFor(async () => {
    await checked()
    expect(await alarms('automation.orphaned')).toEqual([['active', 1]])
  })
  await stack.server.database.general
    .updateTable('timer_check')
    .set({ due_at: new Date(now) })
    .execute()
  await checked()
  expect(await alarms('automation.orphaned')).toEqual([['active', 1]])

  const subject = { userName: '13800000155', password: 'Duty-7391' }
  const buttons = ['lineSwitch', 'manageTiming']
  const roleId = await stack.server.accounts.createRole({ number: 'o', name: 'o', privileges: ['timer', 'timer.list'], buttons })
  await stack.server.accounts.createAccount({ ...subject, kind: 'sub', roleId, projectIds: [house()] })
  const sub = await signedIn(stack.url, subject, () => now)
  expect(await outcomeOf(sub.call(takeOrphanedTimers, { body: { HouseID: house() } }))).toBe('orphans need administrator')
  const before = await stack.client.call(timersAbout, { body: {} })
  expect([before.Orphan, before.OrphansOf.map(({ HouseID, Count }) => [HouseID, Count])]).toEqual([2, [[house(), 2]]])
  expect(await stack.client.call(takeOrphanedTimers, { body: { HouseID: house() } })).toEqual({ Taken: 2, Left: 0 })
  const { items } = await stack.client.call(queryTimers, { body: { Orphan: true } })
  expect(items).toEqual([])
  await vi.waitFor(async () => {
    await checked()
    expect(await alarms('automation.orphaned')).toEqual([['returned', 1]])
  })
})

test('what is due and claimed by nobody is an alarm of the platform and a figure of its health, until it is claimed', async () => {
  const due = now + 60_000
  const timer = await insert(daily('无人处理', [at(new Date(due + 8 * 3_600_000).toISOString().slice(11, 19), 'trip')], 2))
  const row = (await dueOf(timer.TimerID)) ?? 0
  const client = await stack.server.database.connect()
  try {
    // Somebody has the row and never lets go: all servers pass it by.
    await client.query('begin')
    await client.query('select from timer_due where timer_id = $1 for update', [timer.TimerID])
    now = row + 11_000
    await stack.server.automation.checks.tick()
    expect(await alarms('automation.late')).toEqual([])
    now += 5_000
    await stack.server.automation.checks.tick()
    await vi.waitFor(async () => expect(await alarms('automation.late')).toEqual([['active', 1]]))
    expect(stack.server.automation.checks.lateMs()).toBe(16_000)
    expect(await stack.client.call(lateTimers, {})).toEqual({ Count: 1, DueAt: row })
    expect((await stack.client.call(timersAbout, { body: {} })).Overdue).toBe(1)
    const { Items } = await stack.client.call(dayOfTimers, { params: { HouseID: house() }, query: {} })
    expect(Items.filter(({ Overdue }) => Overdue).map(({ At, TimerID }) => [At, TimerID])).toEqual([[row, timer.TimerID]])
  } finally {
    await client.query('rollback')
    await client.end()
  }
  await stack.server.automation.tick()
  await vi.waitFor(async () => {
    now += 5_000
    await stack.server.automation.checks.tick()
    expect(await alarms('automation.late')).toEqual([['returned', 1]])
  })
})
