import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isDatabaseAway } from './database-away.ts'
import type { TestDatabase } from './test-database.ts'
import { testDatabase } from './test-database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.drop())

const failureOf = async (work: Promise<unknown>): Promise<unknown> => work.then(() => null).catch((error) => error)

test('a connection that is lost within a transaction fails its next query, which says so, and ends nothing else', async () => {
  const failure = await failureOf(
    db.database.control.transaction().execute(async (trx) => {
      const { pid } = await trx.selectNoFrom((eb) => eb.fn<number>('pg_backend_pid', []).as('pid')).executeTakeFirstOrThrow()
      const other = await db.database.connect()
      await other.query('select pg_terminate_backend($1)', [pid])
      const isThere = async () => (await other.query('select 1 from pg_stat_activity where pid = $1', [pid])).rowCount !== 0
      while (await isThere()) {}
      await other.end()
      // What the server said last has come when the next round of events is over.
      await new Promise((resolve) => setImmediate(resolve))
      await trx.selectFrom('account').selectAll().execute()
    }),
  )
  expect(isDatabaseAway(failure)).toBe(true)
  await db.database.ping()
})

test('a server that is not there is away', async () => {
  for (const settings of [
    { ...db.settings, host: '/nowhere' },
    { ...db.settings, host: '127.0.0.1', port: 1 },
  ])
    expect(isDatabaseAway(await failureOf(new pg.Client(settings).connect()))).toBe(true)
})

test('a server whose name nobody knows any more is away, as that of a container that was stopped', () => {
  for (const code of ['ENOTFOUND', 'EAI_AGAIN', 'ENETDOWN', 'EHOSTDOWN'])
    expect(isDatabaseAway(Object.assign(new Error('getaddrinfo or connect'), { code })), code).toBe(true)
})

test('a server that only reads, ended an idle connection or was closed by us is away', async () => {
  const client = await db.database.connect()
  await client.query('set default_transaction_read_only = on')
  expect(isDatabaseAway(await failureOf(client.query('create table no_place (id int)')))).toBe(true)
  await client.end()
  expect(isDatabaseAway(await failureOf(client.query('select 1')))).toBe(true)

  const idle = await db.database.connect()
  const ended = new Promise((resolve) => idle.once('error', resolve))
  await idle.query("set idle_session_timeout = '1ms'")
  expect(isDatabaseAway(await ended)).toBe(true)
})

test('a question that the database answers with an error is not taken for a database that is away', async () => {
  const client = await db.database.connect()
  expect(isDatabaseAway(await failureOf(client.query('select nothing from nowhere')))).toBe(false)
  await client.end()
  expect(isDatabaseAway(Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' }))).toBe(false)
  expect(isDatabaseAway(new Error('a bug'))).toBe(false)
  expect(isDatabaseAway('a bug')).toBe(false)
})
