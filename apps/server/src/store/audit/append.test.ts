import { afterAll, beforeAll, expect, test } from 'vitest'
import { endThese } from '../account/session.ts'
import { acknowledge } from '../alarm/acknowledge.ts'
import type { TestDatabase } from '../core/test-database.ts'
import { testDatabase } from '../core/test-database.ts'
import { enrolGateway } from '../site/site.ts'
import type { AuditEntry } from './append.ts'
import { appendAudit } from './append.ts'
import { walkAudit } from './chain.ts'

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
  subject: { kind: 'line', id: 'D/1', gatewayId: 7 },
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

test('what cannot be written into the log does not happen: a gateway let in, a session ended, an alarm acknowledged', async () => {
  const { general } = db.database
  const client = await db.database.connect()
  await client.query(`
    insert into project (city_id, name, time_zone) select city_id, 'p', 'UTC' from city limit 1;
    insert into account (user_name, kind, password_hash) values ('a', 'platform', '');
    insert into gateway (project_id, number, name, secret_hash) select project_id, 'G', 'g', 'former' from project;
    insert into event (kind, priority, key, label_zh, label_en, state, project_id, gateway_id, raised_at, stored_at)
      select 'alarm', 'high', 'k', '', '', 'active', project_id, gateway_id, now(), now() from gateway;
    insert into remember (account_id, handle_hash, created_at, used_at, expires_at, address)
      select account_id, n, now(), now(), now(), '' from account, unnest(array['of the session', 'asleep']) n;
    insert into session (account_id, token, created_at, last_used_at, address, remember_id)
      select account_id, n, now(), now(), '', case n when 'one' then (select min(remember_id) from remember) end
      from account, unnest(array['one', 'another']) n`)
  await client.end()
  const { project_id: projectId } = await general.selectFrom('project').select('project_id').executeTakeFirstOrThrow()
  const { event_id: eventId } = await general.selectFrom('event').select('event_id').executeTakeFirstOrThrow()
  const { session_id } = await general
    .selectFrom('session')
    .select('session_id')
    .where('token', '=', 'one')
    .executeTakeFirstOrThrow()
  const asleep = await general
    .selectFrom('remember')
    .select('remember_id')
    .where('handle_hash', '=', 'asleep')
    .executeTakeFirstOrThrow()
  const gateway = (number: string) => ({ projectId, number, name: 'g', reportingPeriodMs: 10_000 })
  const acts = (audit: AuditEntry) => [
    () => enrolGateway(db.database, gateway('G'), 'new', audit),
    () => enrolGateway(db.database, gateway('G2'), 'new', audit),
    () => endThese(general, { sessionIds: [session_id], rememberIds: [asleep.remember_id] }, audit),
    () => acknowledge(db.database, eventId, audit),
  ]
  const stored = async () => [
    (await general.selectFrom('gateway').select('secret_hash').orderBy('number').execute()).map((row) => row.secret_hash),
    (await general.selectFrom('session').select('token').orderBy('session_id').execute()).map((row) => row.token),
    (await general.selectFrom('remember').select('handle_hash').execute()).length,
    (await general.selectFrom('event').select('state').execute()).map((row) => row.state),
  ]

  for (const act of acts({ ...entry('x'), tenant: 'none' })) await expect(act()).rejects.toThrow('uuid')
  expect(await stored()).toEqual([['former'], ['one', 'another'], 2, ['active']])
  for (const act of acts(entry('done with it'))) await act()
  expect(await stored()).toEqual([['new', 'new'], ['another'], 0, ['acknowledged']])
  const written = await general.selectFrom('audit').select('target').where('target', '=', 'done with it').execute()
  expect(written).toHaveLength(4)
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

test.each([
  ['what it is about', "subject_id = 'D/2'", "subject_id = 'D/1'"],
  ['where it happened', 'gateway_id = 8', 'gateway_id = 7'],
  ['that somebody had looked at what was named', 'claimed = true', 'claimed = false'],
  ['which fields its hash covers', 'chain = 1', 'chain = 2'],
])('of an entry nobody changes unseen %s', async (_, change, back) => {
  const client = await db.database.connect()
  const broken = async (set: string) => {
    await client.query(`update audit set ${set} where audit_id = 4`)
    return (await walkAudit(db.database.general)).firstBroken
  }
  expect(await broken(change)).toBe('4')
  // The one that the test before changed.
  expect(await broken(back)).toBe('5')
  await client.end()
})
