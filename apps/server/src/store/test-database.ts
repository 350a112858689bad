import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Database } from './database.ts'
import { openDatabase } from './database.ts'
import { startEmbeddedPostgres } from './embedded/embedded.ts'

/** A migrated database of its own for one test file, on one PostgreSQL per test process; `drop` removes it. */
export async function testDatabase(): Promise<{ database: Database; settings: pg.ClientConfig; drop(): Promise<void> }> {
  const server = await sharedServer()
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

let started: Promise<pg.ClientConfig> | null = null

function sharedServer(): Promise<pg.ClientConfig> {
  started ??= start()
  return started
}

async function start(): Promise<pg.ClientConfig> {
  // One PostgreSQL for the whole run when the test script started one; else our own, adopted again by the next run.
  const given = process.env.TEST_DATABASE_URL
  if (given) return { connectionString: given }
  const dataDir = join(tmpdir(), `linewarden-test-${process.pid}`)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} })
  return server.connection
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
