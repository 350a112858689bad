import type { Occurrence } from '@linewarden/rules/automation'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Actor } from '../../access/actor.ts'
import { Runner } from '../../jobs/runner.ts'
import { Hub } from '../../plant/hub.ts'
import { claimDue } from '../../store/automation/claim.ts'
import { timersWhere } from '../../store/automation/timer.ts'
import { insertTimer, removeTimer, updateTimer } from '../../store/automation/timer-write.ts'
import type { StoredCommand } from '../../store/control/command.ts'
import { revokeGroupOperations } from '../../store/control/group-operation-life.ts'
import { clockOf } from '../../store/jobs/due-work.ts'
import { createStagger } from '../control/stagger.ts'
import { testLines } from '../control/test-lines.ts'
import type { AutomationDeps } from './deps.ts'
import { TimerDispatcher } from './dispatcher.ts'
import { foundOpen } from './test-found.ts'
import { decideTimers } from './timer-decisions.ts'

// What people do, and what becomes of clocks, while a run of a timer is claimed and its lines have their turns.
const due = Date.UTC(2026, 10, 24, 8)
const audit = { at: due, actor: 'admin', address: '', tenant: null, action: 'timer.edit', outcome: 'done' } as const
let house: Awaited<ReturnType<typeof testLines>>
let left: StoredCommand[] = []
let stop: () => Promise<void> = async () => {}
let now = due

beforeAll(async () => {
  house = await testLines()
})
afterAll(() => house?.drop())
beforeEach(async () => {
  left = []
  now = due
  foundOpen(house.plant, due)
  await sql`truncate command, automation_run, operation_run, due_work, timer cascade`.execute(house.database.general)
})
afterEach(() => stop())

function reportsAt(at: number): void {
  for (const line of house.plant.lines.values()) Object.assign(line, { liveAt: at, liveReceivedAt: at })
}

/** A server in the midst of an order: `meanwhile` comes between the turn of a line and the gate. */
function serve(meanwhile: () => Promise<void>, actorNow: (accountId: string) => Actor | null = () => house.actor) {
  const log = { error: () => {}, warn: () => {} } as never
  const { database, plant } = house
  const runner = new Runner({ database, log })
  const gate = house.gate({ left, clock: () => now })
  const dispatcher = new TimerDispatcher({
    ...{ database, plant, runner, log, hub: new Hub(() => {}), clock: () => now, dueClock: clockOf(() => now) },
    ingest: { reach: () => 'yes', hasValidPosition: () => true } as unknown as AutomationDeps['ingest'],
    control: {
      async operate(order: Parameters<typeof gate.operate>[0]) {
        await meanwhile()
        return gate.operate(order)
      },
      stagger: createStagger(() => performance.now()),
    } as unknown as AutomationDeps['control'],
    actorNow: async ({ accountId }) => actorNow(accountId),
  })
  stop = async () => {
    await dispatcher.close()
    await runner.close()
  }
  return dispatcher
}

const daily = { type: 'weekly' as const, days: 127, fromDate: null, toDate: null }

const dueBy = (occurrence: Occurrence | null) => ({
  clock: clockOf(() => now),
  next: () => ({ timeZone: 'UTC', due: occurrence }),
})

async function timerOf(
  name: string,
  points: readonly { readonly at: string; readonly action: 'trip' | 'close' }[],
  { lineNos = [1], project = 1, ownerId = house.actor.accountId as string | null } = {},
): Promise<number> {
  const lines = lineNos.map((lineNo) => house.line(lineNo))
  const projectOf = (no: 1 | 2) => house.line(1, no).device.gateway.project.id
  const numbered = points.map((point, index) => ({ pointNo: index + 1, ...point }))
  const dueNow = numbered.find(({ at }) => at === '08:00')
  const values = {
    ...{ name, function: 'switch' as const, sceneId: null, keepWhileWanted: true, enabled: true },
    ...{ ownerId, ownerName: 'admin', lineIds: lines.map(({ id }) => id) },
    schedule: { period: daily, points: numbered, exceptions: [], skipNext: null },
  }
  const occurrence = dueNow && {
    ...{ at: due, pointNo: dueNow.pointNo, action: dueNow.action, date: '2026-11-24', clock: 'plain' as const },
    ...{ skip: null, merged: [] },
  }
  const saved = await insertTimer(house.database, projectOf(1), values, dueBy(occurrence ?? null), audit)
  if (typeof saved === 'string') throw new Error(saved)
  // Its lines have been moved since.
  if (project === 2)
    await sql`update timer set project_id = ${projectOf(2)} where timer_id = ${saved.timerId}`.execute(house.database.general)
  return saved.timerId
}

