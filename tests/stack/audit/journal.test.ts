import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { md5Hex } from '@linewarden/client'
import {
  addGateway,
  addGroup,
  addRole,
  addSubAccount,
  editGroup,
  editUser,
  enableGateway,
  getRun,
  listJournal,
  projectDetails,
  renameLine,
  startRun,
  transferGateways,
  transferProject,
  updateLine,
  userInfo,
  verifyJournal,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { signedIn } from '../../kit/stack.ts'
import type { TwoOwners } from '../../kit/two-owners.ts'
import { newGateway, newProject, startTwoOwners, subOf } from '../../kit/two-owners.ts'

let all: TwoOwners
let copy: string
let ahead = 0
const now = () => Date.now() + ahead

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'linewarden-audit-'))
  all = await startTwoOwners({
    clock: now,
    fleet: { now },
    env: { LINEWARDEN_AUDIT_COPY: copy },
    expects: /departs from its copy/,
  })
})
afterAll(async () => {
  await all?.close()
  await rm(copy, { recursive: true, force: true })
})

const read = (client: TwoOwners['anna'], body: object = {}) => client.call(listJournal, { body: { Size: 200, ...body } })

async function query<Row>(text: string): Promise<Row[]> {
  const client = await all.stack.server.database.connect()
  return client
    .query(text)
    .then(({ rows }) => rows as Row[])
    .finally(() => client.end())
}

test('who did what is told with what was before and after, in both languages', async () => {
  const { CityID, Version } = await all.anna.call(addGroup, { body: { Name: '旧名' } })
  await all.anna.call(editGroup, { body: { CityID, Name: '新名', Version } })
  const [entry] = (await read(all.anna, { Action: 'group.edit' })).items
  expect(entry).toMatchObject({
    Actor: '13900000001',
    Outcome: 'done',
    Label: { zh: '编辑分组', en: 'Edit group' },
    Target: `group ${CityID}`,
  })
  expect([JSON.parse(entry?.Before ?? ''), JSON.parse(entry?.After ?? '')]).toMatchObject([{ name: '旧名' }, { name: '新名' }])
})

test('is found by actor, by the beginning of the action, by time, page by page', async () => {
  const from = Date.now()
  for (const Name of ['一', '二', '三']) await all.anna.call(addGroup, { body: { Name } })
  const found = await read(all.anna, { Actor: '139', Action: 'group', From: from, Size: 2, Page: 1 })
  expect([found.total, found.items.map(({ Target }) => Target)]).toEqual([3, ['三', '二']])
  expect((await read(all.anna, { Action: 'gro' })).total).toBe(0)
  expect((await read(all.anna, { To: 1_000 })).total).toBe(0)
  expect((await read(all.anna, { Outcome: 'refused' })).total).toBe(0)
})

test('an administrator reads of their own people and nobody else; the platform reads all', async () => {
  await all.bert.call(addGroup, { body: { Name: '伯特的' } })
  const project = await newProject(all.bert, '伯特项目')
  const { RoleID } = await all.bert.call(addRole, {
    body: { Number: 'r', Name: 'r', Privileges: ['devmon'], Buttons: [] },
  })
  const body = { ...subOf('13500000001'), RoleID, Assigned: { HouseIDs: [project.HouseID], DeviceIDs: [] } }
  await all.bert.call(addSubAccount, { body })
  await outcomeOf(signedIn(all.stack.url, { userName: '13500000001', password: 'wrong' }))
  await all.signIn('13500000001')
  const actors = async (client: TwoOwners['anna']) => new Set((await read(client)).items.map(({ Actor }) => Actor))
  expect(await actors(all.bert)).toEqual(new Set(['13900000002', '13500000001']))
  expect(await actors(all.anna)).toEqual(new Set(['13900000001']))
  expect([...(await actors(all.platform))]).toEqual(expect.arrayContaining(['system', 'admin', '13900000001', '13500000001']))
  const failed = await read(all.bert, { Action: 'login', Outcome: 'refused' })
  expect(failed.items).toMatchObject([{ Actor: '13500000001', Address: '127.0.0.1' }])
})

