import { operateLine, Refusal } from '@linewarden/contract'
import type { FastifyRequest } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDatabase } from '../store/test-database.ts'
import { testDatabase } from '../store/test-database.ts'
import { auditRefusals } from './audit-refusals.ts'
import type { Actor } from './context.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db?.drop())

test('refused orders that wait for their turn at the log leave a connection to whoever trips', async () => {
  const writer = await db.database.connect()
  await writer.query("begin; select pg_advisory_xact_lock(hashtext('audit'))")
  const refused = auditRefusals(db.database, Date.now)
  const lines = Array.from({ length: 9 }, (_, LineNo) => ({ ControllerID: 'D', LineNo, attr: 'close' }))
  const written = lines.map((params) =>
    refused(operateLine, { userName: 'a', address: '' } as Actor, { params } as FastifyRequest, new Refusal('access denied')),
  )
  // A trip's lane, while all of them wait.
  await db.database.ping()
  await writer.query('rollback')
  await writer.end()
  await Promise.all(written)
  const rows = await db.database.general.selectFrom('audit').select('target').where('outcome', '=', 'refused').execute()
  expect(rows.map(({ target }) => target).sort()).toEqual(lines.map(({ LineNo }) => `D/${LineNo}`))
})
