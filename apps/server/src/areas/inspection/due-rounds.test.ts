import { randomUUID } from 'node:crypto'
import { Refusal } from '@linewarden/contract'
import { dayMs, hourMs, minuteMs } from '@linewarden/equipment'
import { dateText, parseDate } from '@linewarden/rules/automation'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../access/actor.ts'
import { Runner } from '../../jobs/runner.ts'
import { Hub } from '../../plant/hub.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { TestDatabase } from '../../store/core/test-database.ts'
import { testDatabase } from '../../store/core/test-database.ts'
import type { PlanColumns } from '../../store/inspection/plan-write.ts'
import { insertPlan } from '../../store/inspection/plan-write.ts'
import { loadPlant } from '../../store/plant/plant.ts'
import { createInspection } from './service.ts'

// Servers on one database, each with its own picture of the plant.
const start = Date.UTC(2026, 0, 5, 8)
let house: TestDatabase
let now: number
let errors: unknown[]
let servers: { close(): Promise<void> }[]

beforeEach(async () => {
  house = await testDatabase()
  now = start
  errors = []
  servers = []
  const client = await house.database.connect()
  await client
    .query(
      `with p as (insert into project (city_id, name, time_zone) select min(city_id), 'p', 'Asia/Shanghai' from city returning project_id),
         g as (insert into gateway (project_id, number, name, secret_hash) select project_id, 'G', 'g', '' from p returning gateway_id),
         d as (insert into device (gateway_id, controller_id, name, family, model) select gateway_id, 'D', 'd', 'breaker3p', '3PN' from g returning device_id)
       insert into line (device_id, line_no, name, rated_current_a) select device_id, n, 'l' || n, 63 from d, generate_series(1, 3) n`,
    )
    .finally(() => client.end())
})
afterEach(async () => {
  for (const server of servers) await server.close()
  await house?.drop()
  expect(errors).toEqual([])
})

async function serve() {
  const { database } = house
  const plant = await loadPlant(database)
  const log = { error: ({ err }: { err: unknown }) => errors.push(err) } as never
  const runner = new Runner({ database, log, leaseClock: () => sql<Date>`${new Date(now)}::timestamptz` })
  const inspection = createInspection({
    ...{
      database,
      plant,
      hub: new Hub(() => {}),
      runner,
      log,
      clock: () => now,
      ingest: { hasValidPosition: () => true } as never,
    },
    ...{
      actorNow: async () => null,
      photos: {} as never,
      orders: { insert: () => Promise.reject() } as never,
    },
  })
  servers.push({
    async close() {
      await inspection.close()
      await runner.close()
    },
  })
  return { inspection, runner, plant }
}

const day = (text: string) => parseDate(text) ?? 0

async function plan(more: Partial<PlanColumns> = {}): Promise<number> {
  const { general } = house.database
  const { project_id } = await general
    .selectFrom('project')
    .select('project_id')
    .where('name', '=', 'p')
    .executeTakeFirstOrThrow()
  const { gateway_id } = await general.selectFrom('gateway').select('gateway_id').executeTakeFirstOrThrow()
  const stop = { kind: 'gateway', gatewayId: gateway_id, deviceId: null, controllerId: null, place: null, name: 'g' }
  const columns: PlanColumns = {
    ...{ name: `计划${randomUUID()}`, kind: 'onSite', stops: JSON.stringify([stop]), left_out: '[]', own_items: '[]' },
    ...{ signature: 'none', photo_on: 'never', four_eyes: true, cycle_every: 7, cycle_unit: 'day', counts_from: 'plan' },
    ...{ first_due: day('2026-01-10'), before_days: 2, after_days: 1, assignees: '[]', enabled: true },
    ...more,
  }
  const audit = { at: now, actor: 'a', address: '', tenant: null, action: 'inspectionPlan.add', outcome: 'done' } as const
  return (await insertPlan(house.database, { projectId: project_id, columns, audit, now })) ?? 0
}

const rounds = async () =>
  (
    await house.database.general
      .selectFrom('inspection_round')
      .select(['plan_id', 'due_day', 'state', 'number'])
      .orderBy('plan_id')
      .orderBy('due_day')
      .execute()
  ).map(({ due_day, state }) => [due_day === null ? null : dateText(due_day), state])

