import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDatabase } from '../store/core/test-database.ts'
import { testDatabase } from '../store/core/test-database.ts'
import { startJobs } from './jobs.ts'

let db: TestDatabase

beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db?.drop())

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
    { database: db.database, clock: Date.now, log: pino({ level: 'silent' }), rawDays: 30, sessionAbsoluteMs: 1 },
  )
  await sql`select graphile_worker.add_job('purge.nothing')`.execute(db.database.general)
  expect(await answered).toEqual([30, [{ one: 1 }]])
  await jobs.close()
})
