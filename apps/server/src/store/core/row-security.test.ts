import { about, aboutAccount, aboutNothing } from '@linewarden/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertAccount } from '../account/account.ts'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import { insertRole } from '../people/role.ts'
import { defaultGroupOf, insertGroup } from '../site/group.ts'
import { insertProject } from '../site/project.ts'
import type { AccessScope } from './row-security.ts'
import { withRowSecurity } from './row-security.ts'
import type { TestDatabase } from './test-database.ts'
import { testDatabase } from './test-database.ts'

/** Two owners with one of everything; the queries here ask for all rows and filter nothing. */
let db: TestDatabase
const scopes: Record<'anna' | 'bert', AccessScope> = { anna: nothing(), bert: nothing() }
const gateways: number[] = []

function nothing(): AccessScope {
  return { all: false, projectIds: [], gatewayIds: [], tenant: null, administrator: false, accountId: null }
}

beforeAll(async () => {
  db = await testDatabase()
  const { database } = db
  const { general } = database
  for (const name of ['anna', 'bert'] as const) {
    const audit = { at: Date.now(), actor: name, address: '', action: 'login', subject: aboutNothing, outcome: 'done' } as const
    const account = { userName: name, nickName: '', roleId: null, passwordHash: 'x', controlHash: null, projectIds: [] }
    const tenant = (await insertAccount(general, { ...account, kind: 'project' }, null)) ?? ''
    await insertAccount(general, { ...account, userName: `${name}-sub`, kind: 'sub', ownerId: tenant }, null)
    await insertRole(general, { number: name, name, ownerId: tenant }, null)
    await insertGroup(database, { name, remark: '', ownerId: tenant, madeBy: tenant }, audit)
    const text = {
      name,
      number: '',
      personInCharge: '',
      contactPhone: '',
      province: '',
      city: '',
      district: '',
      address: '',
      remark: '',
    }
    const project = { ...text, timeZone: 'UTC', currency: 'CNY', standard: 'GB' as const }
    const groupId = await defaultGroupOf(general, tenant)
    const projectId = await insertProject(database, { ...project, groupId, ownerId: tenant, forAccount: null }, audit)
    gateways.push(await insertEquipment(projectId, name))
    await insertEquipment(projectId, `beside ${name}`)
    await appendAudit(general, audit)
    scopes[name] = { ...nothing(), projectIds: [projectId], tenant, administrator: true, accountId: tenant }
  }
})
afterAll(() => db?.drop())

/** A gateway with a device, a line that was operated, and an event. */
async function insertEquipment(projectId: number, name: string): Promise<number> {
  const { general } = db.database
  const { rows } = await sql<{ gateway_id: number }>`
    with g as (insert into gateway (project_id, number, name, secret_hash) values (${projectId}, ${name}, ${name}, 'x') returning gateway_id),
    d as (insert into device (gateway_id, controller_id, name, family, model)
      select gateway_id, ${name}, ${name}, 'smoke', 'x' from g returning device_id),
    l as (insert into line (device_id, line_no, name) select device_id, 1, ${name} from d returning line_id),
    c as (insert into command (command_id, line_id, action, state, actor, source, reason, fence, issued_at, deadline)
      select gen_random_uuid(), line_id, 'trip', 'verified', ${name}, 'console', '', 1, now(), now() from l),
    e as (insert into event (kind, priority, key, label_zh, label_en, project_id, gateway_id, raised_at, stored_at)
      select 'alarm', 'high', ${name}, '', '', ${projectId}, gateway_id, now(), now() from g)
    select gateway_id from g`.execute(general)
  return rows[0]?.gateway_id ?? 0
}

const names: Readonly<Record<string, string>> = {
  project: 'name',
  gateway: 'name',
  device: 'controller_id',
  line: 'name',
  command: 'actor',
  event: 'key',
  city: 'name',
  role: 'name',
  account: 'user_name',
  audit: 'actor',
}

