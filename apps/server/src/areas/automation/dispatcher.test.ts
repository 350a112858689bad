import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Runner } from '../../jobs/runner.ts'
import { Hub } from '../../plant/hub.ts'
import { enterDays } from '../../store/automation/calendar.ts'
import { executionsWhere, lastExecutions } from '../../store/automation/execution-list.ts'
import { replaceDue, timersWhere } from '../../store/automation/timer.ts'
import { insertTimer, removeTimer, updateTimer } from '../../store/automation/timer-write.ts'
import type { StoredCommand } from '../../store/control/command.ts'
import { clockOf } from '../../store/jobs/due-work.ts'
import { createStagger } from '../control/stagger.ts'
import { testLines } from '../control/test-lines.ts'
import type { AutomationDeps } from './deps.ts'
import { TimerDispatcher } from './dispatcher.ts'
import { foundOpen } from './test-found.ts'

// Several servers on one database, one of which may be gone at any moment, and clocks that are set.
const due = Date.UTC(2026, 10, 24, 8)
let house: Awaited<ReturnType<typeof testLines>>
let left: StoredCommand[] = []
let servers: { close(): Promise<void> }[] = []
let now = due

beforeAll(async () => {
  house = await testLines()
})
afterAll(() => house?.drop())
beforeEach(async () => {
  left = []
  servers = []
  now = due
  foundOpen(house.plant, due)
  await sql`truncate command, automation_run, operation_run, due_work, timer cascade`.execute(house.database.general)
})
afterEach(async () => {
  for (const server of servers) await server.close()
})

type Operate = AutomationDeps['control']['operate']

/** One server of the database; `operate` in place of its gate: to be in the midst of an order, or gone. */
function serve({ operate, reach = 'yes' as const }: { operate?: Operate; reach?: 'yes' | 'not_connected' } = {}) {
  const log = { error: () => {}, warn: () => {} } as never
  const { database, plant } = house
  const runner = new Runner({ database, log })
  const gate = house.gate({ left, clock: () => now, reach })
  const ingest = { reach: () => reach, hasValidPosition: () => true } as unknown as AutomationDeps['ingest']
  const dispatcher = new TimerDispatcher({
    ...{ database, plant, runner, ingest, log, hub: new Hub(() => {}), clock: () => now, dueClock: clockOf(() => now) },
    control: {
      operate: operate ?? ((order) => gate.operate(order)),
      stagger: createStagger(() => performance.now()),
    } as unknown as AutomationDeps['control'],
    actorNow: async () => house.actor,
  })
  const server = {
    runner,
    dispatcher,
    tick: () => dispatcher.tick(),
    async close() {
      await dispatcher.close()
      await runner.close()
    },
  }
  servers.push(server)
  return server
}

/** A timer of these lines that is due once. */
async function timerOf(
  action: 'trip' | 'close',
  lineNos: readonly number[],
  at = due,
  merged: readonly number[] = [],
): Promise<number> {
  const { projectId, lineIds } = {
    projectId: house.line(1).device.gateway.project.id,
    lineIds: lineNos.map((lineNo) => house.line(lineNo).id),
  }
  const values = {
    ...{ name: `t${Math.random()}`, function: 'switch' as const, sceneId: null, keepWhileWanted: false, enabled: true },
    ...{ ownerId: house.actor.accountId, ownerName: 'admin', lineIds },
    schedule: {
      period: { type: 'once' as const, date: '2026-11-24', fromDate: null, toDate: null },
      points: [{ pointNo: 1, at: '08:00', action }],
      ...{ exceptions: [], skipNext: null },
    },
  }
  const occurrence = {
    ...{ at, pointNo: 1, action, date: '2026-11-24', clock: 'plain' as const, skip: null },
    merged: merged.map((pointNo) => ({ pointNo, date: '2026-11-24' })),
  }
  const next = () => ({ timeZone: 'UTC', due: occurrence })
  const saved = await insertTimer(house.database, projectId, values, { clock, next }, audit)
  if (typeof saved === 'string') throw new Error(saved)
  return saved.timerId
}

