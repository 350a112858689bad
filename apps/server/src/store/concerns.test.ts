import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertAccount } from './account.ts'
import type { SeenByAccount } from './concerns.ts'
import { concerns, mayConcern } from './concerns.ts'
import type { Database } from './database.ts'
import { listJournal } from './journal.ts'
import type { Sight } from './seen-by.ts'
import { asSeenBy } from './seen-by.ts'
import type { TestDatabase } from './test-database.ts'
import { testDatabase } from './test-database.ts'
import { namesWithin } from './user.ts'

/** A log of whatever may stand in one, drawn anew in each run: names in any case, with strokes, of things removed, of nobody. */
let db: TestDatabase
let tree: string
let seen: SeenByAccount
let sight: Sight

const some = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T

beforeAll(async () => {
  db = await testDatabase()
  const { general } = db.database
  const account = { nickName: '', roleId: null, passwordHash: 'x', controlHash: null }
  tree = (await insertAccount(general, { ...account, userName: 'Owner', kind: 'project', projectIds: [] }, null)) ?? ''
  const { rows } = await sql<{ project_id: number; city_id: number; gateway_id: number; number: string }>`
    with p as (insert into project (city_id, owner_id, name, time_zone, standard)
      select city_id, ${tree}::uuid, called, 'UTC', 'GB' from city, unnest(array['here', 'part', 'there']) called
      where owner_id = ${tree}::uuid returning project_id, city_id, name),
    g as (insert into gateway (project_id, number, name, secret_hash) select project_id, each || '/' || name, '', 'x'
      from p, unnest(array['G', 'Ä']) each returning project_id, gateway_id, number),
    d as (insert into device (gateway_id, controller_id, name, family, model)
      select gateway_id, 'D' || replace(number, '/', '-'), '', 'smoke', 'x' from g)
    select g.*, city_id from g join p using (project_id) order by project_id, number`.execute(general)
  const of = (name: string) => rows.filter(({ number }) => number.endsWith(`/${name}`))
  const here = of('here')[0]?.project_id ?? 0
  const part = of('part')[0]?.gateway_id ?? 0
  const group = of('here')[0]?.city_id ?? 0
  const sub = (userName: string, projectIds: number[], gatewayIds: number[]) =>
    insertAccount(general, { ...account, userName, kind: 'sub', ownerId: tree, projectIds, gatewayIds }, null)
  const accountId = (await sub('Near', [here], [part])) ?? ''
  await sub('Bei/Der', [], [part])
  await sub(
    'far',
    [here],
    of('there').map((row) => row.gateway_id),
  )
  // It keeps its project, and what is written of it is still read.
  await sql`update gateway set number = number || '~', removed_at = now() where gateway_id = ${of('here')[1]?.gateway_id ?? 0}`.execute(
    general,
  )

  const within = { projectIds: [here], gatewayIds: [part], privileges: [], buttons: [] }
  seen = { ...within, accountId, names: await namesWithin(db.database, accountId, tree, within), groupIds: [group] }
  sight = { all: false, ...within, tree, administrator: false, accountId }

  const numbers = rows.flatMap(({ number }) => [number, `${number}~`])
  const targets = [
    ...[
      ...numbers,
      ...numbers.map((number) => `D${number.replace('/', '-')}/1`),
      'nobody',
      '',
      '/',
      `Group ${group}`,
      `group ${group}`,
      'group 0',
    ],
    ...['near', 'NEAR', 'bei/der', 'BEI/DER', 'bei', 'far', 'FAR', 'Owner'],
    ...rows.map(({ project_id }) => `project ${project_id}`),
  ]
  const topics = [
    'gateway.rename',
    'line.trip',
    'account.edit',
    'project.edit',
    'group.edit',
    'login',
    'inspection.start',
    'operateLine',
  ]
  const entries = Array.from({ length: 3_000 }, () => ({
    actor: some(['near', 'Near', 'NEAR', 'owner', 'far', 'bei/der']),
    action: some(topics),
    target: some(targets),
    at: new Date(Date.now() + some([-86_400_000, 1_000])),
  }))
  await sql`insert into audit (audit_id, at, actor, address, action, target, outcome, previous_hash, hash, tree)
    select n, at::timestamptz, actor, '', action, target, 'done', '', '', ${tree}::uuid
    from rows from (jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as (actor text, action text, target text, at text))
      with ordinality each (actor, action, target, at, n)`.execute(general)
})
afterAll(() => db?.drop())

const every = { actor: undefined, action: undefined, target: undefined, outcome: undefined, from: undefined, to: undefined }

async function listed(database: Database): Promise<{ ids: string[]; totals: Set<number> }> {
  const ids: string[] = []
  const totals = new Set<number>()
  for (let page = 1; ; page++) {
    const { rows, total } = await listJournal(database, { ...every, tree, about: seen, page, size: 100 })
    ids.push(...rows.map((row) => row.audit_id))
    totals.add(total)
    if (rows.length === 0) return { ids, totals }
  }
}

async function judgedOneByOne(): Promise<string[]> {
  const { rows } = await sql<{
    audit_id: string
  }>`select audit_id from audit where ${concerns(seen)} order by audit_id desc`.execute(db.database.general)
  return rows.map((row) => row.audit_id)
}

test('the index finds every entry that is seen, and the total counts them on every page and behind the last', async () => {
  const expected = await judgedOneByOne()
  expect(expected.length).toBeGreaterThan(100)
  expect(await listed(db.database)).toEqual({ ids: expected, totals: new Set([expected.length]) })
})

test('the wall in the database lets through just what the service asks for', async () => {
  const expected = await judgedOneByOne()
  expect(await asSeenBy(db.database, sight, listed)).toEqual({ ids: expected, totals: new Set([expected.length]) })
})

test('under the wall too the entries are found by their indexes', async () => {
  const plan = await asSeenBy(db.database, sight, async ({ general }) => {
    await sql`set local enable_seqscan = off`.execute(general)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select * from audit where ${mayConcern(seen)}`.execute(general)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toContain('Bitmap Index Scan on audit_actor_key')
  expect(plan).toContain('Bitmap Index Scan on audit_about')
})
