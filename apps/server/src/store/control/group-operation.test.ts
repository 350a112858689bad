import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDatabase } from '../core/test-database.ts'
import { testDatabase } from '../core/test-database.ts'
import { sessionNow } from './group-operation.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db?.drop())

test('what closes waits for a sign-out under way, and does not begin after it; a trip waits for none', async () => {
  const client = await db.database.connect()
  try {
    await client.query(`insert into account (user_name, kind, password_hash) values ('a', 'platform', '')`)
    const { rows } = await client.query<{ session_id: string }>(`
      insert into session (account_id, token, created_at, last_used_at, address)
      select account_id, '', now(), now(), '' from account where user_name = 'a' returning session_id`)
    const sessionId = rows[0]?.session_id ?? ''
    const begin = (onlyTrips: boolean) =>
      db.database.control.transaction().execute((trx) => sessionNow(trx, sessionId, onlyTrips))
    expect(await begin(false)).toEqual({ rememberId: null })
    await client.query('begin')
    await client.query('delete from session where session_id = $1', [sessionId])
    const close = begin(false)
    expect(await begin(true)).toEqual({ rememberId: null })
    expect(await waiting()).toBe(1)
    await client.query('commit')
    expect(await close).toBe('over')
    expect(await begin(true)).toEqual({ rememberId: null })
  } finally {
    await client.end()
  }
})

/** How many wait for somebody's lock, once one does. */
async function waiting(): Promise<number> {
  const client = await db.database.connect()
  try {
    for (;;) {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      const count = rows[0]?.count ?? 0
      if (count > 0) return count
    }
  } finally {
    await client.end()
  }
}