test("what the platform and the system do to somebody's plant stands in their log, and in nobody else's", async () => {
  const { platform, anna, bert } = all
  const [hers, his] = [await newProject(anna, '安娜项目'), await newProject(bert, '伯特的第二个项目')]
  const { Gateway } = await anna.call(addGateway, { body: { HouseID: hers.HouseID, ...newGateway('GW-ANNA') } })
  const { DeviceID } = Gateway
  const { RoleID } = await anna.call(addRole, { body: { Number: 'log', Name: '日志', Privileges: ['system.log'], Buttons: [] } })
  const Assigned = { HouseIDs: [hers.HouseID], DeviceIDs: [] }
  const sub = await anna.call(addSubAccount, { body: { ...subOf('13500000002'), RoleID, Assigned } })
  const byPlatform = async (client: TwoOwners['anna']) =>
    (await read(client, { Actor: 'admin' })).items.map(({ Action, Target }) => `${Action} ${Target}`)
  const before = await byPlatform(bert)

  await platform.call(enableGateway, { params: { DeviceID }, body: { Enabled: false } })
  const { AccountID, Version } = sub
  await platform.call(editUser, { body: { AccountID, Version, PasswordMD5: md5Hex('Pass-13500000002-7') } })
  expect(await outcomeOf(platform.call(renameLine, { params: { DeviceID, LineID: 1 }, body: { LineName: '泵' } }))).toBe(
    'line not exists',
  )
  const acts = [`renameLine ${DeviceID}`, 'account.password 13500000002', 'gateway.disable GW-ANNA']
  expect(await byPlatform(anna)).toEqual(acts)
  // A sub-user reads of it what is about what they see, and of refusals nothing.
  expect(await byPlatform(await all.signIn('13500000002'))).toEqual(acts.slice(1))

  // Of what goes from one to the other each reads their own half.
  await platform.call(transferGateways, { body: { DeviceIDs: [DeviceID], HouseID: his.HouseID } })
  const moved = async (client: TwoOwners['anna']) =>
    (await read(client, { Action: 'gateway.transfer' })).items.map(({ Before, After }) =>
      [Before, After].map((each) => JSON.parse(each ?? 'null')),
    )
  expect([await moved(anna), await moved(bert)]).toEqual([
    [[{ projectId: hers.HouseID }, null]],
    [[null, { projectId: his.HouseID }]],
  ])
  expect(await byPlatform(bert)).toEqual(['gateway.transfer GW-ANNA', ...before])

  // The plant with the fleet becomes hers: of a group of lines she reads of her own.
  const HouseID = all.stack.server.plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
  const { Version: version } = await platform.call(projectDetails, { params: { HouseID } })
  await platform.call(transferProject, { body: { HouseID, UserName: '13900000001', Version: version } })
  const RunID = crypto.randomUUID()
  const Lines = ['A-T1', 'B-T1'].map((ControllerID) => ({ ControllerID, LineNo: 1 }))
  await platform.call(startRun, { body: { RunID, Action: 'trip', Lines, Reason: 'test' } })
  await vi.waitFor(async () => expect((await platform.call(getRun, { params: { RunID } })).EndedAt).not.toBeNull())
  expect((await byPlatform(anna)).slice(0, -acts.length).toSorted()).toEqual(
    ['gateway.transfer GW-ANNA', `line.trip A-T1/1`, `project.transfer project ${HouseID}`, `run.trip ${RunID}`].toSorted(),
  )
  const [operation] = (await read(anna, { Action: 'run.trip' })).items
  expect(JSON.parse(operation?.After ?? '')).toEqual({ lines: ['A-T1/1'], reason: 'test' })

  // A protection that comes back by itself.
  const line = { ControllerID: 'A-T1', LineNo: 7 }
  const Settings = [{ Key: 'leakage.trip', Value: 500 }]
  const order = { CommandID: crypto.randomUUID(), Reason: 'test', OffUntil: now() + 65_000 }
  await anna.call(updateLine, { body: { ...line, Settings, ...order } })
  const reported = () => all.stack.server.plant.lineAt('A-T1', 7)?.reported.get('leakage.trip')
  await vi.waitFor(() => expect(reported()).toBe(500))
  ahead += 66_000
  await vi.waitFor(async () => {
    const { items } = await read(anna, { Action: 'setting.expiry' })
    expect(items).toMatchObject([{ Actor: 'system', Target: 'A-T1/7' }])
  })
  expect((await read(bert, { Actor: 'system' })).total).toBe(0)
})

