import { randomUUID } from 'node:crypto'
import { about } from '@linewarden/contract'
import { dayMs, hourMs, minuteMs } from '@linewarden/equipment'
import { evidence } from '@linewarden/rules/warning'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { TestDatabase } from '../../store/core/test-database.ts'
import { testDatabase } from '../../store/core/test-database.ts'
import { openHazard } from '../../store/hazard/hazard.ts'
import { acceptHazard } from '../../store/hazard/keep.ts'
import { hazardById } from '../../store/hazard/list.ts'
import { loadPlant } from '../../store/plant/plant.ts'
import { insertTestLine } from '../../store/plant/test-line.ts'
import { createHazardAccess } from './hazard-access.ts'
import { createHazardKeeper } from './keeper.ts'

// Servers on one database, each with its own picture of the plant: what happens by itself happens once.
const start = Date.UTC(2026, 0, 10)
let house: TestDatabase
let now: number
let errors: unknown[]
let place: { project_id: number; gateway_id: number; line_id: number }

beforeEach(async () => {
  house = await testDatabase()
  now = start
  errors = []
  place = await insertTestLine(house.database)
})
afterEach(async () => {
  await house?.drop()
  expect(errors).toEqual([])
})

async function serve() {
  const { database } = house
  const plant = await loadPlant(database)
  const log = { error: ({ err }: { err: unknown }) => errors.push(err) } as never
  const deps = { database, plant, log, hub: { publish: () => {} } as never, clock: () => now }
  return { plant, keeper: createHazardKeeper(deps, createHazardAccess(deps)) }
}

const roundId = randomUUID()
const opened = (more: object = {}) =>
  house.database.general.transaction().execute((trx) =>
    openHazard(trx, {
      ...{ projectId: place.project_id, gatewayId: place.gateway_id, deviceId: null, lineId: place.line_id, key: 'contact' },
      ...{ label: { zh: '接点过热', en: 'Hot contact' }, level: 'high', source: 'patrol', sourceId: roundId, at: start, ...more },
    }),
  )
const stepsOf = (hazardId: number) =>
  house.database.general.selectFrom('hazard_step').selectAll().where('hazard_id', '=', hazardId).orderBy('step_id').execute()

test('two servers open what was accepted again once, at the instant that was due, and tell it once', async () => {
  const hazardId = await opened()
  const { database } = house
  const audit = { at: now, actor: 'a', address: '', tenant: null, outcome: 'done' } as const
  const account = await database.general
    .insertInto('account')
    .values({ user_name: 'boss', kind: 'project', password_hash: '' })
    .returning('account_id')
    .executeTakeFirstOrThrow()
  await acceptHazard(
    database,
    {
      ...{ hazardId, actId: randomUUID(), until: start + dayMs, reason: '备件', now, actorId: account.account_id, actor: 'boss' },
    },
    () => ({ ...audit, action: 'hazard.accept', subject: about('hazard', hazardId) }),
  )
  const [a, b] = [await serve(), await serve()]
  now = start + dayMs - 1
  await Promise.all([a.keeper.look(), b.keeper.look()])
  expect(await hazardById(database.general, hazardId)).toMatchObject({ state: 'accepted' })
  now = start + 3 * dayMs
  await Promise.all([a.keeper.look(), b.keeper.look()])
  expect(await hazardById(database.general, hazardId)).toMatchObject({ state: 'open', risk_until: null })
  expect((await stepsOf(hazardId)).map(({ act, at }) => [act, at.getTime()])).toEqual([
    ['found', start],
    ['accept', start],
    ['expire', start + dayMs],
  ])
  const entries = await database.general.selectFrom('audit').select('action').where('action', '=', 'hazard.expire').execute()
  expect(entries).toHaveLength(1)
})

test('two servers find the same finding and the same failed self-test once', async () => {
  const client = await house.database.connect()
  const { rows } = await client.query<{ event_id: string }>(
    `insert into event (kind, priority, key, label_zh, label_en, state, project_id, gateway_id, line_id, raised_at, stored_at, announced)
     values ('warning', 'high', 'contact', '接点', 'contact', 'active', $1, $2, $3, $4, $4, 1) returning event_id`,
    [place.project_id, place.gateway_id, place.line_id, new Date(start - hourMs)],
  )
  await client
    .query('insert into warning_evidence (event_id, level, evidence, rule_version, at) values ($1, $2, $3, 0, now())', [
      ...[rows[0]?.event_id, 'warning', evidence({ value: 2, limit: 1, unit: 'K', used: 30 })],
    ])
    .finally(() => client.end())
  const [a, b] = [await serve(), await serve()]
  for (const { plant } of [a, b])
    for (const line of plant.lines.values()) line.selfTest = { at: start - hourMs, result: 'failed', tripMs: 400 }
  await Promise.all([a.keeper.look(), b.keeper.look()])
  await Promise.all([a.keeper.look(), b.keeper.look()])
  const found = await house.database.general.selectFrom('hazard').selectAll().orderBy('key').execute()
  expect(found.map(({ key, count, level }) => [key, count, level])).toEqual([
    ['contact', 1, 'high'],
    ['selfTest.failed', 1, 'high'],
  ])
  expect(await house.database.general.selectFrom('hazard_step').select('act').execute()).toEqual([
    { act: 'found' },
    { act: 'found' },
  ])
})

