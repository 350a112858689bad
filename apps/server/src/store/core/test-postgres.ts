import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Logger, runMigrations } from 'graphile-worker'
import pg from 'pg'
import type { EmbeddedPostgres } from '../embedded/embedded.ts'
import { startEmbeddedPostgres } from '../embedded/embedded.ts'
import { prepareRoles, superuser } from '../embedded/roles.ts'
import { openDatabase } from './database.ts'
import { template } from './test-database.ts'
import { testFolder } from './test-folder.ts'

/**
 * The global set-up of Vitest and of Playwright: one real PostgreSQL for the whole run with a migrated template, in a folder of its own. With
 * TEST_POSTGRES already set (the settings of `pg` as JSON) that throw-away server is used: so the same tests run against PostgreSQL 15. With
 * TEST_TEMPLATE=made as well its template stands, and nobody else's run takes it away meanwhile.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const given = process.env.TEST_POSTGRES
  if (given) {
    if (process.env.TEST_TEMPLATE !== 'made') await makeTemplate(JSON.parse(given))
    return async () => {}
  }
  const { connection, stop } = await startTestPostgres()
  await makeTemplate(connection)
  process.env.TEST_POSTGRES = JSON.stringify(connection)
  return stop
}

/** A PostgreSQL in a folder of its own, with nothing in it yet. */
export async function startTestPostgres(): Promise<{ readonly connection: pg.ClientConfig; stop(): Promise<void> }> {
  const dataDir = await testFolder()
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} })
  await letSuperuserIn(dataDir, server)
  return {
    connection: server.connection,
    async stop() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Each test has a database of its own, which the server's role may not make: only here the superuser is let in beside it. */
async function letSuperuserIn(dataDir: string, server: EmbeddedPostgres): Promise<void> {
  await writeFile(join(dataDir, 'postgres', 'pg_hba.conf'), 'local all all trust\n')
  process.kill(server.postmasterPid(), 'SIGHUP')
}

/** Roles and rights as the embedded server has them (ADR 53), whichever server this is; migrated once, by the server's own role. */
async function makeTemplate(server: pg.ClientConfig): Promise<void> {
  const first = await connect({ ...server, user: superuser, database: 'postgres' })
  // Whatever is in it goes with the run: nothing need survive a cut of the power.
  await first.query('alter system set fsync = off')
  await first.query('alter system set full_page_writes = off')
  // When a table is analysed is no fact about the plant: a plan made by chance in between read a table 100,001 times.
  await first.query('alter system set autovacuum = off')
  // Compiling a query that is asked once takes longer than asking it.
  await first.query('alter system set jit = off')
  await first.query('select pg_reload_conf()')
  await first.end()
  await prepareRoles(server)
  const client = await connect({ ...server, user: superuser, database: 'postgres' })
  await client.query(`drop database if exists ${template}`)
  await client.query(`create database ${template} owner ${server.user}`)
  await client.end()
  const settings = { ...server, database: template }
  await (await openDatabase(settings, () => {})).close()
  const pgPool = new pg.Pool(settings)
  pgPool.on('error', () => {}).on('connect', (each) => each.on('error', () => {}))
  await runMigrations({ pgPool, logger: new Logger(() => () => {}) }).finally(() => pgPool.end())
}

/** Until the rules have been read anew the superuser is refused. */
async function connect(settings: pg.ClientConfig): Promise<pg.Client> {
  for (;;) {
    const client = new pg.Client(settings)
    try {
      await client.connect()
      return client
    } catch (error) {
      if ((error as { code?: string }).code !== '28000') throw error
    }
  }
}
