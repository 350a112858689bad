import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditEntry } from './audit.ts'
import { appendAudit, walkAudit } from './audit.ts'
import type { TestDatabase } from './test-database.ts'
import { testDatabase } from './test-database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db?.drop())

const entry = (target: string): AuditEntry => ({
  at: 1_700_000_000_000,
  actor: 'a',
  address: '::1',
  action: 'line.trip',
  target,
  after: { b: 1, a: [null, '中'] },
  outcome: 'done',
})

test('entries made at once stand one after the other in an unbroken chain', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, i) => appendAudit(db.database.control, entry(`D/${i}`))))
  expect((await walkAudit(db.database.general)).firstBroken).toBeNull()
})

test('an entry of a transaction that was rolled back is not there, and breaks nothing', async () => {
  const failing = db.database.control.transaction().execute(async (trx) => {
    await appendAudit(trx, entry('never'))
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  await appendAudit(db.database.control, entry('after'))
  expect((await walkAudit(db.database.general)).firstBroken).toBeNull()
})

test.each(['update audit set outcome = $$x$$', 'delete from audit', 'truncate audit'])('%s is refused', async (sql) => {
  const client = await db.database.connect()
  await expect(client.query(sql)).rejects.toThrow('append-only')
  await client.end()
})

test('a row that was changed behind the back of the triggers is found', async () => {
  const client = await db.database.connect()
  await client.query('alter table audit disable trigger audit_append_only')
  await client.query("update audit set actor = 'somebody else' where audit_id = 5")
  await client.end()
  expect((await walkAudit(db.database.general)).firstBroken).toBe('5')
})
