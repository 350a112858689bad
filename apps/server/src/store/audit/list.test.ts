import { about, aboutAccount, aboutNothing } from '@linewarden/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertAccount } from '../account/account.ts'
import type { TestDatabase } from '../core/test-database.ts'
import { testDatabase } from '../core/test-database.ts'
import type { PartialScope } from '../people/user.ts'
import { namesWithin } from '../people/user.ts'
import type { AuditEntry } from './append.ts'
import { appendAudit } from './append.ts'
import { listJournal } from './list.ts'

/** The log as it is read where the database has no second wall: the service's own filter must do alone. */
let db: TestDatabase
let tenant: string
let near: string
let within: PartialScope
const longAgo = Date.now() - 86_400_000

const write = (action: AuditEntry['action'], target: string, subject: AuditEntry['subject'], more: Partial<AuditEntry> = {}) =>
  appendAudit(db.database.general, {
    ...{ at: Date.now() + 1_000, actor: 'owner', address: '', action, target, subject, outcome: 'done', tenant },
    ...more,
  })

beforeAll(async () => {
  db = await testDatabase()
  const { general } = db.database
  const account = { nickName: '', roleId: null, passwordHash: 'x', controlHash: null, projectIds: [] as number[] }
  tenant = (await insertAccount(general, { ...account, userName: 'owner', kind: 'project' }, null)) ?? ''
  const { rows } = await sql<{ project_id: number }>`
    with p as (insert into project (city_id, owner_id, name, time_zone, standard)
      select city_id, ${tenant}::uuid, called, 'UTC', 'GB' from city, unnest(array['here', 'there']) called where owner_id = ${tenant}::uuid
      returning project_id, name),
    g as (insert into gateway (project_id, number, name, secret_hash) select project_id, 'G-' || name, '', 'x' from p
      returning gateway_id, number),
    d as (insert into device (gateway_id, controller_id, name, family, model) select gateway_id, 'D' || number, '', 'smoke', 'x' from g)
    select project_id from p order by name`.execute(general)
  const [here = 0, there = 0] = rows.map((row) => row.project_id)
  const placed = await general.selectFrom('gateway').select(['gateway_id', 'number']).execute()
  const at = (number: string) => placed.find((each) => each.number === number)?.gateway_id ?? 0
  const sub = (userName: string, projectIds: number[]) =>
    insertAccount(general, { ...account, userName, kind: 'sub', ownerId: tenant, projectIds }, null)
  near = (await sub('Near', [here])) ?? ''
  await sub('beside', [here])
  await sub('far', [here, there])
  await sub('idle', [])
  within = { projectIds: [here], gatewayIds: [], privileges: [], buttons: [] }

  await write('template.add', 'of their own', aboutNothing, { actor: 'near' })
  for (const name of ['near', 'BESIDE', 'far', 'idle']) await write('account.edit', name, aboutAccount(name))
  for (const id of [here, there]) await write('project.edit', `project ${id}`, about('project', id))
  for (const id of [7, 8]) await write('group.edit', `group ${id}`, about('group', id))
  for (const number of ['G-here', 'G-there'])
    await write('gateway.rename', number, { kind: 'gateway', id: number, gatewayId: at(number) })
  for (const number of ['G-here', 'G-there'])
    await write('line.trip', `D${number}/0`, { kind: 'line', id: `D${number}/0`, gatewayId: at(number) })
  // A template may be called like a gateway, and what was refused may name anything.
  await write('template.add', 'G-here', aboutNothing)
  await write('operateLine', 'DG-here/0', { kind: 'line', id: 'DG-here/0', claimed: true }, { outcome: 'refused' })
  // Somebody who was called so before.
  await write('account.edit', 'beside', aboutAccount('beside'), { at: longAgo })
  await write('template.add', 'of the former', aboutNothing, { actor: 'near', at: longAgo })
})
afterAll(() => db?.drop())

async function read(about: boolean, more: object = {}): Promise<{ targets: string[]; total: number }> {
  const names = await namesWithin(db.database, near, tenant, within)
  const { projectIds, gatewayIds } = within
  const { rows, total } = await listJournal(db.database, {
    ...{ tenant, actor: undefined, action: undefined, target: undefined, outcome: undefined, from: undefined, to: undefined },
    ...{ page: 1, size: 100 },
    about: about ? { accountId: near, names, projectIds, gatewayIds, groupIds: [7] } : null,
    ...more,
  })
  return { targets: rows.map(({ target }) => target).reverse(), total }
}

test('below the administrator: the own entries, and those about what is seen, by what the action is about', async () => {
  const expected = ['of their own', 'near', 'BESIDE', `project ${within.projectIds[0]}`, 'group 7', 'G-here', 'DG-here/0']
  expect(await read(true)).toEqual({ targets: expected, total: expected.length })
})

test('a page of them counts only them', async () => {
  expect(await read(true, { size: 2, page: 2 })).toEqual({
    targets: ['group 7', `project ${within.projectIds[0]}`].reverse(),
    total: 7,
  })
})

test('the administrator reads all of it', async () => {
  expect((await read(false)).total).toBe(17)
})