const audit = { at: due, actor: 'admin', address: '', tenant: null, action: 'timer.edit', outcome: 'done' } as const
const clock = clockOf(() => now)
/** Somebody saves it with these changes; its next instant is a day ahead. */
async function save(timerId: number, changes: { enabled?: boolean; lineIds?: readonly number[] } = {}): Promise<void> {
  const [timer] = await timersWhere(house.database.general, { timerIds: [timerId] })
  if (!timer) throw new Error('it is gone')
  const at = due + 86_400_000
  const later = { at, pointNo: 1, action: 'trip', date: '2026-11-25', clock: 'plain', skip: null, merged: [] } as const
  const next = () => ({ timeZone: 'UTC', due: changes.enabled === false ? null : later })
  expect(await updateTimer(house.database, timer, { ...timer, ...changes }, { clock, next }, audit)).toEqual({ timerId })
}
function dueAgainAs(timerId: number, pointNo: number): Promise<void> {
  const again = { at: due, pointNo, action: 'trip', date: '2026-11-24', clock: 'plain', skip: null, merged: [] } as const
  return replaceDue(house.database.general, { timerId, version: 1 }, { timeZone: 'UTC', due: again })
}
const nextDues = async () =>
  (await house.database.general.selectFrom('timer_due').selectAll().execute()).map(({ due_at }) => due_at.getTime())

const runs = () =>
  house.database.general
    .selectFrom('automation_run')
    .select(['run_id', 'source_id', 'point_no', 'state', 'why'])
    .orderBy('source_id')
    .orderBy('point_no')
    .execute()
const statesOf = async () => (await runs()).map(({ state }) => state)
const lineStates = async () =>
  (await house.database.general.selectFrom('operation_run_line').select('state').orderBy('position').execute()).map(
    ({ state }) => state,
  )
const allEnded = () => vi.waitFor(async () => expect(await statesOf()).not.toContain('running'))
const lapse = () => sql`update due_work set lease_until = now() where ended_at is null`.execute(house.database.general)
const never = () => new Promise<never>(() => {})
/** It is gone: nothing of it ends in good order. */
function forget(dead: ReturnType<typeof serve>): void {
  void dead.dispatcher.close()
  servers = servers.filter((each) => each !== dead)
}

test('what several servers come to at once is claimed once, and leaves once', async () => {
  const all = [serve(), serve(), serve()]
  for (let lineNo = 1; lineNo <= 4; lineNo++) await timerOf('trip', [lineNo])
  await Promise.all(all.map(({ tick }) => tick()))
  await allEnded()
  await Promise.all(all.map(({ tick }) => tick()))
  expect(await statesOf()).toEqual(['done', 'done', 'done', 'done'])
  expect(left.map(({ lineId }) => lineId).toSorted()).toEqual([1, 2, 3, 4].map((lineNo) => house.line(lineNo).id).toSorted())
})

test('a clock that is set back over what was claimed runs nothing twice', async () => {
  const server = serve()
  const timerId = await timerOf('trip', [1])
  await server.tick()
  await allEnded()
  now = due - 3_600_000
  // An edit at this moment makes the same instant due again.
  await dueAgainAs(timerId, 1)
  await server.tick()
  now = due
  await server.tick()
  await server.runner.settled()
  expect(await statesOf()).toEqual(['done'])
  expect(left).toHaveLength(1)
  expect(await house.database.general.selectFrom('timer_due').selectAll().execute()).toEqual([])
})

test.each([
  ['close', 5_000, 'done'],
  ['close', 5_001, 'missed'],
  ['trip', 30_000, 'done'],
  ['trip', 60_001, 'missed'],
] as const)('a %s that is claimed %i ms late is %s', async (action, lateMs, state) => {
  now = due + lateMs
  for (const line of house.plant.lines.values()) line.liveReceivedAt = now
  for (const line of house.plant.lines.values()) line.liveAt = now
  const server = serve()
  await timerOf(action, [1])
  await server.tick()
  await allEnded()
  expect((await runs())[0]).toMatchObject({ state, why: state === 'missed' ? 'serverDown' : null })
  expect(left).toHaveLength(state === 'done' ? 1 : 0)
})

test('a close whose server is gone between claim and order is missed: whoever takes it over operates nothing', async () => {
  const dead = serve({ operate: never })
  await timerOf('close', [1, 2])
  await dead.tick()
  await vi.waitFor(async () => expect(await statesOf()).toEqual(['running']))
  const other = serve()
  await lapse()
  await other.runner.start()
  await other.runner.look()
  await other.runner.look()
  await allEnded()
  expect([await statesOf(), await lineStates(), left]).toEqual([['missed'], ['missed', 'missed'], []])
  forget(dead)
})

