import {
  addRole,
  addSubAccount,
  allRoles,
  deleteRole,
  editRole,
  editUser,
  listJournal,
  lookupProjects,
  queryRoles,
  rolePermissions,
  snapshot,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import type { TwoOwners } from '../../kit/two-owners.ts'
import { newProject, startTwoOwners, subOf } from '../../kit/two-owners.ts'

let all: TwoOwners
let houseId: number

beforeAll(async () => {
  all = await startTwoOwners()
  houseId = (await newProject(all.anna, '角色项目')).HouseID
})
afterAll(() => all?.close())

const role = (number: string, privileges: string[] = ['devmon', 'devmon.realtime'], buttons: string[] = []) => ({
  Number: number,
  Name: `角色 ${number}`,
  Privileges: privileges,
  Buttons: buttons,
})

test.each([
  ['without a name', { Name: '' }, 'invalid parameter'],
  ['without a number', { Number: ' ' }, 'invalid parameter'],
  ['without a permission', { Privileges: [] }, 'role empty'],
  ['with a permission that there is not', { Privileges: ['devmon', 'everything'] }, 'permission unknown'],
  ['with a button that there is not', { Buttons: ['launch'] }, 'permission unknown'],
])('a role %s is refused', async (_, wrong, message) => {
  expect(await outcomeOf(all.anna.call(addRole, { body: { ...role('R-X'), ...wrong } }))).toBe(message)
})

test('a number belongs to one role of an administrator; another administrator may use it too', async () => {
  await all.anna.call(addRole, { body: role('R-1') })
  expect(await outcomeOf(all.anna.call(addRole, { body: role('r-1') }))).toBe('role exists')
  expect(await outcomeOf(all.bert.call(addRole, { body: role('R-1') }))).toBe('done')
})

test('an administrator finds and changes own roles only; the platform finds all', async () => {
  const { RoleID, Version } = await all.anna.call(addRole, { body: role('R-OWN') })
  const listed = (client: TwoOwners['anna']) =>
    client.call(queryRoles, { body: { Name: 'R-OWN' } }).then(({ items }) => items.map((each) => each.RoleID))
  expect([await listed(all.anna), await listed(all.bert), await listed(all.platform)]).toEqual([[RoleID], [], [RoleID]])
  expect(await outcomeOf(all.bert.call(editRole, { body: { RoleID, ...role('R-OWN'), Version } }))).toBe('role not exists')
  expect(await outcomeOf(all.bert.call(deleteRole, { body: { RoleID } }))).toBe('role not exists')
  expect((await all.bert.call(allRoles)).items.map((each) => each.RoleID)).not.toContain(RoleID)
})

test('the second of two editors is told, if they say what they read', async () => {
  const { RoleID, Version } = await all.anna.call(addRole, { body: role('R-TWO') })
  await all.anna.call(editRole, { body: { RoleID, ...role('R-TWO'), Name: '一', Version } })
  expect(await outcomeOf(all.anna.call(editRole, { body: { RoleID, ...role('R-TWO'), Name: '二', Version } }))).toBe(
    'changed meanwhile',
  )
  expect(await all.anna.call(editRole, { body: { RoleID, ...role('R-TWO'), Name: '三' } })).toMatchObject({
    Version: Version + 2,
  })
})

test('the log says of a role what was added, what it was before and after an edit, and which one was deleted', async () => {
  const made = role('R-LOG', ['devmon.realtime'], ['lineSwitch'])
  const { RoleID, Version } = await all.anna.call(addRole, { body: made })
  await all.anna.call(editRole, { body: { RoleID, ...role('R-LOG', ['devmon']), Version } })
  await all.anna.call(deleteRole, { body: { RoleID } })
  const { items } = await all.anna.call(listJournal, { body: { Action: 'role', Target: `role ${RoleID}` } })
  const read = (text: string | null) => (text === null ? null : JSON.parse(text))
  const before = { number: 'R-LOG', privileges: made.Privileges, buttons: made.Buttons }
  const after = { number: 'R-LOG', privileges: ['devmon'], buttons: [] }
  expect(items.map(({ Action, Before, After }) => [Action, read(Before), read(After)])).toMatchObject([
    ['role.delete', { number: 'R-LOG', name: made.Name }, null],
    ['role.edit', before, after],
    ['role.add', null, before],
  ])
})

test('a role in use cannot be deleted, an unused one can', async () => {
  const { RoleID } = await all.anna.call(addRole, { body: role('R-USED') })
  await all.anna.call(addSubAccount, {
    body: { ...subOf('13700000001'), RoleID, Assigned: { HouseIDs: [houseId], DeviceIDs: [] } },
  })
  await expect(all.anna.call(deleteRole, { body: { RoleID } })).rejects.toMatchObject({
    problem: { failure: { Message: 'role in use', Detail: { count: 1 } } },
  })
  const unused = await all.anna.call(addRole, { body: role('R-UNUSED') })
  expect(await outcomeOf(all.anna.call(deleteRole, { body: { RoleID: unused.RoleID } }))).toBe('done')
})

test('what is taken out of a role is refused at once, without signing in again', async () => {
  const { RoleID, Version } = await all.anna.call(addRole, { body: role('R-TAKE') })
  await all.anna.call(addSubAccount, {
    body: { ...subOf('13700000002'), RoleID, Assigned: { HouseIDs: [houseId], DeviceIDs: [] } },
  })
  const sub = await all.signIn('13700000002')
  expect(await outcomeOf(sub.call(snapshot, { query: {} }))).toBe('done')
  await all.anna.call(editRole, { body: { RoleID, ...role('R-TAKE', ['energy']), Version } })
  expect(await outcomeOf(sub.call(snapshot, { query: {} }))).toBe('access denied')
  expect((await sub.call(lookupProjects, { query: {} })).total).toBe(1)
})

test('nobody gives what goes beyond their own rights', async () => {
  const own = ['system', 'system.roles', 'system.users', 'devmon.realtime']
  const { RoleID } = await all.anna.call(addRole, { body: role('R-CLERK', own) })
  const mighty = await all.anna.call(addRole, { body: role('R-MIGHTY', ['devmon.realtime'], ['lineSwitch']) })
  await all.anna.call(addSubAccount, {
    body: { ...subOf('13700000003'), RoleID, Assigned: { HouseIDs: [houseId], DeviceIDs: [] } },
  })
  const clerk = await all.signIn('13700000003')
  expect(await outcomeOf(clerk.call(addRole, { body: role('R-SMALL', ['devmon.realtime']) }))).toBe('done')
  expect(await outcomeOf(clerk.call(addRole, { body: role('R-BIG', ['devmon.realtime'], ['lineSwitch']) }))).toBe(
    'permission beyond own',
  )
  const { Version } = mighty
  const lesser = { RoleID: mighty.RoleID, ...role('R-MIGHTY', ['devmon.realtime']), Version }
  expect(await outcomeOf(clerk.call(editRole, { body: lesser }))).toBe('permission beyond own')
  expect((await clerk.call(allRoles)).items.map((each) => each.RoleID)).not.toContain(mighty.RoleID)
  const body = { ...subOf('13700000004'), RoleID: mighty.RoleID, Assigned: { HouseIDs: [houseId], DeviceIDs: [] } }
  expect(await outcomeOf(clerk.call(addSubAccount, { body }))).toBe('permission beyond own')
})

test('a sub-user edits no role that somebody beyond their sight has, and is not told how many have it', async () => {
  const elsewhere = (await newProject(all.anna, '别处')).HouseID
  const duties = await all.anna.call(addRole, { body: role('R-ROLES', ['system', 'system.roles', 'devmon.realtime']) })
  const assigned = await all.anna.call(addRole, { body: role('R-HELD', ['devmon.realtime']) })
  const person = (userName: string, RoleID: number, HouseIDs: number[]) =>
    all.anna.call(addSubAccount, { body: { ...subOf(userName), RoleID, Assigned: { HouseIDs, DeviceIDs: [] } } })
  await person('13700000005', duties.RoleID, [houseId])
  await person('13700000006', assigned.RoleID, [houseId])
  const beyond = await person('13700000007', assigned.RoleID, [houseId, elsewhere])
  const clerk = await all.signIn('13700000005')
  const edit = ({ RoleID, Version }: typeof assigned, number: string) =>
    outcomeOf(clerk.call(editRole, { body: { RoleID, ...role(number, ['devmon.realtime']), Name: '改', Version } }))
  expect(await edit(assigned, 'R-HELD')).toBe('role held beyond')
  const [unchanged] = (await all.anna.call(queryRoles, { body: { Name: 'R-HELD' } })).items
  expect(unchanged).toMatchObject({ Version: assigned.Version, Privileges: assigned.Privileges })
  const removal = await clerk.call(deleteRole, { body: { RoleID: assigned.RoleID } }).catch((error: unknown) => error)
  expect(removal).toMatchObject({ problem: { failure: { Message: 'role in use unseen' } } })
  expect(removal).not.toHaveProperty('problem.failure.Detail.count')
  const { AccountID, Version } = beyond
  await all.anna.call(editUser, { body: { AccountID, Version, Assigned: { HouseIDs: [houseId], DeviceIDs: [] } } })
  expect(await edit(assigned, 'R-HELD')).toBe('done')
})

test('the form shows every permission by its label, and which of them may be given', async () => {
  const { Pages, Buttons } = await all.anna.call(rolePermissions)
  expect(Pages.map(({ Name }) => Name.zh)).toEqual(['设备监控', '定时场景', '隐患分析', '能耗统计', '系统管理'])
  expect(Buttons.map(({ Key }) => Key).toSorted()).toEqual([
    'gatewayEnable',
    'lineSwitch',
    'manageScene',
    'manageTiming',
    'tagLines',
  ])
  expect([...Pages, ...Pages.flatMap(({ Subs }) => Subs), ...Buttons].every(({ Mine }) => Mine)).toBe(true)
})
