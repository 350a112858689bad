import type { Client } from '@linewarden/client'
import { md5Hex } from '@linewarden/client'
import {
  addGateway,
  addGroup,
  addProject,
  addRole,
  addSharedAccount,
  addSubAccount,
  deleteGroup,
  deleteUser,
  editGroup,
  editUser,
  listJournal,
  listUsers,
  moveToGroup,
  pages,
  projectsByGroup,
  projectsOfUser,
  queryGroups,
  queryRoles,
  renameGateway,
  reportUsers,
  transferProject,
  userInfo,
} from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import type { TwoOwners } from '../../kit/two-owners.ts'
import { newGateway, newProject, place, startTwoOwners, subOf } from '../../kit/two-owners.ts'

/** People below an administrator: what they see of the tree's other people, roles, groups and log is what lies within their own. */
let all: TwoOwners
let sub: Client
let ours: { HouseID: number; Version: number }
let theirs: { HouseID: number; Version: number }
const groups: Record<'ours' | 'theirs' | 'mixed' | 'empty', number> = { ours: 0, theirs: 0, mixed: 0, empty: 0 }
const people: Record<string, { AccountID: string; Version: number }> = {}

const every = pages.flatMap(({ key, subs }) => [key, ...subs.map((each) => each.key)]).filter((key) => key !== 'energy')
const role = async (name: string, Privileges: string[]) =>
  (await all.anna.call(addRole, { body: { Number: name, Name: name, Privileges, Buttons: [] } })).RoleID

beforeAll(async () => {
  all = await startTwoOwners()
  for (const name of Object.keys(groups) as (keyof typeof groups)[])
    groups[name] = (await all.anna.call(addGroup, { body: { Name: name } })).CityID
  const inGroup = (Name: string, CityID: number) => all.anna.call(addProject, { body: { ...place, Name, CityID } })
  ours = await inGroup('ours', groups.ours)
  theirs = await inGroup('theirs', groups.theirs)
  const mine = await inGroup('ours in a mixed group', groups.mixed)
  await inGroup('theirs in a mixed group', groups.mixed)
  const mighty = await role('mighty', every)
  const duty = await role('duty', ['devmon', 'devmon.realtime'])
  const beyond = await role('beyond', ['energy'])
  type Kind = typeof addSubAccount | typeof addSharedAccount
  const person = async (userName: string, RoleID: number, HouseIDs: number[], kind: Kind = addSubAccount) => {
    const body = { ...subOf(userName), RoleID, Assigned: { HouseIDs, DeviceIDs: [] } }
    people[userName] = await all.anna.call(kind, { body })
  }
  await person('13500000001', mighty, [ours.HouseID, mine.HouseID])
  await person('13500000002', duty, [ours.HouseID])
  await person('13500000003', duty, [ours.HouseID, theirs.HouseID])
  await person('13500000004', duty, [theirs.HouseID])
  await person('13500000005', beyond, [ours.HouseID])
  await person('13500000006', mighty, [ours.HouseID], addSharedAccount)
  sub = await all.signIn('13500000001')
})
afterAll(() => all?.close())

const reachable = ['13500000001', '13500000002', '13500000006']

describe('of the people, a sub-user', () => {
  test('lists and exports those who see and may no more than they do', async () => {
    const { items, total } = await sub.call(listUsers, { body: { Size: 200 } })
    expect([items.map(({ UserName }) => UserName).toSorted(), total]).toEqual([reachable, reachable.length])
    expect((await sub.call(reportUsers, { query: {} })).items).toHaveLength(reachable.length)
    for (const UserName of Object.keys(people))
      expect([UserName, await outcomeOf(sub.call(projectsOfUser, { query: { UserName } }))]).toEqual([
        UserName,
        reachable.includes(UserName) ? 'done' : 'username notexists',
      ])
  })

  test('changes just those: what the list shows and what may be edited is one thing', async () => {
    for (const [userName, { AccountID, Version }] of Object.entries(people).filter(([name]) => name !== '13500000001')) {
      const body = { AccountID, NickName: `${userName} 改`, Version }
      const expected = reachable.includes(userName) ? 'done' : 'permission beyond own'
      expect([userName, await outcomeOf(sub.call(editUser, { body }))]).toEqual([userName, expected])
    }
    const takeOver = { AccountID: people['13500000003']?.AccountID ?? '', PasswordMD5: md5Hex('Taken-Over-1'), Version: 1 }
    expect(await outcomeOf(sub.call(editUser, { body: takeOver }))).toBe('permission beyond own')
  })

  test('loses sight of one who is given more, and has no sight of one who is left with nothing', async () => {
    const gone = await newProject(all.anna, 'soon gone')
    const body = { ...subOf('13500000007'), RoleID: await role('few', ['devmon']) }
    const Assigned = { HouseIDs: [ours.HouseID, gone.HouseID], DeviceIDs: [] }
    const made = await all.anna.call(addSubAccount, { body: { ...body, Assigned } })
    const listed = async () => (await sub.call(listUsers, { body: { UserName: '13500000007' } })).total
    expect(await listed()).toBe(0)
    const only = { HouseIDs: [ours.HouseID], DeviceIDs: [] }
    await all.anna.call(editUser, { body: { AccountID: made.AccountID, Version: made.Version, Assigned: only } })
    expect(await listed()).toBe(1)
    const none = { HouseIDs: [gone.HouseID], DeviceIDs: [] }
    await all.anna.call(editUser, { body: { AccountID: made.AccountID, Version: made.Version + 1, Assigned: none } })
    await all.platform.call(transferProject, { body: { HouseID: gone.HouseID, UserName: '13900000002', Version: gone.Version } })
    expect(await listed()).toBe(0)
    expect(await outcomeOf(sub.call(deleteUser, { body: { AccountID: made.AccountID } }))).toBe('permission beyond own')
  })

  test('lists the roles that allow nothing beyond their own', async () => {
    const { items, total } = await sub.call(queryRoles, { body: { Size: 200 } })
    const numbers = items.map((each) => each.Number)
    expect([numbers.includes('duty'), numbers.includes('beyond'), total]).toEqual([true, false, numbers.length])
  })
})