test('a trip whose server is gone between claim and order is done by another while it is not too late, and once', async () => {
  const dead = serve({ operate: never })
  await timerOf('trip', [1, 2])
  await dead.tick()
  await vi.waitFor(async () => expect(await statesOf()).toEqual(['running']))
  const other = serve()
  now = due + 30_000
  await lapse()
  await other.runner.start()
  await other.runner.look()
  await other.runner.look()
  await allEnded()
  expect([await statesOf(), await lineStates()]).toEqual([['done'], ['ordered', 'ordered']])
  expect(left).toHaveLength(2)
  forget(dead)
})

test('a server that stood still until its close was taken over orders nothing more', async () => {
  let go = () => {}
  const released = new Promise<void>((resolve) => {
    go = resolve
  })
  const gate = house.gate({ left, clock: () => now })
  const slow = serve({
    async operate(order) {
      await released
      return gate.operate(order)
    },
  })
  await timerOf('close', [1])
  await slow.tick()
  await vi.waitFor(async () => expect(await statesOf()).toEqual(['running']))
  const other = serve()
  await lapse()
  await other.runner.start()
  await other.runner.look()
  await other.runner.look()
  await allEnded()
  go()
  await slow.runner.settled()
  expect([await statesOf(), left]).toEqual([['missed'], []])
})

test('a close whose turn comes after its time is missed', async () => {
  const gate = house.gate({ left, clock: () => now })
  const server = serve({
    operate(order) {
      // The clock that the gate looks at is past the end of the turns.
      now = due + 60_000
      for (const line of house.plant.lines.values()) Object.assign(line, { liveAt: now, liveReceivedAt: now })
      return gate.operate(order)
    },
  })
  await timerOf('close', [1])
  await server.tick()
  await allEnded()
  expect([await statesOf(), await lineStates(), left]).toEqual([['missed'], ['missed'], []])
})

test('points of one instant are logged as merged beside the one that is done', async () => {
  const server = serve()
  await timerOf('trip', [1], due, [2, 3])
  await server.tick()
  await allEnded()
  expect((await runs()).map(({ point_no, state }) => [point_no, state])).toEqual([
    [1, 'done'],
    [2, 'merged'],
    [3, 'merged'],
  ])
})

test('a server that does not reach the gateways leaves a timer for a moment to one that does', async () => {
  const away = serve({ reach: 'not_connected' })
  await timerOf('trip', [1])
  await away.tick()
  expect(await runs()).toEqual([])
  const near = serve()
  await near.tick()
  await allEnded()
  expect([await statesOf(), left.length]).toEqual([['done'], 1])
})

test('when the zone of a project changes, what its timers are due for is made anew', async () => {
  const server = serve()
  const later = Date.UTC(2026, 10, 24, 8)
  now = later - 60_000
  const timerId = await timerOf('trip', [1], later)
  const zone = (name: string) => sql`update project set time_zone = ${name} where name = 'p1'`.execute(house.database.general)
  await zone('America/New_York')
  await server.tick()
  const due = await house.database.general.selectFrom('timer_due').select('due_at').where('timer_id', '=', timerId).execute()
  await zone('UTC')
  expect([due.map(({ due_at }) => due_at.getTime()), left]).toEqual([[Date.UTC(2026, 10, 24, 13)], []])
})

test('what a server that was down has missed holds up nothing that is due now', async () => {
  const server = serve()
  const timerId = await timerOf('trip', [1], due - 5 * 86_400_000)
  await sql`update timer set schedule = jsonb_set(schedule, '{period}', '{"type":"weekly","days":127,"fromDate":null,"toDate":null}')
    where timer_id = ${timerId}`.execute(house.database.general)
  await server.tick()
  await allEnded()
  // One moment has claimed them all: the log has the latest first all the same.
  const { general } = house.database
  const rows = await executionsWhere(general, { source: 'timer' }, { page: 1, size: 10 })
  expect(rows.map(({ state }) => state)).toEqual(['done', 'missed', 'missed', 'missed', 'missed', 'missed'])
  expect(rows.map(({ dueAt }) => (due - (dueAt ?? 0)) / 86_400_000)).toEqual([0, 1, 2, 3, 4, 5])
  expect(left).toHaveLength(1)
  expect((await lastExecutions(general, 'timer', [timerId])).get(timerId)).toMatchObject({ state: 'done' })
})

