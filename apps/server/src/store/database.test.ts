import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDatabase } from './test-database.ts'
import { testDatabase } from './test-database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db?.drop())

test('no lane compiles its queries, whatever the server is set to', async () => {
  const ask = sql<{ jit: string }>`show jit`
  const client = await db.database.connect()
  const own = await client.query<{ jit: string }>('show jit')
  await client.end()
  const lanes = await Promise.all([ask.execute(db.database.general), ask.execute(db.database.control)])
  expect([own, ...lanes].map(({ rows }) => rows[0]?.jit)).toEqual(['off', 'off', 'off'])
})
