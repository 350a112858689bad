import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { EmbeddedPostgres } from '../embedded/embedded.ts'
import { startEmbeddedPostgres } from '../embedded/embedded.ts'
import { superuser } from '../embedded/roles.ts'

/**
 * Vitest's global set-up: one real PostgreSQL for the whole run, in a folder of its own. With TEST_POSTGRES already set (the settings
 * of `pg` as JSON), that server is used instead: so the same tests run against an external PostgreSQL 15.
 */
export default async function setup(): Promise<() => Promise<void>> {
  if (process.env.TEST_POSTGRES) return async () => {}
  const dataDir = await mkdtemp(join(tmpdir(), 'linewarden-test-'))
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} })
  await makeDatabases(dataDir, server)
  process.env.TEST_POSTGRES = JSON.stringify(server.connection)
  return async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Each test file has a database of its own: here the server's role may make and drop them, also while PostgreSQL tidies up in them. */
async function makeDatabases(dataDir: string, server: EmbeddedPostgres): Promise<void> {
  await writeFile(join(dataDir, 'postgres', 'pg_hba.conf'), 'local all all trust\n')
  process.kill(server.postmasterPid(), 'SIGHUP')
  const client = await connect({ ...server.connection, user: superuser, database: 'postgres' })
  const { user } = server.connection
  await client.query(`alter role ${user} createdb`)
  await client.query(`grant pg_signal_backend, pg_signal_autovacuum_worker to ${user}`)
  await client.end()
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