test('nothing is due of a timer that is not due yet', async () => {
  const server = serve()
  await timerOf('trip', [1], due + 1)
  await server.tick()
  expect([await runs(), left]).toEqual([[], []])
})

test.each(['trip', 'close'] as const)('a %s that was due when its timer was changed does not vanish', async (action) => {
  const timerId = await timerOf(action, [1])
  now = due + 400
  await save(timerId, { lineIds: [house.line(2).id] })
  await save(timerId, { enabled: false })
  await save(timerId, { enabled: true })
  const server = serve()
  await server.tick()
  await allEnded()
  const isTrip = action === 'trip'
  expect(await runs()).toMatchObject([isTrip ? { state: 'done', why: null } : { state: 'skipped', why: 'changedMeanwhile' }])
  // The line that it had then.
  expect(left.map(({ lineId }) => lineId)).toEqual(isTrip ? [house.line(1).id] : [])
})

test.each(['disabled', 'removed'] as const)(
  'what was due when its timer was %s ends as skipped, and nothing follows',
  async (how) => {
    const timerId = await timerOf('trip', [1])
    now = due + 400
    if (how === 'disabled') await save(timerId, { enabled: false })
    else expect(await removeTimer(house.database, { timerId, version: 1 }, clock, audit)).toEqual({ timerId })
    const server = serve()
    await server.tick()
    expect([await runs(), await nextDues(), left]).toMatchObject([[{ state: 'skipped', why: 'disabledMeanwhile' }], [], []])
  },
)

test('what is not due yet is made anew by a change, and is gone with its timer', async () => {
  const timerId = await timerOf('trip', [1])
  now = due - 1
  await save(timerId)
  expect(await nextDues()).toEqual([due + 86_400_000])
  await removeTimer(house.database, { timerId, version: 2 }, clock, audit)
  expect(await nextDues()).toEqual([])
})

test('after a change nothing is due of the time before it', async () => {
  const timerId = await timerOf('trip', [1])
  now = due + 2_500
  await save(timerId)
  await sql`update timer set schedule = jsonb_set(schedule, '{points}', ${`[{"pointNo":2,"at":"08:00:02","action":"close"},{"pointNo":3,"at":"09:00","action":"close"}]`}::jsonb)
    where timer_id = ${timerId}`.execute(house.database.general)
  const server = serve()
  await server.tick()
  await allEnded()
  expect([await runs(), await nextDues()]).toMatchObject([[{ point_no: 1, state: 'done' }], [due + 3_600_000]])
})

test('what was due when the zone or the calendar of its project changed is done', async () => {
  await timerOf('trip', [1])
  const projectId = house.line(1).device.gateway.project.id
  const zone = (name: string) => sql`update project set time_zone = ${name} where name = 'p1'`.execute(house.database.general)
  now = due + 400
  await zone('America/New_York')
  await enterDays(house.database, projectId, () => ({ days: [], origin: 'person', audit }), {
    clock,
    next: () => ({ timeZone: 'UTC', due: null }),
  })
  const server = serve()
  await server.tick()
  await allEnded()
  await zone('UTC')
  expect([await statesOf(), left.length]).toEqual([['done'], 1])
})

test('an instant that was done is not done again by a point that is called otherwise since', async () => {
  const server = serve()
  const timerId = await timerOf('trip', [1])
  await server.tick()
  await allEnded()
  await dueAgainAs(timerId, 2)
  await server.tick()
  await server.runner.settled()
  expect([await statesOf(), left.length, await nextDues()]).toEqual([['done'], 1, []])
})

test('a server with other time zone data makes anew what is not due yet', async () => {
  now = due - 60_000
  await timerOf('trip', [1], due + 1_800_000)
  await sql`update timer_due set zone_data = 'other'`.execute(house.database.general)
  const server = serve()
  await server.tick()
  await server.tick()
  expect(await nextDues()).toEqual([due])
})