test('what shows a hazard counts once, however often it is said, and two at one moment are one hazard', async () => {
  const ids = await Promise.all([opened({ sourceId: roundId }), opened({ sourceId: '2' }), opened({ sourceId: '2' }), opened()])
  expect(new Set(ids).size).toBe(1)
  const hazard = await hazardById(house.database.general, ids[0] ?? 0)
  expect(hazard).toMatchObject({ count: 2, level: 'high', source: 'patrol' })
})

/** A finished check that took twelve points from each of these lines. */
async function checked(lineIds: readonly number[]): Promise<number> {
  const client = await house.database.connect()
  const item = { key: 'overvoltage.band', category: 'protection', deduct: 12, text: { zh: '过压保护', en: 'Overvoltage' } }
  const { rows } = await client.query<{ test_id: number }>(
    `insert into health_check (number, project_id, project_name, rule_version, state, started_at, time_zone, from_day, to_day, lines)
     values ('T', $1, 'p', '1', 'done', $2, 'UTC', 0, 29, $3) returning test_id`,
    [place.project_id, new Date(start), lineIds.length],
  )
  const testId = rows[0]?.test_id ?? 0
  await client
    .query(
      `insert into health_check_line (test_id, line_id, project_id, gateway_id, line_name, gateway_name, score, coverage, found)
       select $1, id, $2, $3, 'l', 'g', 88, 100, $4 from unnest($5::int[]) id`,
      [testId, place.project_id, place.gateway_id, JSON.stringify({ items: [item], gaps: [] }), lineIds],
    )
    .finally(() => client.end())
  return testId
}

test('a line whose hazard cannot be opened keeps no other line and no later check, says why once, and is tried again', async () => {
  const { general } = house.database
  const { device_id } = await general.selectFrom('device').select('device_id').executeTakeFirstOrThrow()
  const broken = place.line_id
  const { line_id: whole } = await general
    .insertInto('line')
    .values({ device_id, line_no: 2, name: 'l2' })
    .returning('line_id')
    .executeTakeFirstOrThrow()
  const client = await house.database.connect()
  await client.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'this place is broken'; end $$`)
  await client.query(
    `create trigger broken before insert on hazard for each row when (new.line_id = ${broken}) execute function refuse()`,
  )
  const [first, second] = [await checked([broken, whole]), await checked([whole])]
  const [a, b] = [await serve(), await serve()]
  const checks = () =>
    general.selectFrom('health_check').select(['test_id', 'hazards_at', 'hazards_failed']).orderBy('test_id').execute()
  const hazards = async () =>
    (await general.selectFrom('hazard').select(['line_id', 'count', 'state']).orderBy('hazard_id').execute()).map((each) => [
      ...[each.line_id, each.count, each.state],
    ])

  await Promise.all([a.keeper.look(), b.keeper.look()])
  const failed = { test_id: first, hazards_at: null, hazards_failed: `line ${broken}: this place is broken` }
  const taken = { test_id: second, hazards_at: new Date(start), hazards_failed: null }
  expect(await checks()).toEqual([failed, taken])
  expect(await hazards()).toEqual([[whole, 2, 'open']])
  expect(errors.splice(0)).toMatchObject([{ message: 'this place is broken' }])

  // Mended by now: what a check found then does not bring it back.
  await general.updateTable('hazard').set({ state: 'gone' }).execute()
  now += 10 * minuteMs
  await a.keeper.look()
  expect(await checks()).toEqual([failed, taken])
  await client.query('drop trigger broken on hazard').finally(() => client.end())
  now += 10 * minuteMs
  await a.keeper.look()
  expect(await checks()).toEqual([{ test_id: first, hazards_at: new Date(now), hazards_failed: null }, taken])
  expect(await hazards()).toEqual([
    [whole, 2, 'gone'],
    [broken, 1, 'open'],
  ])
})

test('what a check found is opened with all hazards of its lines locked first, in the order of their numbers', async () => {
  const { general } = house.database
  const { device_id } = await general.selectFrom('device').select('device_id').executeTakeFirstOrThrow()
  const { line_id: other } = await general
    .insertInto('line')
    .values({ device_id, line_no: 2, name: 'l2' })
    .returning('line_id')
    .executeTakeFirstOrThrow()
  // The later line has the earlier hazard.
  const [earlier, later] = [await opened({ lineId: other }), await opened()]
  await checked([place.line_id, other])
  const { keeper } = await serve()
  const client = await house.database.connect()
  try {
    await client.query('begin')
    await client.query('select from hazard where hazard_id = $1 for no key update', [earlier])
    const looked = keeper.look()
    await vi.waitFor(async () => {
      const waiting =
        await sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(general)
      expect(waiting.rows).toHaveLength(1)
    })
    await client.query('select from hazard where hazard_id = $1 for no key update nowait', [later])
    await client.query('commit')
    await looked
  } finally {
    await client.end()
  }
  expect(await general.selectFrom('hazard').select('hazard_id').where('source', '=', 'exam').execute()).toHaveLength(2)
})

test('the database itself shows a hazard to whoever sees its place, and to nobody else', async () => {
  await opened()
  const seen = (projectIds: number[], accountId: string | null) =>
    withRowSecurity(
      house.database,
      { all: false, projectIds, gatewayIds: [], tenant: null, administrator: false, accountId },
      async ({ general }) => (await general.selectFrom('hazard').select('hazard_id').execute()).length,
    )
  expect([
    await seen([place.project_id], randomUUID()),
    await seen([], randomUUID()),
    await seen([place.project_id], null),
  ]).toEqual([1, 0, 0])
})
