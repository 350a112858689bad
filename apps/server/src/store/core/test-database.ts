import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { superuser } from '../embedded/roles.ts'
import type { Database } from './database.ts'
import { openDatabase } from './database.ts'

/** What every test's database is a copy of: migrated, and nothing in it. */
export const template = 'linewarden_template'

export interface TestDatabase {
  readonly database: Database
  readonly settings: pg.ClientConfig
  drop(): Promise<void>
}

/** A database of the run's PostgreSQL, owned by the server's role, as the embedded one is. */
interface OwnDatabase {
  readonly settings: pg.ClientConfig
  /** For DATABASE_URL. */
  readonly url: string
  drop(): Promise<void>
}

/** A migrated database of its own on the run's PostgreSQL (test-postgres.ts); `drop` removes it. */
export async function testDatabase(): Promise<TestDatabase> {
  const { settings, drop } = await ownDatabase()
  const database = await openDatabase(settings, () => {})
  return {
    database,
    settings,
    async drop() {
      await database.close()
      await drop()
    },
  }
}

/** The same without a connection, for whoever opens it as the server does. `from`: another than the migrated one, such as `template0`. */
export async function ownDatabase(from = template): Promise<OwnDatabase> {
  const given = process.env.TEST_POSTGRES
  if (!given) throw new Error('TEST_POSTGRES is not set: the global set-up of Vitest and of Playwright starts PostgreSQL')
  const server: pg.ClientConfig = JSON.parse(given)
  const name = `test_${randomBytes(6).toString('hex')}`
  // Without the write-ahead log, which the default writes all of it to: a third of the time.
  await run(server, `create database ${name} template ${from} strategy file_copy owner ${server.user}`)
  return {
    settings: { ...server, database: name },
    url: `postgres://${server.user}@localhost/${name}?host=${encodeURIComponent(server.host ?? '')}&port=${server.port}`,
    drop: () => run(server, `drop database if exists ${name} with (force)`),
  }
}

let superusers: Promise<pg.Client> | null = null

/** The server's role owns databases and makes none. One connection of each process stays for it: a new one takes longer than what it is for. */
async function run(server: pg.ClientConfig, sql: string): Promise<void> {
  superusers ??= connectAsSuperuser(server)
  await (await superusers).query(sql)
}

async function connectAsSuperuser(server: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...server, user: superuser, database: 'postgres' })
  // At the end of the run the server may go first.
  client.on('error', () => {
    superusers = null
  })
  await client.connect()
  // It keeps no process alive, which the types of `pg` do not know of.
  ;(client as unknown as { unref(): void }).unref()
  return client
}