const all = (scope: AccessScope, table: string): Promise<string[]> =>
  withRowSecurity(db.database, scope, async ({ general }) => {
    const column = sql.ref(names[table] ?? '')
    const { rows } = await sql<{ name: string }>`select ${column} as name from ${sql.table(table)}`.execute(general)
    return rows.map(({ name }) => name)
  })

describe.each(Object.keys(names))('a query of %s that forgot its filter', (table) => {
  test("answers one's own rows and nobody else's", async () => {
    for (const [mine, theirs] of [
      ['anna', 'bert'],
      ['bert', 'anna'],
    ] as const) {
      const seen = await all(scopes[mine], table)
      expect(seen.length).toBeGreaterThan(0)
      expect(seen.filter((name) => name.includes(theirs))).toEqual([])
      expect(seen.some((name) => name.includes(mine))).toBe(true)
    }
  })

  test('answers everything to whoever runs the installation', async () => {
    const seen = await all({ ...nothing(), all: true }, table)
    for (const name of ['anna', 'bert']) expect(seen.some((each) => each.includes(name))).toBe(true)
  })
})

test('single gateways show themselves, their project, devices, lines, commands and events, and nothing beside', async () => {
  const scope = { ...nothing(), gatewayIds: [gateways[0] ?? 0], tenant: scopes.anna.tenant }
  for (const table of ['gateway', 'project', 'device', 'line', 'command', 'event'])
    expect([table, await all(scope, table)]).toEqual([table, ['anna']])
})

