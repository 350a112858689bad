import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { jobsOf } from '../../built-areas.ts'
import { readConfig } from '../../config.ts'
import { startJobs } from '../../jobs/jobs.ts'
import { serverAreas } from '../../server-areas.ts'
import { openDatabase, overmighty } from '../core/database.ts'
import { withRowSecurity } from '../core/row-security.ts'
import { postgresPrograms } from './binaries.ts'
import { clusterToCopy, copyCluster } from './copied-cluster.ts'
import type { EmbeddedPostgres } from './embedded.ts'
import { startEmbeddedPostgres } from './embedded.ts'
import { launcherFor, runProgram } from './launcher.ts'
import { superuser } from './roles.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const folder = async (): Promise<string> => {
  const made = await mkdtemp(join(tmpdir(), 'lw-roles-'))
  closers.push(() => rm(made, { recursive: true, force: true }))
  return made
}

let original: Awaited<ReturnType<typeof clusterToCopy>>
let older: string
beforeAll(async () => {
  original = await clusterToCopy()
  older = await mkdtemp(join(tmpdir(), 'lw-older-'))
  await makeOlderCluster(older)
})
afterAll(async () => {
  await original?.close()
  await rm(older, { recursive: true, force: true })
})

const start = async (dataDir: string): Promise<EmbeddedPostgres> => {
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} })
  closers.push(() => server.stop())
  return server
}

async function rows(connection: pg.ClientConfig, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    let last: unknown[] = []
    for (const statement of statements) last = (await client.query(statement)).rows
    return last
  } finally {
    await client.end()
  }
}

const rights = `select rolname as role, rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as mighty
  from pg_roles where rolname !~ '^pg_' order by 1`
const prepared = [
  { role: 'linewarden', mighty: false },
  { role: superuser, mighty: true },
  { role: 'linewarden_seen', mighty: false },
]

describe('the server works as a role that owns its database and no more', () => {
  test('which cannot silence the triggers of the log, and is the only one let in', async () => {
    const dataDir = await folder()
    const { connection } = await start(dataDir)
    expect(await rows(connection, rights)).toEqual(prepared)
    await expect(rows(connection, 'set session_replication_role = replica')).rejects.toMatchObject({ code: '42501' })
    await expect(rows(connection, `copy (select 1) to program 'true'`)).rejects.toMatchObject({ code: '42501' })
    await vi.waitFor(() =>
      expect(rows({ ...connection, user: superuser, database: 'postgres' }, 'select 1')).rejects.toMatchObject({ code: '28000' }),
    )
    await expect(rows({ ...connection, database: 'postgres' }, 'select 1')).rejects.toMatchObject({ code: '28000' })
    for (const file of ['pg_hba.conf', 'postgresql.conf'])
      expect((await stat(join(dataDir, 'postgres', file))).mode & 0o077).toBe(0)
    const rules = await readFile(join(dataDir, 'postgres', 'pg_hba.conf'), 'utf8')
    expect(rules.split('\n').filter((line) => line.startsWith('host'))).toEqual([
      'host all all all reject',
      'host replication all all reject',
    ])
  })

  test('also when somebody changed who may connect, and when a start ended before the rules took effect', async () => {
    const dataDir = await folder()
    original.into(dataDir)
    const first = await start(dataDir)
    await rows(first.connection, 'create table kept as select 7 as value')
    await first.stop()
    const rules = join(dataDir, 'postgres', 'pg_hba.conf')
    const before = await readFile(rules, 'utf8')
    await writeFile(rules, `local all all trust\n`)
    await appendFile(rules, before)
    const { connection } = await start(dataDir)
    expect(await readFile(rules, 'utf8')).toBe(before)
    expect(await rows(connection, 'select value from kept')).toEqual([{ value: 7 }])
    await vi.waitFor(() =>
      expect(rows({ ...connection, user: superuser, database: 'postgres' }, 'select 1')).rejects.toMatchObject({ code: '28000' }),
    )
  })
})

test('whoever may do more than the server needs is told apart', async () => {
  const dataDir = await folder()
  original.into(dataDir)
  const server = await start(dataDir)
  await writeFile(join(dataDir, 'postgres', 'pg_hba.conf'), 'local all all trust\n')
  process.kill(server.postmasterPid(), 'SIGHUP')
  const found = async (user: string) => {
    const database = await openDatabase({ ...server.connection, user }, () => {})
    return overmighty(database).finally(() => database.close())
  }
  expect(await found('linewarden')).toBeNull()
  await vi.waitFor(async () => expect(await found(superuser)).toMatch(/superuser.*超级用户/))
})