describe('of the groups, a sub-user', () => {
  test('lists those that hold a project of theirs, and counts only these', async () => {
    const { items, total } = await sub.call(queryGroups, { body: { Size: 200 } })
    expect([items.map(({ Name, HouseCount }) => [Name, HouseCount]), total]).toEqual([
      [
        ['ours', 1],
        ['mixed', 1],
      ],
      2,
    ])
    expect((await sub.call(projectsByGroup)).items.map(({ Name }) => Name)).toEqual(['ours', 'mixed'])
  })

  test('renames and deletes only those whose every project is theirs', async () => {
    const rename = (CityID: number, Name: string) => outcomeOf(sub.call(editGroup, { body: { CityID, Name, Version: 1 } }))
    expect([await rename(groups.ours, 'ours, renamed'), await rename(groups.mixed, 'x')]).toEqual([
      'done',
      'permission beyond own',
    ])
    for (const CityID of [groups.theirs, groups.empty]) {
      expect(await rename(CityID, 'x')).toBe('group not exists')
      expect(await outcomeOf(sub.call(deleteGroup, { params: { CityID } }))).toBe('group not exists')
    }
    expect(await outcomeOf(sub.call(deleteGroup, { params: { CityID: groups.mixed } }))).toBe('permission beyond own')
  })

  test('sees one they made while it is empty, and deletes it; once it holds what they do not see, it is gone for them', async () => {
    const own = await sub.call(addGroup, { body: { Name: 'made by the sub-user' } })
    const listed = async () => (await sub.call(queryGroups, { body: { Name: 'made by' } })).total
    expect(await listed()).toBe(1)
    await all.anna.call(moveToGroup, { body: { CityID: own.CityID, HouseIDs: [theirs.HouseID] } })
    expect(await listed()).toBe(0)
    await all.anna.call(moveToGroup, { body: { CityID: groups.theirs, HouseIDs: [theirs.HouseID] } })
    expect(await outcomeOf(sub.call(deleteGroup, { params: { CityID: own.CityID } }))).toBe('done')
  })

  test('moves a project into none that they do not see', async () => {
    const to = { CityID: groups.theirs }
    const move = sub.call(moveToGroup, { body: { ...to, HouseIDs: [ours.HouseID] } })
    expect(await outcomeOf(move)).toBe('group not exists')
    const transfer = sub.call(transferProject, { body: { ...to, HouseID: ours.HouseID, Version: ours.Version } })
    expect(await outcomeOf(transfer)).toBe('group not exists')
    expect(await outcomeOf(sub.call(addProject, { body: { ...place, Name: 'x', ...to } }))).toBe('group not exists')
  })
})

describe('of the log, a sub-user', () => {
  const read = (client: Client, more: object = {}) => client.call(listJournal, { body: { Size: 200, ...more } })

  test('reads their own entries and those about what they see, and no others', async () => {
    const [here, there] = [
      await all.anna.call(addGateway, { body: { HouseID: ours.HouseID, ...newGateway('LOG-1') } }),
      await all.anna.call(addGateway, { body: { HouseID: theirs.HouseID, ...newGateway('LOG-2') } }),
    ]
    for (const { Gateway } of [here, there]) {
      const params = { DeviceID: Gateway.DeviceID }
      await all.anna.call(renameGateway, { params, body: { Name: '改', Version: 1 } })
    }

    const { items, total } = await read(sub)
    expect(total).toBe(items.length)
    const about = (action: string) => items.filter(({ Action }) => Action === action).map(({ Target }) => Target)
    expect(about('gateway.rename')).toEqual(['LOG-1'])
    expect(about('project.add')).toContain(`project ${ours.HouseID}`)
    expect(about('project.add')).not.toContain(`project ${theirs.HouseID}`)
    const targets = new Set(items.map(({ Target }) => Target))
    for (const userName of ['13500000003', '13500000004', '13500000005']) expect(targets.has(userName)).toBe(false)
    expect(about('login')).toEqual(['13500000001'])
    expect(about('account.edit')).toContain('13500000002')
    // Their own, whatever it was about.
    expect(items.filter(({ Actor }) => Actor === '13500000001').map(({ Action }) => Action)).toContain('group.delete')
    expect((await read(all.anna)).total).toBeGreaterThan(total)
  })

  test('finds nothing of the others by searching', async () => {
    expect((await read(sub, { Target: '13500000004' })).total).toBe(0)
    expect((await read(all.anna, { Target: '13500000004' })).total).toBeGreaterThan(0)
  })
})

test('a shared account has none of these pages in its menu', async () => {
  const shared = await all.signIn('13500000006')
  const { Roles } = await shared.call(userInfo)
  const names = Roles.Privileges.flatMap(({ Subs }) => Subs.map(({ Name }) => Name))
  expect(names).toContain('项目管理')
  for (const name of ['分组管理', '角色管理', '用户管理', '系统日志']) expect(names).not.toContain(name)
})
