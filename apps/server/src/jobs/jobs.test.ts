import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { TestDatabase } from '../store/core/test-database.ts'
import { testDatabase } from '../store/core/test-database.ts'
import { superuser } from '../store/embedded/roles.ts'
import { startJobs } from './jobs.ts'

const quiet = { clock: Date.now, log: pino({ level: 'silent' }), rawDays: 30, sessionAbsoluteMs: 1 }
const retrying = { timeout: 50_000, interval: 20 }
let db: TestDatabase
/** Of the same PostgreSQL, whatever its database lets in. */
let beside: pg.Client

beforeAll(async () => {
  db = await testDatabase()
  beside = new pg.Client({ ...db.settings, user: superuser, database: 'postgres' })
  await beside.connect()
})
afterAll(async () => {
  await beside?.end()
  await db?.drop()
})

/** Whether the database takes connections; where it does not, those that it has break off. */
async function takesConnections(does: boolean): Promise<void> {
  await beside.query(`alter database ${db.settings.database} with allow_connections ${does}`)
  if (!does)
    await beside.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [db.settings.database])
}

test('the queue does what a job says, with a connection of its own', async () => {
  const { promise: answered, resolve } = Promise.withResolvers<unknown>()
  const jobs = await startJobs(
    [
      {
        task: 'purge.nothing',
        match: '0 0 1 1 *',
        run: ({ withClient, rawDays }) =>
          withClient(async (client) => resolve([rawDays, (await client.query('select 1 as one')).rows])),
      },
    ],
    { database: db.database, ...quiet },
  )
  await sql`select graphile_worker.add_job('purge.nothing')`.execute(db.database.general)
  expect(await answered).toEqual([30, [{ one: 1 }]])
  await jobs.close()
})

test('what begins at a start is begun then, goes on while there is more, and is begun again when somebody asks', async () => {
  let done = 0
  const { promise: idle, resolve } = Promise.withResolvers<void>()
  const run = async () => {
    done += 1
    if (done < 3) return 'more' as const
    resolve()
  }
  const never = { match: '0 0 1 1 *' } as const
  let others = 0
  const jobs = await startJobs(
    [
      { task: 'bit.by.bit', ...never, atStart: true, run },
      { task: 'at.its.time', ...never, run: async () => void others++ },
    ],
    { database: db.database, ...quiet },
  )
  await idle
  await jobs.begin('bit.by.bit')
  await vi.waitFor(() => expect(done).toBe(4), retrying)
  await jobs.close()
  expect([done, others]).toEqual([4, 0])
})

test('a queue that was begun while the database was away starts when it is back, and outlives that it goes again', async () => {
  let done = 0
  const counting = { task: 'count', match: '0 0 1 1 *', run: async () => void done++ }
  const queued = sql<{ n: number }>`select count(*)::int as n from graphile_worker.jobs where task_identifier = 'count'`
  // What is done is taken from the queue by a statement of its own: a database that goes before that keeps it.
  const isDone = async () => (await queued.execute(db.database.general)).rows[0]?.n === 0
  await takesConnections(false)
  const jobs = await startJobs([counting], { database: db.database, ...quiet })
  for (const times of [1, 2]) {
    await takesConnections(true)
    await vi.waitFor(() => sql`select graphile_worker.add_job('count')`.execute(db.database.general), retrying)
    await vi.waitFor(async () => expect([done, await isDone()]).toEqual([times, true]), retrying)
    await takesConnections(false)
  }
  await takesConnections(true)
  await jobs.close()
}, 240_000)
