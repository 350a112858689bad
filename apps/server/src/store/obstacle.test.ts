import type { ActionKey } from '@linewarden/equipment'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertAccount } from './account.ts'
import { authorise } from './command.ts'
import { removeGateway } from './gateway.ts'
import type { NewChange } from './setting-change.ts'
import { authoriseChanges } from './setting-change.ts'
import type { TestDatabase } from './test-database.ts'
import { testDatabase } from './test-database.ts'

// What the database alone knows against an order, whichever server wrote it.
let db: TestDatabase
let gatewayId = 0
let accountId = ''
const lineIds: number[] = []
const now = Date.now()
const audit = { at: now, actor: 'a', address: '', action: 'line.close', target: '', outcome: 'authorised' } as const

beforeAll(async () => {
  db = await testDatabase()
  const { rows } = await sql<{ gateway_id: number; line_id: number }>`
    with p as (insert into project (city_id, name, time_zone) select min(city_id), 'p', 'UTC' from city returning project_id),
    g as (insert into gateway (project_id, number, name, secret_hash) select project_id, 'G-1', 'g', 'x' from p returning gateway_id),
    d as (insert into device (gateway_id, controller_id, name, family, model) select gateway_id, 'D', 'd', 'breaker3p', '3P' from g returning device_id),
    l as (insert into line (device_id, line_no, name) select device_id, no, 'l' from d, generate_series(1, 6) no returning line_id)
    select gateway_id, line_id from g, l order by line_id`.execute(db.database.general)
  const account = { userName: 'a', nickName: '', roleId: null, passwordHash: 'x', controlHash: null, projectIds: [] }
  accountId = (await insertAccount(db.database.general, { ...account, kind: 'platform' }, null)) ?? ''
  gatewayId = rows[0]?.gateway_id ?? 0
  lineIds.push(...rows.map(({ line_id }) => line_id))
})
afterAll(() => db?.drop())

const line = (index: number) => lineIds[index] ?? 0
const operate = (lineId: number, action: ActionKey) =>
  authorise(
    db.database,
    {
      commandId: crypto.randomUUID(),
      lineId,
      action,
      accountId,
      actor: 'a',
      source: 'console',
      reason: '',
      issuedAt: now,
      deadline: now + 5_000,
      runId: null,
    },
    audit,
  )
const change = (lineId: number | null, source: NewChange['source'] = 'console'): NewChange => ({
  commandId: crypto.randomUUID(),
  batchId: crypto.randomUUID(),
  gatewayId,
  lineId,
  wanted: { 'leakage.trip': 30 },
  former: { 'leakage.trip': 50 },
  accountId: null,
  actor: 'a',
  source,
  reason: '',
  template: null,
  undoes: null,
  offUntil: null,
  issuedAt: now,
  deadline: now + 10_000,
  weakened: [],
  judgedBy: [],
  restores: [],
})
/** How many were saved, and what stopped each of the others. */
const set = async (...changes: readonly NewChange[]) => {
  const { saved, stopped } = await authoriseChanges(db.database, changes, () => [audit])
  return [saved.length, ...[...stopped.values()].map(({ is }) => is)]
}

test('a setting under way stops a close and another setting, and no trip', async () => {
  expect(await set(change(line(0)))).toEqual([1])
  expect(await operate(line(0), 'close')).toEqual({ is: 'busy' })
  expect(await set(change(line(0)))).toEqual([0, 'busy'])
  expect((await operate(line(0), 'trip')).is).toBe('new')
})

test('a close or a trip under way stops a setting, also one that brings a protection back', async () => {
  await operate(line(1), 'close')
  await operate(line(2), 'trip')
  expect(await set(change(line(1)), change(line(2)), change(line(1), 'expiry'))).toEqual([0, 'busy', 'busy', 'busy'])
})

test('a tag and an inspection stop both kinds with what they are; a protection comes back and a sounder is hushed under a tag', async () => {
  await sql`insert into line_tag (tag_id, line_id, kind, holder, reason, placed_at)
    values (gen_random_uuid(), ${line(3)}, 'tag', 'zhang', 'cable', now())`.execute(db.database.general)
  await sql`update line set inspection_until = ${new Date(now + 60_000)} where line_id = ${line(4)}`.execute(db.database.general)
  const tagged = { is: 'held', holds: { tags: [{ holder: 'zhang', reason: 'cable' }] } }
  expect(await operate(line(3), 'close')).toMatchObject(tagged)
  const { stopped } = await authoriseChanges(db.database, [change(line(3))], () => [audit])
  expect([...stopped.values()]).toMatchObject([tagged])
  expect(await operate(line(4), 'close')).toMatchObject({ is: 'held', holds: { inspectionUntil: now + 60_000 } })
  expect(await set(change(line(4)))).toEqual([0, 'held'])
  expect(await set(change(line(3), 'expiry'), change(line(4), 'expiry'))).toEqual([2])
  expect((await operate(line(3), 'trip')).is).toBe('new')
})

test('of a setting and a close in the same moment exactly one is saved', async () => {
  for (let round = 0; round < 20; round++) {
    const [[saved], closed] = await Promise.all([set(change(line(5))), operate(line(5), 'close')])
    expect([saved === 1, closed.is === 'new'].filter(Boolean)).toHaveLength(1)
    await sql`update setting_change set state = 'expired' where line_id = ${line(5)}`.execute(db.database.general)
    await sql`update command set state = 'expired' where line_id = ${line(5)}`.execute(db.database.general)
  }
})

test("a gateway's own settings wait for one another and for no line", async () => {
  expect(await set(change(null))).toEqual([1])
  expect(await set(change(null))).toEqual([0, 'busy'])
})

test('a gateway is not removed while anything is under way on it', async () => {
  const end = (of: 'command' | 'setting_change') =>
    sql`update ${sql.table(of)} set state = 'expired'`.execute(db.database.control)
  const remove = () => removeGateway(db.database, gatewayId, audit)
  await end('command')
  await end('setting_change')
  await set(change(null))
  expect(await remove()).toBe('busy')
  await end('setting_change')
  await operate(line(0), 'trip')
  expect(await remove()).toBe('busy')
  await end('command')
  expect(await remove()).toBe('done')
})
