import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from './embedded/embedded.ts'

/**
 * Vitest's global set-up: one real PostgreSQL for the whole run, in a folder of its own. With TEST_POSTGRES already set (the settings
 * of `pg` as JSON), that server is used instead: so the same tests run against an external PostgreSQL 15.
 */
export default async function setup(): Promise<() => Promise<void>> {
  if (process.env.TEST_POSTGRES) return async () => {}
  const dataDir = await mkdtemp(join(tmpdir(), 'linewarden-test-'))
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} })
  process.env.TEST_POSTGRES = JSON.stringify(server.connection)
  return async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