/** A cluster as versions before made it: the superuser is `linewarden`, owns everything, and everybody on the socket is let in. */
async function makeOlderCluster(dataDir: string): Promise<void> {
  const programs = await postgresPrograms()
  await runProgram(
    launcherFor(dataDir, programs),
    join(programs, 'initdb'),
    ['-D', 'postgres', '-U', 'linewarden', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    dataDir,
  )
  const { connection, stop } = await startOlder(dataDir)
  await rows({ ...connection, database: 'postgres' }, 'create database linewarden')
  const database = await openDatabase(connection, () => {})
  const { rawDays, sessionAbsoluteMs } = readConfig({ LINEWARDEN_DATA: dataDir })
  const quiet = { clock: Date.now, log: pino({ level: 'silent' }), rawDays, sessionAbsoluteMs }
  await (await startJobs(jobsOf(Object.values(serverAreas)), { database, ...quiet })).close()
  await database.general.insertInto('city').values({ name: 'kept', owner_id: null }).execute()
  await database.close()
  await rows(
    connection,
    "create type own_kind as enum ('a')",
    'create sequence own_numbers',
    'create view own_view as select 1 as one',
  )
  await stop()
}

async function startOlder(dataDir: string): Promise<{ connection: pg.ClientConfig; stop: () => Promise<void> }> {
  const programs = await postgresPrograms()
  const launcher = launcherFor(dataDir, programs)
  const cluster = join(dataDir, 'postgres')
  const socket = await mkdtemp(join(tmpdir(), 'lw-old-'))
  closers.push(() => rm(socket, { recursive: true, force: true }))
  await writeFile(
    join(cluster, 'postgresql.conf'),
    `listen_addresses = ''\nunix_socket_directories = '${socket}'\nunix_socket_permissions = '0700'\n`,
  )
  const control = (...words: string[]) => runProgram(launcher, join(programs, 'pg_ctl'), [...words, '-w', '-D', '.'], cluster)
  await control('start', '-l', '../postgres.log')
  return {
    connection: { host: socket, port: 5432, user: 'linewarden', database: 'linewarden' },
    stop: () => control('stop', '-m', 'fast'),
  }
}

/** A copy of it that runs, with what an interrupted start has left in it. */
async function olderCluster(
  dataDir: string,
  leave: readonly (readonly [user: string, sql: string])[],
): Promise<() => Promise<void>> {
  copyCluster(older, dataDir)
  const { connection, stop } = await startOlder(dataDir)
  for (const [user, sql] of leave) await rows({ ...connection, user, database: 'postgres' }, sql)
  return stop
}

const deputy = ['linewarden', 'create role linewarden_deputy superuser login'] as const
const renamed = ['linewarden_deputy', `alter role linewarden rename to ${superuser}`] as const

describe('a database in which an older version worked as the superuser', () => {
  test('and which was left running is brought over with all that is in it', async () => {
    const dataDir = await folder()
    await olderCluster(dataDir, [])
    await bringsOver(dataDir)
  })

  const begun = [deputy, renamed, [superuser, 'create role linewarden login'] as const]
  test.each([1, 2, 3])('is brought over also when an earlier start ended after step %i', async (steps) => {
    const dataDir = await folder()
    const stop = await olderCluster(dataDir, begun.slice(0, steps))
    await stop()
    await bringsOver(dataDir)
  })
})

async function bringsOver(dataDir: string): Promise<void> {
  const { connection } = await start(dataDir)
  expect(await rows(connection, rights)).toEqual(prepared)
  expect(
    await rows(
      connection,
      `select 'database' as thing, datname::text as name from pg_database where datname = current_database() and datdba = 10
       union all select 'table', relname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
         where relowner = 10 and nspname !~ '^pg_' and nspname <> 'information_schema'
       union all select 'type', typname from pg_type join pg_namespace on pg_namespace.oid = typnamespace
         where typowner = 10 and nspname !~ '^pg_' and nspname <> 'information_schema'
       union all select 'routine', proname from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
         where proowner = 10 and nspname !~ '^pg_' and nspname <> 'information_schema'
       union all select 'collation', collname from pg_collation join pg_namespace on pg_namespace.oid = collnamespace
         where collowner = 10 and nspname <> 'pg_catalog'
       union all select 'schema', nspname from pg_namespace
         where nspowner = 10 and nspname !~ '^pg_' and nspname <> 'information_schema'`,
    ),
  ).toEqual([])
  const database = await openDatabase(connection, () => {})
  closers.push(() => database.close())
  const scope = { all: true, projectIds: [], gatewayIds: [], tenant: null, administrator: true, accountId: null }
  const seen = await withRowSecurity(database, scope, ({ general }) => general.selectFrom('city').select('name').execute())
  expect(seen).toContainEqual({ name: 'kept' })
}
