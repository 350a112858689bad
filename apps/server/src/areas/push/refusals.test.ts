import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { turnAtLog } from '../../store/audit/append.ts'
import type { TestDatabase } from '../../store/core/test-database.ts'
import { testDatabase } from '../../store/core/test-database.ts'
import { createRefusals } from './refusals.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
  const client = await db.database.connect()
  await client.query(`
    insert into project (city_id, name, time_zone) select city_id, 'p', 'UTC' from city limit 1;
    insert into push (project_id, platform, name, secret, reporting_period_ms)
      select project_id, 'onenet', 'push ' || nth, '', 60000 from project, generate_series(1, 30) nth`)
  await client.end()
})
afterAll(() => {
  vi.useRealTimers()
  return db?.drop()
})

let refusals: ReturnType<typeof createRefusals>
beforeEach(() => {
  // Flushed when a test says so.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  refusals = createRefusals({ database: db.database, clock: () => Date.UTC(2026, 0, 15), log: pino({ enabled: false }) })
})

const wrong = (pushId: number, address: string) =>
  refusals.note({ pushId, projectId: 1, tenant: null, platform: 'onenet', key: 'push signature wrong', address })
const old = (pushId: number, address: string) =>
  refusals.note({ pushId, projectId: 1, tenant: null, platform: 'onenet', key: 'push too old', address })
const written = async (pushId: number) => {
  const rows = await db.database.general
    .selectFrom('audit')
    .select(['address', 'after', 'outcome'])
    .where('target', '=', `project 1 push ${pushId}`)
    .orderBy('audit_id')
    .execute()
  return rows.map(({ address, after, outcome }) => [address, after, outcome])
}
const countedOf = async (pushId: number) => {
  const { refused } = await db.database.general
    .selectFrom('push')
    .select('refused')
    .where('push_id', '=', pushId)
    .executeTakeFirstOrThrow()
  return Number(refused)
}

test('strangers from ever new addresses write one line, and one more with how many they were', async () => {
  for (let i = 1; i <= 100; i++) await wrong(1, `2001:db8:${i.toString(16)}::1`)
  const why = 'push signature wrong'
  expect(await written(1)).toEqual([['2001:db8:1::1', { why }, 'refused']])
  // Whoever has the secret is told apart by where they are.
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.1']) await old(1, address)
  expect((await written(1)).slice(1).map(([address]) => address)).toEqual(['192.0.2.1', '192.0.2.2'])
  await refusals.close()
  expect((await written(1)).slice(3)).toEqual([
    ['2001:db8:64::1', { why, more: 99 }, 'refused'],
    ['192.0.2.1', { why: 'push too old', more: 1 }, 'refused'],
  ])
  expect(await countedOf(1)).toBe(103)
})

test('a count that cannot be written keeps back neither the other counts nor the log', async () => {
  // More than a number of a subscription can be.
  const none = 2 ** 40
  for (const pushId of [none, 2]) for (const _ of [1, 2]) await wrong(pushId, '192.0.2.1')
  await expect(refusals.flush(true)).rejects.toThrow('out of range')
  expect(await countedOf(2)).toBe(2)
  for (const pushId of [none, 2])
    expect((await written(pushId)).map(([, after]) => after)).toEqual([
      { why: 'push signature wrong' },
      { why: 'push signature wrong', more: 1 },
    ])
  await refusals.close()
})

test('however many subscriptions are pushed to wrongly at once, who waits at the log leaves the lane open to others', async () => {
  const all = Array.from({ length: 30 }, (_, i) => i + 1)
  let noted: Promise<unknown> = Promise.resolve()
  await db.database.control.transaction().execute(async (trx) => {
    await turnAtLog(trx)
    noted = Promise.all(all.map((pushId) => wrong(pushId, '192.0.2.9')))
    await Promise.all([1, 2, 3, 4].map(() => db.database.general.selectFrom('project').select('name').executeTakeFirstOrThrow()))
  })
  await noted
  expect(await written(30)).toHaveLength(1)
  await refusals.close()
})