test('things stand there by the names that they have now, as far as the reader sees them, and are found by them', async () => {
  const { CityID, Version } = await all.anna.call(addGroup, { body: { Name: '东区' } })
  await all.anna.call(editGroup, { body: { CityID, Name: '西区', Version } })
  const house = await newProject(all.anna, '水泵房')
  const { RoleID } = await all.anna.call(addRole, { body: { Number: 'n', Name: '夜班', Privileges: ['devmon'], Buttons: [] } })
  const labels = async (client: TwoOwners['anna'], Target: string) =>
    (await read(client, { Target })).items.map(({ TargetLabel }) => TargetLabel)
  const of = (zh: string, en: string, name: string) => ({ zh: `${zh} · ${name}`, en: `${en} · ${name}` })
  const project = of(`项目 ${house.HouseID}`, `Project ${house.HouseID}`, '水泵房')
  const group = of(`分组 ${CityID}`, `Group ${CityID}`, '西区')
  const role = of(`角色 ${RoleID}`, `Role ${RoleID}`, '夜班')
  expect(await labels(all.anna, '泵房')).toEqual([project])
  // As it is shown, in either language.
  expect(await labels(all.anna, project.zh)).toEqual([project])
  expect(await labels(all.anna, project.en)).toEqual([project])
  // Also the entry that made it, under another name.
  expect(await labels(all.anna, '西区')).toEqual([group, group])
  expect(await labels(all.anna, '夜班')).toEqual([role])
  expect(await labels(all.bert, '泵房')).toEqual([])
  expect(await labels(all.platform, '夜班')).toEqual([role])
  const names = async (Target?: string) => (await read(all.anna, Target === undefined ? {} : { Target })).about.Names
  expect([await names(), await names('泵房'), await names('泵')]).toEqual(['all', 'all', 'short'])

  // Whoever gave it away keeps the entries, and does not read what others call it from now on.
  await all.platform.call(transferProject, { body: { HouseID: house.HouseID, UserName: '13900000002', Version: house.Version } })
  expect(await labels(all.anna, '泵房')).toEqual([])
  const bare = { zh: `项目 ${house.HouseID}`, en: `Project ${house.HouseID}` }
  expect(await labels(all.anna, bare.zh)).toContainEqual(bare)
})

test('no password, hash or secret is in it', async () => {
  const rows = await query<{ text: string }>('select row_to_json(audit)::text as text from audit')
  const text = rows.map((row) => row.text).join('\n')
  expect(text).not.toMatch(/argon2|secretHash|passwordHash|secret_hash|password_hash/)
})

test('the chain holds; an entry that somebody changed behind our back is found', async () => {
  const before = await all.platform.call(verifyJournal)
  expect(before.FirstBroken).toBeNull()
  expect(before.Entries).toBeGreaterThan(10)
  await all.stack.server.auditCopy.pass()
  expect((await all.platform.call(verifyJournal)).Copy).toMatchObject({ First: '1', DepartsAt: null, BrokenAt: null })
  expect(await outcomeOf(all.anna.call(verifyJournal))).toBe('access denied')
  await all.stack.server.refused.flush()
  await all.stack.server.auditCopy.pass()
  await query('alter table audit disable trigger audit_append_only')
  // Hiding an entry from an administrator by moving it out of their tenant is a change too.
  await query('update audit set tree = null where audit_id = (select min(audit_id) from audit where tree is not null)')
  const rows = await query<{ id: string }>("select min(audit_id)::text as id from audit where actor = '13900000001'")
  expect((await all.platform.call(verifyJournal)).FirstBroken).toBe(rows[0]?.id)

  const last = (await query<{ id: string }>('select max(audit_id)::text as id from audit'))[0]?.id
  await query(`update audit set hash = 'another' where audit_id = ${last}`)
  await all.stack.server.auditCopy.pass()
  expect((await all.platform.call(verifyJournal)).Copy?.DepartsAt).toBe(last)
  expect((await all.platform.call(userInfo)).Exposures).toMatchObject([{ Kind: 'auditCopy' }])
  expect((await all.anna.call(userInfo)).Exposures).toEqual([])
})