const runEnds = async () => {
  const runs = () => house.database.general.selectFrom('automation_run').select(['state', 'why']).execute()
  await vi.waitFor(async () => {
    const rows = await runs()
    expect(rows).toHaveLength(1)
    expect(rows.map(({ state }) => state)).not.toContain('running')
  })
  return (await runs())[0]
}
const lines = async () =>
  (await house.database.general.selectFrom('operation_run_line').select(['state', 'refusal']).orderBy('position').execute()).map(
    ({ state, refusal }) => [state, (refusal as { key: string } | null)?.key ?? null],
  )

const acts = {
  disabled: (timerId: number) => edit(timerId, { enabled: false }),
  edited: (timerId: number) => edit(timerId, { name: 'another' }),
  removed: async (timerId: number) => {
    await removeTimer(
      house.database,
      { timerId, version: 1 },
      clockOf(() => now),
      audit,
    )
  },
}
async function edit(timerId: number, change: { readonly enabled?: boolean; readonly name?: string }): Promise<void> {
  const [timer] = await timersWhere(house.database.general, { timerIds: [timerId] })
  if (!timer) throw new Error('no timer')
  await updateTimer(house.database, timer, { ...timer, ...change }, dueBy(null), audit)
}

test.each(['disabled', 'edited', 'removed'] as const)('a timer that is %s closes no line that it has claimed', async (act) => {
  const timerId = await timerOf('night', [{ at: '08:00', action: 'close' }], { lineNos: [1, 2] })
  await serve(() => acts[act](timerId)).tick()
  expect([await runEnds(), await lines(), left]).toEqual([
    { state: 'missed', why: null },
    [
      ['missed', 'timerChanged'],
      ['missed', 'timerChanged'],
    ],
    [],
  ])
})

test('a timer that is disabled still trips what it has claimed', async () => {
  const timerId = await timerOf('night', [{ at: '08:00', action: 'trip' }])
  await serve(() => acts.disabled(timerId)).tick()
  expect([(await runEnds())?.state, left.map(({ action }) => action)]).toEqual(['done', ['trip']])
})

test('a clock that leaps forward between the claim and the order keeps no trip back', async () => {
  await timerOf('night', [{ at: '08:00', action: 'trip' }])
  await serve(async () => {
    now = due + 3_600_000
    reportsAt(now)
  }).tick()
  expect([(await runEnds())?.state, await lines(), left.map(({ action }) => action)]).toEqual([
    'done',
    [['ordered', null]],
    ['trip'],
  ])
})

test('whoever changes their password, or signs out elsewhere, stops no close of their timers', async () => {
  await timerOf('night', [{ at: '08:00', action: 'close' }])
  const { accountId } = house.actor
  await serve(() => house.database.general.transaction().execute((trx) => revokeGroupOperations(trx, { accountId }))).tick()
  expect([(await runEnds())?.state, left.map(({ action }) => action)]).toEqual(['done', ['close']])
})

test('a trip that is ordered after the words of people were read keeps the line open, by whatever clock it was ordered', async () => {
  await timerOf('morning', [{ at: '08:00', action: 'close' }])
  const line = house.line(1)
  await serve(async () => {
    // Another server, whose clock is behind.
    const { control } = house.database
    const { fence } = (
      await sql<{ fence: string }>`insert into command_fence (line_id, fence) values (${line.id}, 1)
      on conflict (line_id) do update set fence = command_fence.fence + 1 returning fence`.execute(control)
    ).rows[0] as { fence: string }
    await sql`insert into command (command_id, line_id, action, state, actor, source, reason, fence, issued_at, deadline, ended_at)
      values (gen_random_uuid(), ${line.id}, 'trip', 'verified', 'admin', 'console', 'x', ${fence}, ${new Date(due - 3_600_000)},
        ${new Date(due - 3_600_000)}, ${new Date(due - 3_600_000)})`.execute(control)
  }).tick()
  expect([(await runEnds())?.state, await lines(), left]).toEqual(['refused', [['refused', 'opened meanwhile']], []])
})