/** Somebody of Anna's tenant who was given her project, a colleague who was not, and what the log says about both. */
describe('somebody below the administrator', () => {
  const made = { near: '', far: '', shared: '' }
  beforeAll(async () => {
    const { general } = db.database
    const account = { nickName: '', roleId: null, passwordHash: 'x', controlHash: null, ownerId: scopes.anna.tenant }
    const add = async (userName: string, kind: 'sub' | 'shared', projectIds: readonly number[]) =>
      (await insertAccount(general, { ...account, userName, kind, projectIds }, null)) ?? ''
    const text = {
      name: 'far',
      number: '',
      personInCharge: '',
      contactPhone: '',
      province: '',
      city: '',
      district: '',
      address: '',
    }
    const audit = {
      at: Date.now(),
      actor: 'anna',
      address: '',
      action: 'project.add',
      subject: aboutNothing,
      outcome: 'done',
    } as const
    const farGroup = await insertGroup(db.database, { name: 'far', remark: '', ownerId: scopes.anna.tenant, madeBy: null }, audit)
    const far = { ...text, remark: '', timeZone: 'UTC', currency: 'CNY', standard: 'GB' as const, groupId: farGroup }
    const farProject = await insertProject(db.database, { ...far, ownerId: scopes.anna.tenant, forAccount: null }, audit)
    made.near = await add('near', 'sub', scopes.anna.projectIds)
    made.far = await add('far', 'sub', [farProject])
    made.shared = await add('shared', 'shared', scopes.anna.projectIds)
    const [projectId = 0] = scopes.anna.projectIds
    const line = { kind: 'line', id: 'anna/1' } as const
    const entries: readonly Pick<AuditEntry, 'actor' | 'action' | 'subject' | 'target'>[] = [
      { actor: 'anna', action: 'account.edit', subject: aboutAccount('Near'), target: 'near' },
      { actor: 'anna', action: 'account.edit', subject: aboutAccount('far') },
      { actor: 'near', action: 'branding.edit', subject: aboutNothing, target: 'own doing' },
      { actor: 'anna', action: 'project.edit', subject: about('project', projectId) },
      { actor: 'anna', action: 'line.trip', subject: { ...line, gatewayId: gateways[0] ?? 0 } },
      { actor: 'anna', action: 'line.trip', subject: { ...line, gatewayId: 0 }, target: 'elsewhere' },
      // Called like what is seen, and not about it.
      { actor: 'anna', action: 'branding.edit', subject: aboutNothing, target: 'near' },
      // Named by a request that was refused before anybody looked.
      { actor: 'anna', action: 'operateLine', subject: { ...line, claimed: true } },
      { actor: 'anna', action: 'editProject', subject: { ...about('project', projectId), claimed: true } },
      { actor: 'anna', action: 'deleteUser', subject: { ...aboutAccount('near'), claimed: true } },
    ]
    for (const each of entries) await appendAudit(general, { ...audit, address: 'of the log', ...each })
  })
  const near = (): AccessScope => ({ ...scopes.anna, administrator: false, accountId: made.near })
  const targets = (scope: AccessScope) =>
    withRowSecurity(db.database, scope, async ({ general }) => {
      const { rows } = await sql<{
        target: string
      }>`select target from audit where address = 'of the log' order by audit_id`.execute(general)
      return rows.map(({ target }) => target)
    })

  test('sees of the people, groups and log what lies within their own, also where a query forgot its filter', async () => {
    expect((await all(near(), 'account')).toSorted()).toEqual(['anna', 'near', 'shared'])
    expect(await all(near(), 'city')).toEqual(['默认分组'])
    expect(await targets(near())).toEqual(['near', 'own doing', `project ${scopes.anna.projectIds[0]}`, 'anna/1'])
  })

  test('reads its notices of orders while it sees their place, and whoever sees more reads none of them', async () => {
    const [projectId = 0] = scopes.anna.projectIds
    await sql`
      with ordered as (insert into work_order (number, project_id, gateway_id, type, status, title, description, priority, founder_name,
          person_name, created_at, valid_days, reminder_days, working_days_only, clock)
        values ('1', ${projectId}, ${gateways[0]}, 'repair', 'dispatched', '', 'x', 'low', '', '', now(), 7, 1, false, '{}') returning order_id)
      insert into event (kind, priority, key, label_zh, label_en, project_id, gateway_id, raised_at, stored_at, for_account, order_id)
      select 'order', 'low', 'order.notice', '', '', ${projectId}, ${gateways[0]}, now(), now(), ${made.near}, order_id from ordered`.execute(
      db.database.general,
    )
    const reads = async (scope: AccessScope) => (await all(scope, 'event')).filter((key) => key === 'order.notice').length
    expect(await reads(near())).toBe(1)
    expect(await reads({ ...nothing(), gatewayIds: [gateways[0] ?? 0], accountId: made.near })).toBe(1)
    expect(await reads({ ...near(), projectIds: [] })).toBe(0)
    expect(await reads({ ...near(), accountId: made.far })).toBe(0)
    expect(await reads({ ...near(), accountId: null })).toBe(0)
    expect(await reads(scopes.anna)).toBe(0)
    expect(await reads({ ...nothing(), all: true, accountId: made.far })).toBe(0)
    expect(await reads({ ...nothing(), all: true })).toBe(0)
  })

  test('and as a shared account nobody, no role and no entry', async () => {
    const shared: AccessScope = { ...scopes.anna, administrator: false, accountId: null }
    expect(await all(shared, 'account')).toEqual([])
    expect(await all(shared, 'role')).toEqual([])
    expect(await all(shared, 'audit')).toEqual([])
    expect(await all(shared, 'city')).toEqual(['默认分组'])
  })
})

test('nothing is written under it, and no table without a rule is read', async () => {
  const attempt = (query: string) =>
    withRowSecurity(db.database, { ...nothing(), all: true }, ({ general }) => sql.raw(query).execute(general)).then(
      () => 'done',
      (error: { code: string }) => error.code,
    )
  const denied = '42501'
  expect(await attempt("update account set nick_name = 'x'")).toBe(denied)
  expect(await attempt('delete from event')).toBe(denied)
  for (const table of ['session', 'control_grant', 'command_fence', 'gateway_fence', 'latest', 'quarantine'])
    expect([table, await attempt(`select * from ${table}`)]).toEqual([table, denied])
})

test('afterwards the connection is its own again', async () => {
  await all(scopes.anna, 'project')
  const { rows } = await sql<{ role: string }>`select current_user as role`.execute(db.database.general)
  expect(rows[0]?.role).not.toBe('linewarden_seen')
})
