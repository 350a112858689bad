import type { Call } from '@linewarden/contract'
import {
  addAdministrator,
  addSharedAccount,
  addSubAccount,
  allCalls,
  editUser,
  operateLine,
  Refusal,
  refusalLogged,
  refusedAction,
  transferGateways,
  transferProject,
} from '@linewarden/contract'
import type { FastifyRequest } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../access/actor.ts'
import type { Plant } from '../plant/plant.ts'
import type { TestDatabase } from '../store/core/test-database.ts'
import { testDatabase } from '../store/core/test-database.ts'
import { loadPlant } from '../store/plant/plant.ts'
import { auditRefusals } from './audit-refusals.ts'
import { toldFields } from './told-fields.ts'

let db: TestDatabase
let plant: Plant
/** Two owners, each with a project and a gateway of their own; the installation has the third. */
const anna = '00000000-0000-4000-8000-00000000000a'
const bert = '00000000-0000-4000-8000-00000000000b'

beforeAll(async () => {
  db = await testDatabase()
  const client = await db.database.connect()
  await client.query(`
    insert into account (account_id, user_name, kind, password_hash)
      values ('${anna}', 'anna', 'project', ''), ('${bert}', 'bert', 'project', '');
    insert into project (city_id, owner_id, name, time_zone)
      select (select city_id from city limit 1), owner, 'p', 'UTC' from unnest(array['${anna}', '${bert}', null]::uuid[]) owner;
    insert into gateway (project_id, number, name, secret_hash) select project_id, 'g' || project_id, 'g', '' from project`)
  await client.end()
  plant = await loadPlant(db.database)
})
afterAll(() => db?.drop())

const refused = (call: Call, actor: Partial<Actor>, request: { params?: object; body?: object }) =>
  auditRefusals({ database: db.database, plant, clock: Date.now })(
    call,
    { userName: 'a', address: '', tree: null, ...actor } as Actor,
    request as FastifyRequest,
    new Refusal('access denied'),
  )
const platform = { platform: true }
const last = () =>
  db.database.general.selectFrom('audit').selectAll().orderBy('audit_id', 'desc').limit(1).executeTakeFirstOrThrow()

const logged = allCalls.filter(refusalLogged)
const named = logged.map((call) => [call.name, call] as const)

/** Fields that are never told, and why. */
const keptBack: Readonly<Record<string, string>> = {
  Password: 'a password',
  PasswordMD5: 'a password',
  OldPasswordMD5: 'a password',
  ControlPassword: 'a password',
  AesKey: 'a key',
  Token: "a detector's own key",
  Grant: "good for once, and nobody else's business",
  Logo: 'a picture',
  Photo: 'a picture',
  Type: 'of a picture',
  Data: 'a picture',
  Manifest: 'a file',
  Signature: 'of a file',
  Bytes: 'a file',
}

/** The names of all fields, at every depth. */
function* fieldsIn(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return
  const { properties } = schema as { properties?: object }
  if (properties && !Array.isArray(schema)) yield* Object.keys(properties)
  for (const each of Object.values(schema)) yield* fieldsIn(each)
}
const fields = new Set(logged.flatMap(({ params, body }) => [...fieldsIn(params), ...fieldsIn(body)]))

test('of every field that a refused call may have it is decided whether the log tells it', () => {
  expect([...fields].filter((field) => !toldFields.includes(field)).toSorted()).toEqual(Object.keys(keptBack).toSorted())
  expect(toldFields.filter((field) => !fields.has(field))).toEqual([])
  expect(new Set(toldFields).size).toBe(toldFields.length)
})

test.each(named)('nothing that is kept back, and nothing that no call has, gets into the log by %s', async (_, call) => {
  const secret = 'never-to-be-told'
  const secrets = Object.fromEntries([...Object.keys(keptBack), 'Pasword', 'token', 'constructor'].map((key) => [key, secret]))
  const deeper = {
    ...secrets,
    Reason: 'told',
    Assigned: { ...secrets, Password: [secret] },
    Rows: [secrets],
    Name: { ...secrets },
  }
  await refused(call, platform, { params: { ...secrets }, body: { ...deeper, Lines: [deeper], Settings: deeper } })
  const entry = await last()
  expect(entry).toMatchObject({ action: refusedAction(call), outcome: 'refused' })
  expect(JSON.stringify(entry)).toContain('told')
  expect(JSON.stringify(entry)).not.toContain(secret)
})