const lapsedHazards = () =>
  house.database.general
    .selectFrom('hazard')
    .select(['level', 'source', 'count', 'state', 'gateway_id'])
    .where('key', 'like', 'patrol.lapsed.%')
    .execute()

/** Of the project, in Shanghai. */
const at = (text: string, hour = 0) => day(text) * dayMs + (hour - 8) * hourMs

test('a round is made when its window opens, once on two servers, and the next not before its own', async () => {
  await plan()
  const [a, b] = [await serve(), await serve()]
  now = at('2026-01-08') - 1
  await Promise.all([a.inspection.look(), b.inspection.look()])
  expect(await rounds()).toEqual([])
  now = at('2026-01-08')
  await Promise.all([a.inspection.look(), b.inspection.look()])
  await Promise.all([a.inspection.look(), b.inspection.look()])
  expect(await rounds()).toEqual([['2026-01-10', 'planned']])
  now = at('2026-01-11', 23)
  await a.inspection.look()
  expect(await rounds()).toEqual([['2026-01-10', 'planned']])
})

test('what nobody starts in its window lapses, and is a hazard of the project that counts up', async () => {
  await plan()
  const [a, b] = [await serve(), await serve()]
  for (const next of ['2026-01-08', '2026-01-12', '2026-01-15', '2026-01-19']) {
    now = at(next)
    await Promise.all([a.inspection.look(), b.inspection.look()])
  }
  expect(await rounds()).toEqual([
    ['2026-01-10', 'lapsed'],
    ['2026-01-17', 'lapsed'],
  ])
  expect(await lapsedHazards()).toEqual([{ level: 'low', source: 'patrol', count: 2, state: 'open', gateway_id: null }])
})

test('a server that was away makes what was due meanwhile once, with its true dates', async () => {
  await plan({ cycle_every: 1, before_days: 0, after_days: 0, first_due: day('2026-01-06') })
  now = at('2026-01-10', 9)
  const [a, b] = [await serve(), await serve()]
  await Promise.all([a.inspection.look(), b.inspection.look()])
  await a.inspection.look()
  expect(await rounds()).toEqual([
    ['2026-01-06', 'lapsed'],
    ['2026-01-07', 'lapsed'],
    ['2026-01-08', 'lapsed'],
    ['2026-01-09', 'lapsed'],
    ['2026-01-10', 'planned'],
  ])
  const { general } = house.database
  const { decided_at } = await general
    .selectFrom('inspection_round')
    .select('decided_at')
    .where('due_day', '=', day('2026-01-07'))
    .executeTakeFirstOrThrow()
  expect(decided_at?.getTime()).toBe(at('2026-01-08'))
  expect(await lapsedHazards()).toMatchObject([{ count: 4 }])
})

test('a server that was away for an hour across the opening makes the round on its return', async () => {
  await plan()
  now = at('2026-01-08', 1)
  const { inspection } = await serve()
  await inspection.look()
  expect(await rounds()).toEqual([['2026-01-10', 'planned']])
})

test('what was due before a plan was made is not made up', async () => {
  await plan({ first_due: day('2020-01-04') })
  const { inspection } = await serve()
  now = start + minuteMs
  await inspection.look()
  expect(await rounds()).toEqual([])
  now = at('2026-01-08')
  await inspection.look()
  expect(await rounds()).toEqual([['2026-01-10', 'planned']])
})

test('a disabled plan makes none', async () => {
  await plan({ enabled: false })
  now = at('2026-01-10')
  const { inspection } = await serve()
  await inspection.look()
  expect(await rounds()).toEqual([])
})

