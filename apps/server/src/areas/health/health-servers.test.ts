import { randomUUID } from 'node:crypto'
import { Refusal } from '@linewarden/contract'
import { dayMs, hourMs } from '@linewarden/equipment'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Actor } from '../../access/actor.ts'
import { Downloads } from '../../http/downloads.ts'
import { Runner } from '../../jobs/runner.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { TestDatabase } from '../../store/core/test-database.ts'
import { testDatabase } from '../../store/core/test-database.ts'
import { insertHealthCheck } from '../../store/health/write.ts'
import { loadPlant } from '../../store/plant/plant.ts'
import { examLines } from './exam-run.ts'
import { createHealth } from './service.ts'

// Servers on one database, each with its own picture of the plant.
const first = Date.UTC(2026, 0, 1, 4)
let house: TestDatabase
let now: number
let errors: unknown[]
let servers: { close(): Promise<void> }[]

beforeEach(async () => {
  house = await testDatabase()
  now = first + hourMs
  errors = []
  servers = []
  const client = await house.database.connect()
  await client
    .query(
      `with p as (insert into project (city_id, name, time_zone) select min(city_id), n, 'UTC' from city, unnest(array['p', 'q', 'empty']) n
           group by n returning project_id, name),
         g as (insert into gateway (project_id, number, name, secret_hash) select project_id, 'G' || name, 'g', '' from p where name <> 'empty'
           returning gateway_id, number),
         d as (insert into device (gateway_id, controller_id, name, family, model) select gateway_id, 'D' || number, 'd', 'breaker3p', '3PN' from g
           returning device_id)
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
  const health = createHealth({ database, plant, runner, downloads: new Downloads(() => now), log, clock: () => now })
  servers.push({
    async close() {
      await health.close()
      await runner.close()
    },
  })
  return { health, runner, plant }
}

const checks = async () =>
  (await house.database.general.selectFrom('health_check').selectAll().orderBy('project_id').orderBy('test_id').execute()).map(
    (row) => [row.project_name, row.due_at?.toISOString() ?? null, row.state, row.lines, row.done],
  )

test('each project that has lines is examined on the first of the month, once on two servers', async () => {
  const [a, b] = [await serve(), await serve()]
  await Promise.all([a.health.look(), b.health.look()])
  await Promise.all([a.health.look(), b.health.look()])
  const due = new Date(first).toISOString()
  expect(await checks()).toEqual([
    ['p', due, 'done', 3, 3],
    ['q', due, 'done', 3, 3],
  ])
  now += 5 * dayMs
  await Promise.all([a.health.look(), b.health.look()])
  expect(await checks()).toHaveLength(2)
  now = Date.UTC(2026, 1, 1, 4)
  await a.health.look()
  await b.health.look()
  expect((await checks()).filter(([, at]) => at === new Date(now).toISOString())).toHaveLength(2)
})

test('a server that was away examines late, but not a month that is well under way', async () => {
  now = first + 8 * dayMs
  const { health } = await serve()
  await health.look()
  expect(await checks()).toEqual([])
  now = first + 6 * dayMs
  await health.look()
  expect(await checks()).toHaveLength(2)
})

test('before four in the morning it is not due yet', async () => {
  now = first - 1
  const { health } = await serve()
  await health.look()
  expect(await checks()).toEqual([])
})

/** So many that one check does not take them. */
const manyLines = () =>
  sql`with d as (
      insert into device (gateway_id, controller_id, name, family, model) select gateway_id, 'E' || n, 'e', 'breaker3p', '3PN'
        from gateway, generate_series(1, 200) n where number = 'Gp' returning device_id)
    insert into line (device_id, line_no, name) select device_id, n, 'l' || n from d, generate_series(1, 100) n`.execute(
    house.database.general,
  )

test('a project of more lines than one check takes is refused, with how many it takes', async () => {
  await manyLines()
  const { health, plant } = await serve()
  const project = plant.projects.get(await projectId('p'))
  const administrator = { sees: () => true, nickName: '', userName: 'anna', address: '' } as unknown as Actor
  const begun = async () => project && health.start(administrator, project, { HouseID: project.id })
  const refused = await begun().catch((refusal: unknown) => refusal)
  expect(refused).toBeInstanceOf(Refusal)
  expect(refused).toMatchObject({ key: 'exam too large', detail: { most: 20_000 } })
  expect(await checks()).toEqual([])
})

test('the monthly check of such a project is noted once as failed, with how many lines it has, and the others are examined', async () => {
  await manyLines()
  const [a, b] = [await serve(), await serve()]
  await Promise.all([a.health.look(), b.health.look()])
  await a.health.look()
  const due = new Date(first).toISOString()
  expect(await checks()).toEqual([
    ['p', due, 'failed', 20_003, 0],
    ['q', due, 'done', 3, 3],
  ])
  const { general } = house.database
  const noted = await general.selectFrom('health_check').selectAll().where('state', '=', 'failed').executeTakeFirstOrThrow()
  expect(noted).toMatchObject({ actor: null, result: null, started_at: new Date(now), ended_at: new Date(now) })
  expect(await general.selectFrom('due_work').select('key').where('key', '=', String(noted.test_id)).execute()).toEqual([])
})

/** Who waits for a lock in this database. */
const waitingSql = `select from pg_locks where not granted
  and database = (select oid from pg_database where datname = current_database())`

const projectId = async (name: string): Promise<number> => {
  const { general } = house.database
  return (await general.selectFrom('project').select('project_id').where('name', '=', name).executeTakeFirstOrThrow()).project_id
}
const firstOf = async (table: 'gateway' | 'line') => {
  const { rows } = await sql<{ id: number }>`select ${sql.ref(`${table}_id`)} as id from gateway join device using (gateway_id)
    join line using (device_id) where project_id = ${await projectId('p')} order by line_id limit 1`.execute(
    house.database.general,
  )
  return rows[0]?.id ?? 0
}

/** A check that a server began which is gone since. */
async function begunElsewhere(of: { readonly gateway_id?: number; readonly line_id?: number } = {}): Promise<number> {
  const { database } = house
  const project_id = await projectId('p')
  const begun = await insertHealthCheck(
    database,
    {
      row: {
        ...{ project_id, project_name: 'p', gateway_id: null, gateway_name: null, line_id: null, actor: 'anna', due_at: null },
        ...of,
        ...{
          rule_version: '1',
          started_at: new Date(now),
          ended_at: null,
          time_zone: 'UTC',
          from_day: 1,
          to_day: 30,
          lines: 3,
          result: null,
        },
      },
      workId: randomUUID(),
      number: { owner: null, month: '202601' },
      audit: null,
    },
    { server: randomUUID(), clock: () => sql<Date>`${new Date(now)}::timestamptz` },
  )
  return begun?.testId ?? 0
}

test('what a server began that is gone another examines anew, with no line twice', async () => {
  const testId = await begunElsewhere()
  const { general } = house.database
  const [line] = await general.selectFrom('line').select('line_id').orderBy('line_id').limit(1).execute()
  const { project_id } = await general.selectFrom('health_check').select('project_id').executeTakeFirstOrThrow()
  const found = {
    ...{ test_id: testId, project_id, gateway_id: null, line_name: 'l', gateway_name: 'g', score: 1, coverage: 1 },
    found: '{}',
  }
  await general
    .insertInto('health_check_line')
    .values({ ...found, line_id: line?.line_id ?? 0 })
    .execute()
  await general.updateTable('health_check').set({ done: 1 }).execute()
  const { runner } = await serve()
  await runner.look()
  expect(await checks()).toEqual([['p', null, 'running', 3, 1]])
  now += 61_000
  await runner.look()
  await runner.look()
  await runner.settled()
  expect(await checks()).toEqual([['p', null, 'done', 3, 3]])
  expect(await general.selectFrom('health_check_line').select('score').where('score', '=', 1).execute()).toEqual([])
  const works = await general.selectFrom('due_work').select(['kind', 'outcome']).execute()
  expect(works).toEqual([{ kind: 'healthCheck', outcome: 'done' }])
})

test('of what a server began that is gone another examines one after the other', async () => {
  await begunElsewhere()
  await begunElsewhere({ gateway_id: await firstOf('gateway') })
  now += 61_000
  const { runner } = await serve()
  const locker = await house.database.connect()
  await locker.query('begin; lock table health_check_line')
  const waiting = async () => (await locker.query(waitingSql)).rows.length
  await runner.look()
  await runner.look()
  await vi.waitUntil(async () => (await waiting()) > 0)
  // Whatever else would begin has had its time.
  for (let i = 0; i < 50; i++) await house.database.general.selectFrom('health_check').select('state').execute()
  expect(await waiting()).toBe(1)
  await locker.query('rollback').finally(() => locker.end())
  await expect.poll(checks).toEqual([
    ['p', null, 'done', 3, 3],
    ['p', null, 'done', 3, 3],
  ])
})

test('what is to go no further reads no more lines', async () => {
  const { plant } = await serve()
  const client = await house.database.connect()
  const stored: unknown[] = []
  const result = await examLines({
    ...{ client, lines: [...plant.lines.values()], days: { fromDay: 1, toDay: 30, begins: 0, ends: 0 }, now },
    signal: AbortSignal.abort(),
    store: async (found) => stored.push(...found) > 0,
  }).finally(() => client.end())
  expect([result, stored]).toEqual([null, []])
})

test('a server that closes leaves its check to the next, which does not wait for the lease', async () => {
  await begunElsewhere()
  now += 61_000
  const closing = await serve()
  await closing.health.close()
  await closing.runner.look()
  await closing.runner.look()
  await closing.runner.close()
  expect(await checks()).toEqual([['p', null, 'running', 3, 0]])
  const { runner } = await serve()
  await runner.look()
  await runner.settled()
  expect(await checks()).toEqual([['p', null, 'done', 3, 3]])
})

test.each(['gateway', 'line'] as const)('of a %s that stands in another project by now nothing is examined', async (of) => {
  const { general } = house.database
  await begunElsewhere({ [`${of}_id`]: await firstOf(of) })
  await sql`update gateway set project_id = ${await projectId('q')} where gateway_id = ${await firstOf('gateway')}`.execute(
    general,
  )
  now += 61_000
  const { runner } = await serve()
  await runner.look()
  await runner.look()
  await runner.settled()
  expect(await checks()).toEqual([['p', null, 'failed', 3, 0]])
  expect(await general.selectFrom('health_check_line').select('line_id').execute()).toEqual([])
})

test('a server that closes in the midst of the monthly checks begins none of the others', async () => {
  const { health } = await serve()
  const locker = await house.database.connect()
  await locker.query('begin; lock table health_check_line')
  const looking = health.look()
  await vi.waitUntil(async () => (await locker.query(waitingSql)).rows.length > 0)
  const closed = health.close()
  await locker.query('rollback').finally(() => locker.end())
  await Promise.all([looking, closed])
  expect((await checks()).map(([, at, state]) => [at, state])).toEqual([[new Date(first).toISOString(), 'done']])
})

test('numbers run on by owner and month', async () => {
  const { health } = await serve()
  await health.look()
  const rows = await house.database.general.selectFrom('health_check').select('number').orderBy('number').execute()
  expect(rows.map(({ number }) => number)).toEqual(['T202601-0001', 'T202601-0002'])
})

test('the database itself shows a check to whoever sees its project, and to nobody else', async () => {
  const { health } = await serve()
  await health.look()
  const { database } = house
  const [own] = await database.general.selectFrom('health_check').select(['test_id', 'project_id']).execute()
  const scope = (projectIds: number[]) => ({
    ...{ all: false, projectIds, gatewayIds: [], tenant: null, administrator: false, accountId: randomUUID() },
  })
  const seen = (projectIds: number[]) =>
    withRowSecurity(database, scope(projectIds), async ({ general }) => [
      await general.selectFrom('health_check').select('test_id').execute(),
      (await general.selectFrom('health_check_line').select('test_id').execute()).length,
    ])
  expect(await seen([own?.project_id ?? 0])).toEqual([[{ test_id: own?.test_id }], 3])
  expect(await seen([])).toEqual([[], 0])
})
