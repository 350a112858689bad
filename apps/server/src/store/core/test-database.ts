import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Database } from './database.ts'
import { openDatabase } from './database.ts'

export interface TestDatabase {
  readonly database: Database
  readonly settings: pg.ClientConfig
  drop(): Promise<void>
}

/** A migrated database of its own on the run's PostgreSQL (test-postgres.ts); `drop` removes it. */
export async function testDatabase(): Promise<TestDatabase> {
  const given = process.env.TEST_POSTGRES
  if (!given) throw new Error('TEST_POSTGRES is not set: run the tests through vitest, whose global set-up starts PostgreSQL')
  const server: pg.ClientConfig = JSON.parse(given)
  const name = `test_${randomBytes(6).toString('hex')}`
  await run(server, `create database ${name}`)
  const settings = { ...server, database: name }
  const database = await openDatabase(settings, () => {})
  return {
    database,
    settings,
    async drop() {
      await database.close()
      await run(server, `drop database ${name} with (force)`)
    },
  }
}

async function run(settings: pg.ClientConfig, sql: string): Promise<void> {
  const client = new pg.Client(settings)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