test('a line that is reported opened by hand after the words of people were read is not closed', async () => {
  await timerOf('morning', [{ at: '08:00', action: 'close' }])
  await serve(async () => {
    Object.assign(house.line(1), { positionSince: due - 1_000, positionAt: due })
    house.line(1).states.set('position', 'open').set('trip.cause', 'manual')
  }).tick()
  expect([(await runEnds())?.state, await lines(), left]).toEqual(['refused', [['refused', 'opened meanwhile']], []])
  Object.assign(house.line(1), { positionSince: null, positionAt: null })
})

const stateOf = async (name: string) =>
  (await house.database.general.selectFrom('automation_run').select('state').where('name', '=', name).execute()).map(
    ({ state }) => state,
  )
const endsAs = (name: string, state: string) => vi.waitFor(async () => expect(await stateOf(name)).toEqual([state]))

test('a run whose end cannot be stored keeps nothing that is due from being claimed', async () => {
  await sql`create function no_end() returns trigger language plpgsql as 'begin raise exception ''no end''; end'`.execute(
    house.database.general,
  )
  await sql`create trigger no_end before update on automation_run for each row when (old.name = 'bad') execute function no_end()`.execute(
    house.database.general,
  )
  const dispatcher = serve(async () => {})
  await timerOf('bad', [{ at: '08:00', action: 'trip' }])
  await dispatcher.tick()
  await vi.waitFor(async () => expect((await lines()).map(([state]) => state)).toEqual(['ordered']))
  await timerOf('good', [{ at: '08:00', action: 'trip' }], { lineNos: [2] })
  await dispatcher.tick()
  await dispatcher.tick()
  await endsAs('good', 'done')
  await sql`drop function no_end cascade`.execute(house.database.general)
  await dispatcher.tick()
  await endsAs('bad', 'done')
})

test('a timer whose schedule cannot be read trips what is due all the same, and keeps no other from it', async () => {
  const broken = await timerOf('broken', [{ at: '08:00', action: 'trip' }])
  await timerOf('sound', [{ at: '08:00', action: 'trip' }], { lineNos: [2] })
  const stale = await timerOf('stale', [{ at: '08:00', action: 'trip' }], { lineNos: [3] })
  await sql`update timer set schedule = '{"period":{"type":"none"},"points":7}' where timer_id in (${broken}, ${stale})`.execute(
    house.database.general,
  )
  await sql`update timer_due set stale = true, due_at = due_at + interval '1 hour' where timer_id = ${stale}`.execute(
    house.database.general,
  )
  await serve(async () => {}).tick()
  await endsAs('sound', 'done')
  // Its log says that nothing follows, and why.
  const { general } = house.database
  const log = () =>
    sql<{
      state: string
      why: string | null
    }>`select state, why from automation_run where name = 'broken' order by state`.execute(general)
  await vi.waitFor(
    async () =>
      expect((await log()).rows).toEqual([
        { state: 'done', why: null },
        { state: 'missed', why: 'unreadable' },
      ]),
    10_000,
  )
  const dues = await house.database.general
    .selectFrom('timer_due')
    .select(['timer_id', 'stale'])
    .where('timer_id', '=', stale)
    .execute()
  expect(dues).toEqual([{ timer_id: stale, stale: false }])
})

test('a timer whose run the database does not take keeps no other from its trip, and is claimed once it is taken', async () => {
  const { general } = house.database
  await sql`create function no_run() returns trigger language plpgsql as 'begin raise exception ''no run''; end'`.execute(general)
  await sql`create trigger no_run before insert on automation_run for each row when (new.name = 'bad') execute function no_run()`.execute(
    general,
  )
  await timerOf('bad', [{ at: '08:00', action: 'trip' }])
  await timerOf('good', [{ at: '08:00', action: 'trip' }], { lineNos: [2] })
  await timerOf('last', [{ at: '08:00', action: 'close' }], { lineNos: [3] })
  const dispatcher = serve(async () => {})
  await dispatcher.tick()
  await endsAs('good', 'done')
  await endsAs('last', 'done')
  expect(await stateOf('bad')).toEqual([])
  await sql`drop function no_run cascade`.execute(general)
  await stop()
  await serve(async () => {}).tick()
  await endsAs('bad', 'done')
})