test('an online round is walked by itself on its due date, once on two servers', async () => {
  await plan({ kind: 'online' })
  const [a, b] = [await serve(), await serve()]
  now = at('2026-01-10', 4)
  await a.inspection.look()
  expect(await rounds()).toEqual([])
  now = at('2026-01-10', 5)
  await Promise.all([a.inspection.look(), b.inspection.look()])
  await Promise.all([a.inspection.look(), b.inspection.look()])
  await Promise.all([a.runner.settled(), b.runner.settled()])
  expect(await rounds()).toEqual([['2026-01-10', 'finished']])
  const { general } = house.database
  const round = await general.selectFrom('inspection_round').selectAll().executeTakeFirstOrThrow()
  expect([round.lines, round.done, round.result?.lines, round.result?.defects]).toEqual([3, 3, 3, 3])
  expect(await general.selectFrom('inspection_line').select('line_id').execute()).toHaveLength(3)
  expect(await general.selectFrom('due_work').select(['kind', 'outcome']).execute()).toEqual([
    { kind: 'inspectionRound', outcome: 'done' },
  ])
  const sheet = await general.selectFrom('inspection_sheet').select(['number', 'revision']).execute()
  expect(sheet).toEqual([{ number: round.number, revision: 1 }])
})

test.each(['plan', 'completion'] as const)(
  'an online round that finds no line left is over once on two servers, says so, and its plan (%s) goes on',
  async (counts_from) => {
    await plan({ kind: 'online', counts_from })
    const { general } = house.database
    await general.deleteFrom('line').execute()
    const [a, b] = [await serve(), await serve()]
    now = at('2026-01-10', 5)
    await Promise.all([a.inspection.look(), b.inspection.look()])
    now += minuteMs
    await Promise.all([a.inspection.look(), b.inspection.look()])
    expect(await rounds()).toEqual([['2026-01-10', 'abandoned']])
    expect(await general.selectFrom('inspection_round').select(['broke_off', 'reason']).execute()).toEqual([
      { broke_off: 'empty', reason: '' },
    ])
    const audited = await general
      .selectFrom('audit')
      .select(['actor', 'action', 'after'])
      .where('subject_kind', '=', 'inspectionRound')
      .execute()
    const words = { zh: expect.stringContaining('已没有线路'), en: expect.stringContaining('No line is left') }
    expect(audited).toEqual([{ actor: 'system', action: 'inspectionRound.abandon', after: { reason: words } }])
    expect(await general.selectFrom('due_work').select('kind').execute()).toEqual([])
    expect(await lapsedHazards()).toEqual([])

    // Somebody puts a line there again.
    const { device_id } = await general.selectFrom('device').select('device_id').executeTakeFirstOrThrow()
    await general.insertInto('line').values({ device_id, line_no: 9, name: 'l9' }).execute()
    const later = await serve()
    now = at('2026-01-17', 5)
    await later.inspection.look()
    await later.runner.settled()
    expect(await rounds()).toEqual([
      ['2026-01-10', 'abandoned'],
      ['2026-01-17', 'finished'],
    ])
  },
)

test('a walk that breaks down under way is over with its reason, which the audit trail says too, and its plan goes on', async () => {
  await plan({ kind: 'online' })
  const { general } = house.database
  await sql`create function refused() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$`.execute(
    general,
  )
  await sql`create trigger refused before insert on inspection_line for each row execute function refused()`.execute(general)
  now = at('2026-01-10', 5)
  const { inspection, runner } = await serve()
  await inspection.look()
  await runner.settled()
  expect(errors.splice(0)).toEqual([expect.objectContaining({ message: 'no room' })])
  expect(await rounds()).toEqual([['2026-01-10', 'abandoned']])
  expect(await general.selectFrom('inspection_round').select('broke_off').execute()).toEqual([{ broke_off: 'failed' }])
  const audited = await general
    .selectFrom('audit')
    .select(['actor', 'action', 'before', 'after'])
    .where('subject_kind', '=', 'inspectionRound')
    .orderBy('audit_id')
    .execute()
  const reason = { zh: expect.stringContaining('巡检途中出错'), en: expect.stringContaining('It broke off on the way') }
  expect(audited).toEqual([
    { actor: 'system', action: 'inspectionRound.start', before: null, after: null },
    { actor: 'system', action: 'inspectionRound.abandon', before: { state: 'started' }, after: { reason } },
  ])
  const { next_due } = await general.selectFrom('inspection_plan').select('next_due').executeTakeFirstOrThrow()
  expect(next_due).toBe(day('2026-01-17'))
})

