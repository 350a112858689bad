import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TestDatabase } from '../../store/core/test-database.ts'
import { testDatabase } from '../../store/core/test-database.ts'
import { QuarantineBook } from './quarantine-book.ts'

let made: TestDatabase
let now = Date.UTC(2026, 0, 15, 8)
let book: QuarantineBook

beforeEach(async () => {
  made = await testDatabase()
  book = new QuarantineBook({ database: made.database, clock: () => now, log: pino({ level: 'silent' }) })
})
afterEach(() => made.drop())

const add = (topic: string) => book.add({ number: null, topic, reason: 'json', detail: '', payload: new Uint8Array(), at: now })
const kept = async () =>
  (await made.database.general.selectFrom('quarantine').select('topic').orderBy('quarantine_id').execute()).map(
    ({ topic }) => topic,
  )

test('what comes while a statement runs is written with the next, at once', async () => {
  const other = await made.database.connect()
  await other.query('begin; lock table quarantine')
  void add('first')
  await vi.waitFor(async () => {
    const { rows } = await sql`select from pg_locks where relation = 'quarantine'::regclass and not granted`.execute(
      made.database.general,
    )
    expect(rows).toHaveLength(1)
  })
  void add('second')
  const written = book.written()
  await other.query('commit')
  await other.end()
  await written
  expect(await kept()).toEqual(['first', 'second'])
})

test('what the database refuses keeps nothing else from being written, and after a minute it is only counted', async () => {
  await sql`alter table quarantine add constraint no_bad check (topic <> 'bad')`.execute(made.database.general)
  let counted = false
  const bad = add('bad').then(() => {
    counted = true
  })
  await add('good')
  expect(await kept()).toEqual(['good'])
  now += 59_999
  await book.writeCounts()
  expect(counted).toBe(false)
  now += 1
  await book.writeCounts()
  await bad
  const { general } = made.database
  const rows = await general.selectFrom('quarantine').select(['topic', 'reason', 'messages']).orderBy('quarantine_id').execute()
  expect(rows).toEqual([
    { topic: 'good', reason: 'json', messages: 1 },
    { topic: '', reason: 'over_limit', messages: 1 },
  ])
})