test.each([
  ['an account', { AccountID: bert, NickName: 'B' }, bert],
  ['an account that is to be made', { UserName: '13800000001', RoleID: 3 }, '13800000001'],
  ['a role', { RoleID: 3, Number: 'r', Name: 'Role' }, 'role 3'],
  ['a role that is to be made', { Number: 'r', Name: 'Role' }, 'r'],
  ['a group', { CityID: 4, Name: 'Group' }, 'group 4'],
  ['a group that is to be made', { Name: 'Group' }, 'Group'],
  ['a project', { HouseID: 5, Name: 'Project' }, '5'],
  ['a push', { HouseID: 5, PushID: 6, Name: 'Push' }, 'project 5 push 6'],
  ['a template', { TemplateID: 7, Name: 'Template' }, 'template 7'],
  ['an event', { EventID: '8' }, '8'],
  ['several events', { EventIDs: ['8', '9'] }, '8 9'],
])('%s that was named stands in the log as what it was about', async (_, body, target) => {
  await refused(editUser, {}, { body })
  expect(await last()).toMatchObject({ target })
})

test('what the platform was refused stands in the log of whose thing it was, if it was the thing of one', async () => {
  const ids = [...plant.gateways.keys()].toSorted((a, b) => a - b)
  const treeOf = async (body: object, actor: Partial<Actor> = platform, call: Call = transferGateways) => {
    await refused(call, actor, { body })
    return (await last()).tree
  }
  expect(await treeOf({ DeviceID: ids[0] })).toBe(anna)
  expect(await treeOf({ DeviceIDs: [ids[0]], AccountID: anna })).toBe(anna)
  expect(await treeOf({ DeviceIDs: [ids[0], ids[1]] })).toBeNull()
  expect(await treeOf({ DeviceIDs: [ids[0]], OwnerID: bert })).toBeNull()
  expect(await treeOf({ DeviceIDs: [ids[0], ids[2]] })).toBeNull()
  expect(await treeOf({ RoleID: 99, DeviceID: 99_999, AccountID: 'x', UserName: 'a\0', constructor: 1 })).toBeNull()
  // A project goes to whoever has that name. Who is to be made with a name that somebody has is a stranger to them.
  expect(await treeOf({ UserName: 'Anna' }, platform, transferProject)).toBe(anna)
  for (const call of [addAdministrator, addSubAccount, addSharedAccount]) {
    expect(await treeOf({ UserName: 'anna', NickName: '甲' }, platform, call)).toBeNull()
    expect(await treeOf({ UserName: 'anna', Assigned: { DeviceIDs: [ids[0]] }, OwnerID: 'x' }, platform, call)).toBeNull()
    expect(await treeOf({ UserName: 'anna', OwnerID: bert }, platform, call)).toBe(bert)
  }
  // Of somebody else it is not even looked for.
  expect(await treeOf({ DeviceID: ids[0] }, { platform: false, tree: bert })).toBe(bert)
})

test('refused orders that wait for their turn at the log leave a connection to whoever trips', async () => {
  const writer = await db.database.connect()
  await writer.query("begin; select pg_advisory_xact_lock(hashtext('audit'))")
  const lines = Array.from({ length: 9 }, (_, LineNo) => ({ ControllerID: 'D', LineNo, attr: 'close' }))
  const written = lines.map((params) => refused(operateLine, {}, { params }))
  // A trip's lane, while all of them wait.
  await db.database.ping()
  await writer.query('rollback')
  await writer.end()
  await Promise.all(written)
  const rows = await db.database.general.selectFrom('audit').select('target').where('target', 'like', 'D/%').execute()
  expect(rows.map(({ target }) => target).sort()).toEqual(lines.map(({ LineNo }) => `D/${LineNo}`))
})