/** A walk that a server began which is gone since, with a line it had found. */
async function begunElsewhere(): Promise<void> {
  await plan({ kind: 'online' })
  now = at('2026-01-10', 5)
  const { inspection, runner } = await serve()
  await inspection.look()
  await runner.settled()
  await house.database.general
    .updateTable('inspection_round')
    .set({ state: 'started', finished_at: null, result: null, done: 1 })
    .execute()
  await house.database.general.deleteFrom('inspection_sheet').execute()
  await house.database.general
    .updateTable('due_work')
    .set({ ended_at: null, outcome: null, holder: randomUUID(), lease_until: new Date(now + minuteMs) })
    .execute()
}

test('what a server walked that is gone another walks anew, with no line twice', async () => {
  await begunElsewhere()
  const { runner } = await serve()
  await runner.look()
  expect(await rounds()).toEqual([['2026-01-10', 'started']])
  now += 61_000
  await runner.look()
  await runner.look()
  await runner.settled()
  expect(await rounds()).toEqual([['2026-01-10', 'finished']])
  const { general } = house.database
  expect(await general.selectFrom('inspection_line').select('line_id').execute()).toHaveLength(3)
  expect((await general.selectFrom('inspection_round').select('done').executeTakeFirstOrThrow()).done).toBe(3)
})

test('what a plan will make in a far year is found without walking there, and only that', async () => {
  await plan({ cycle_every: 1, before_days: 0, after_days: 0 })
  const { inspection } = await serve()
  const actor = {
    platform: true,
    shared: false,
    sees: () => true,
    scope: { all: true, projectIds: [], gatewayIds: [] },
  } as unknown as Actor
  const { items } = await inspection.calendar(actor, null, { From: '9998-02-27', To: '9998-03-01' })
  expect(items.map(({ DueDay, RoundID, State }) => [DueDay, RoundID, State])).toEqual([
    ['9998-02-27', null, null],
    ['9998-02-28', null, null],
    ['9998-03-01', null, null],
  ])
})

test('codes that lead nowhere are tried only so often, and it is the same whether they are unknown or none at all', async () => {
  const { inspection } = await serve()
  const actor = { accountId: randomUUID() } as Actor
  const tries = async (text: string) => {
    const refusal: unknown = await inspection.codes.read(actor, text).catch((error) => error)
    return refusal instanceof Refusal ? refusal.key : 'read'
  }
  for (let times = 0; times < 15; times++) {
    expect(await tries('Z'.repeat(26))).toBe('code unknown')
    expect(await tries('no code')).toBe('code unknown')
  }
  expect(await tries('Z'.repeat(26))).toBe('too many requests')
  now += minuteMs
  expect(await tries('Z'.repeat(26))).toBe('code unknown')
})

test('the database itself shows plans and rounds to whoever sees the project whole, and to nobody else', async () => {
  await plan({ kind: 'online' })
  now = at('2026-01-10', 5)
  const { inspection, runner } = await serve()
  await inspection.look()
  await runner.settled()
  const { project_id } = await house.database.general
    .selectFrom('inspection_round')
    .select('project_id')
    .executeTakeFirstOrThrow()
  const scope = (projectIds: number[], accountId: string | null): Actor['scope'] => ({
    ...{ all: false, projectIds, gatewayIds: [], tenant: null, administrator: false, accountId },
  })
  const seen = (projectIds: number[], accountId: string | null = randomUUID()) =>
    withRowSecurity(house.database, scope(projectIds, accountId), async ({ general }) => {
      const count = async (table: 'inspection_plan' | 'inspection_round' | 'inspection_line' | 'inspection_sheet') =>
        (await general.selectFrom(table).select(sql<number>`1`.as('one')).execute()).length
      return [
        await count('inspection_plan'),
        await count('inspection_round'),
        await count('inspection_line'),
        await count('inspection_sheet'),
      ]
    })
  expect(await seen([project_id])).toEqual([1, 1, 3, 1])
  expect(await seen([])).toEqual([0, 0, 0, 0])
  // An account that equipment is shared with reads nobody's rounds.
  expect(await seen([project_id], null)).toEqual([0, 0, 0, 0])
})