test('all that came too late of a timer ends with one claim, and the trip that may be done begins with it', async () => {
  const timerId = await timerOf('behind', [
    { at: '07:00', action: 'close' },
    { at: '08:00', action: 'trip' },
  ])
  const { general } = house.database
  await sql`update timer_due set due_at = due_at - interval '20 days' where timer_id = ${timerId}`.execute(general)
  const clock = clockOf(() => now)
  const facts = { claimedAt: now, keptSince: now, databaseBackAt: null, clockSetAt: null }
  const { carried } = await claimDue(house.database, {
    ...{ clock, holder: { server: crypto.randomUUID(), clock }, limit: 1, gatewayIds: [], graceMs: 0, again: async () => [] },
    decide: (trx, timers) =>
      decideTimers(
        trx,
        timers,
        facts,
        () => {},
        () => false,
      ),
  })
  expect(carried.map(({ decision: { execution } }) => [execution.pointNo, execution.dueAt])).toEqual([[2, due]])
  const rows = await sql<{ state: string; count: number }>`
    select state, count(*)::int as count from automation_run group by state order by state`.execute(general)
  expect(rows.rows).toEqual([
    { state: 'missed', count: 40 },
    { state: 'running', count: 1 },
  ])
  const next = await general.selectFrom('timer_due').select('due_at').executeTakeFirst()
  expect(next?.due_at.getTime()).toBe(due + 23 * 3_600_000)
})

test('what is due now is claimed before what was missed, and its trips before the rest', async () => {
  const old = await timerOf('old', [{ at: '08:00', action: 'trip' }])
  await sql`update timer_due set due_at = due_at - interval '1 day' where timer_id = ${old}`.execute(house.database.general)
  await timerOf('close', [{ at: '08:00', action: 'close' }], { lineNos: [2] })
  await timerOf('trip', [{ at: '08:00', action: 'trip' }], { lineNos: [3] })
  const order: string[] = []
  const clock = clockOf(() => now)
  await claimDue(house.database, {
    ...{ clock, holder: { server: 's', clock }, limit: 100, gatewayIds: [], graceMs: 0, again: async () => [] },
    async decide(_, timers) {
      order.push(...timers.map(({ timer }) => timer.name))
      return []
    },
  })
  expect(order).toEqual(['trip', 'close', 'old'])
})

const window = [
  { at: '07:00', action: 'close' },
  { at: '20:00', action: 'trip' },
] as const

test.each<[string, Parameters<typeof timerOf>[2], () => Actor | null, string]>([
  ['whose owner may switch it', {}, () => house.actor, 'skipped'],
  ['whose owner was deleted', { ownerId: null }, () => house.actor, 'done'],
  ['whose owner is disabled', { ownerId: '00000000-0000-4000-8000-000000000001' }, () => null, 'done'],
  [
    'whose owner may switch no more',
    { ownerId: '00000000-0000-4000-8000-000000000001' },
    () => ({ ...house.actor, platform: false, administrator: false, buttons: [] }),
    'done',
  ],
  [
    'whose owner sees the line no more',
    { ownerId: '00000000-0000-4000-8000-000000000001' },
    () => ({ ...house.actor, seesGateway: () => false }),
    'done',
  ],
  ['of the project that the line was in before', { project: 2 }, () => house.actor, 'done'],
])('a trip of a line that another timer wants on, %s, goes by the rights it has', async (_, wanting, ownerNow, state) => {
  if (wanting?.ownerId)
    await sql`insert into account (account_id, user_name, kind, password_hash)
      values (${wanting.ownerId}, 'other', 'platform', '') on conflict do nothing`.execute(house.database.general)
  await timerOf('short', [{ at: '08:00', action: 'trip' }])
  await timerOf('long', window, wanting)
  const { accountId } = house.actor
  await serve(
    async () => {},
    (id) => (id === accountId && wanting?.ownerId ? house.actor : ownerNow()),
  ).tick()
  expect([(await runEnds())?.state, left.length]).toEqual([state, state === 'done' ? 1 : 0])
})
