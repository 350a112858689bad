import type { Client } from '@linewarden/client'
import { md5Hex } from '@linewarden/client'
import {
  addAdministrator,
  addGateway,
  addSharedAccount,
  addSubAccount,
  deleteUser,
  editUser,
  gatewaysSharedWithMe,
  listGateways,
  listUsers,
  ownGateways,
  projectsOfUser,
  renameGateway,
  reportUsers,
  setLanguage,
  transferGateways,
  transferProject,
  tree,
  userInfo,
} from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Duty } from '../../kit/duty.ts'
import { startDuty } from '../../kit/duty.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { signedIn } from '../../kit/stack.ts'
import { newGateway, newProject, subOf } from '../../kit/two-owners.ts'

let all: Duty

beforeAll(async () => {
  all = await startDuty()
})
afterAll(() => all?.close())

const signInWith = (userName: string, password: string) => signedIn(all.stack.url, { userName, password })

describe('a sub-account', () => {
  test('is made with a role and something to see, and signs in', async () => {
    const made = await all.add('13600000001', { Sex: 'female', Email: 'a@b.cn', JobName: '电工' })
    expect(made).toMatchObject({
      Kind: 'sub',
      RoleName: '值班',
      Sex: 'female',
      JobName: '电工',
      OwnerName: '13900000001',
      ControlPwd: false,
    })
    const sub = await all.signIn('13600000001')
    expect(await sub.call(userInfo)).toMatchObject({ UserName: '13600000001', RoleName: '值班' })
    expect((await sub.call(tree, { query: {} })).Groups.flatMap(({ Houses }) => Houses.map(({ Name }) => Name))).toEqual([
      '用户项目',
    ])
  })

  test.each(['', '12600000001', '1360000000', 'anna'])('cannot be called %j', async (name) => {
    expect(await outcomeOf(all.add(name))).toBe('username invalid')
  })

  test('is spoken to as whoever adds it, unless that says otherwise', async () => {
    const languageOf = async (userName: string) => (await (await all.signIn(userName)).call(userInfo)).Language
    await all.add('13600000006')
    await all.add('13600000007', { Language: 'EN' })
    await all.anna.call(setLanguage, { body: { Language: 'EN' } })
    await all.add('13600000008')
    await all.anna.call(setLanguage, { body: { Language: 'CN' } })
    expect(await Promise.all(['13600000006', '13600000007', '13600000008'].map(languageOf))).toEqual(['CN', 'EN', 'EN'])
  })

  test('is refused with a name that is taken, anywhere', async () => {
    await all.add('13600000002')
    expect(await outcomeOf(all.add('13600000002'))).toBe('username exists')
    expect(await outcomeOf(all.add('13900000002'))).toBe('username exists')
  })

  test.each([
    ['no device', { Assigned: { HouseIDs: [], DeviceIDs: [] } }, 'no device assigned'],
    ['no name', { NickName: '' }, 'invalid parameter'],
    ['a common password', { Password: md5Hex('123456') }, 'password too common'],
    ['its account as password', { Password: md5Hex('13600000003') }, 'password too common'],
    ['a common control password', { ControlPassword: md5Hex('password') }, 'password too common'],
    ['a password that is no MD5', { Password: 'secret' }, 'invalid parameter'],
    ['an unknown role', { RoleID: 999_999 }, 'role not exists'],
    ['an unknown gateway', { Assigned: { HouseIDs: [], DeviceIDs: [999_999] } }, 'gateway not exists'],
    ['another owner', { OwnerID: '00000000-0000-4000-8000-000000000000' }, 'user not admin'],
  ])('with %s is refused', async (_, wrong, message) => {
    expect(await outcomeOf(all.add('13600000003', wrong))).toBe(message)
  })

  test('is refused the name of a colleague or project as password, and told nothing of the names of others', async () => {
    await newProject(all.anna, '安娜的配电房')
    expect(await outcomeOf(all.add('13600000009', { Password: md5Hex('安娜的配电房') }))).toBe('password too common')
    expect(await outcomeOf(all.add('13600000009', { Password: md5Hex('13900000001') }))).toBe('password too common')
    await newProject(all.bert, '伯特的配电房')
    expect(await outcomeOf(all.add('13600000009', { Password: md5Hex('13900000002') }))).toBe('done')
    expect(await outcomeOf(all.add('13600000010', { Password: md5Hex('伯特的配电房') }))).toBe('done')
    // Who runs the installation sees them all.
    const made = { UserName: '13700000009', NickName: '陈工', Mobile: '13700000009' }
    const body = { ...made, Password: md5Hex('13900000002') }
    expect(await outcomeOf(all.platform.call(addAdministrator, { body }))).toBe('password too common')
  })

  test("gets nothing of somebody else's", async () => {
    expect(await outcomeOf(all.add('13600000004', { Assigned: { HouseIDs: [all.elsewhere.HouseID], DeviceIDs: [] } }))).toBe(
      'project not exists',
    )
    const body = { ...subOf('13600000004'), RoleID: all.roleId, Assigned: { HouseIDs: [all.elsewhere.HouseID], DeviceIDs: [] } }
    expect(await outcomeOf(all.bert.call(addSubAccount, { body }))).toBe('role not exists')
  })

  test('is listed, searched, exported and removed by its own administrator only', async () => {
    const { AccountID } = await all.add('13600000005', { NickName: '张三丰' })
    const named = (client: Client) => client.call(listUsers, { body: { NickName: '三丰' } }).then(({ total }) => total)
    expect([await named(all.anna), await named(all.bert), await named(all.platform)]).toEqual([1, 0, 1])
    expect((await all.anna.call(reportUsers, { query: { UserName: '13600000005' } })).items).toHaveLength(1)
    expect((await all.anna.call(projectsOfUser, { query: { UserName: '13600000005' } })).items).toMatchObject([
      { Name: '用户项目', Whole: true },
    ])
    expect(await outcomeOf(all.bert.call(projectsOfUser, { query: { UserName: '13600000005' } }))).toBe('username notexists')
    expect(await outcomeOf(all.bert.call(deleteUser, { body: { AccountID } }))).toBe('username notexists')
    const sub = await all.signIn('13600000005')
    await all.anna.call(deleteUser, { body: { AccountID } })
    expect(await outcomeOf(sub.call(userInfo))).toBe('session expired')
    expect(await outcomeOf(all.add('13600000005'))).toBe('done')
  })
})

describe('an administrator edits a sub-account', () => {
  test('with the version that was read; a role or password that changes ends its sessions', async () => {
    const { AccountID, Version } = await all.add('13600000011')
    const sub = await all.signIn('13600000011')
    const edit = (body: object) => all.anna.call(editUser, { body: { AccountID, ...body } })
    expect(await edit({ NickName: '改名', Version })).toMatchObject({ NickName: '改名', Version: Version + 1 })
    expect(await outcomeOf(sub.call(userInfo))).toBe('done')
    expect(await outcomeOf(edit({ NickName: '又改', Version }))).toBe('changed meanwhile')
    await edit({ PasswordMD5: md5Hex('New-Pass-9931'), Version: Version + 1 })
    expect(await outcomeOf(sub.call(userInfo))).toBe('session expired')
    expect(await outcomeOf(signInWith('13600000011', 'New-Pass-9931'))).toBe('done')
    // As the specification has the call.
    expect(await edit({ NickName: '没有版本' })).toMatchObject({ NickName: '没有版本', Version: Version + 3 })
  })

  test('without a phone number, where it has none any more', async () => {
    const { AccountID } = await all.add('13600000021')
    const edit = (Mobile: string) => all.anna.call(editUser, { body: { AccountID, Mobile } })
    expect((await edit('13600000022')).Mobile).toBe('13600000022')
    expect((await edit('')).Mobile).toBe('')
  })

  test('disabled it is out at once and cannot come back', async () => {
    const { AccountID, Version } = await all.add('13600000012')
    const sub = await all.signIn('13600000012')
    await all.anna.call(editUser, { body: { AccountID, Enabled: false, Version } })
    expect(await outcomeOf(sub.call(userInfo))).toBe('session expired')
    expect(await outcomeOf(all.signIn('13600000012'))).toBe('User name or password error')
  })

  test('and is told when it was saved but the devices could not be assigned', async () => {
    const { AccountID, Version } = await all.add('13600000013')
    const body = { AccountID, Version, NickName: '已保存', Assigned: { HouseIDs: [all.elsewhere.HouseID], DeviceIDs: [] } }
    expect(await outcomeOf(all.anna.call(editUser, { body }))).toBe('device share failed')
    const [after] = (await all.anna.call(listUsers, { body: { UserName: '13600000013' } })).items
    expect(after).toMatchObject({ NickName: '已保存', Assigned: { HouseIDs: [all.house.HouseID] } })
  })

  test("but nobody edits somebody else's", async () => {
    const { AccountID, Version } = await all.add('13600000014')
    expect(await outcomeOf(all.bert.call(editUser, { body: { AccountID, NickName: 'x', Version } }))).toBe('username notexists')
    const admin = (await all.platform.call(userInfo)).UserID
    const takeOver = { AccountID: admin, PasswordMD5: md5Hex('Taken-Over-1'), Version: 1 }
    expect(await outcomeOf(all.anna.call(editUser, { body: takeOver }))).toBe('username notexists')
    const sub = await all.signIn('13600000014')
    expect(await outcomeOf(sub.call(editUser, { body: takeOver }))).toBe('access denied')
  })
})

describe('whoever sees single gateways only', () => {
  test('sees those and nothing else of the project, and changes only those', async () => {
    const [one, two] = [
      await all.anna.call(addGateway, { body: { ...all.house, ...newGateway('PART-1') } }),
      await all.anna.call(addGateway, { body: { ...all.house, ...newGateway('PART-2') } }),
    ]
    await all.add('13600000031', { Assigned: { HouseIDs: [], DeviceIDs: [one.Gateway.DeviceID] } })
    const sub = await all.signIn('13600000031')
    const houses = (await sub.call(tree, { query: {} })).Groups.flatMap(({ Houses }) => Houses)
    expect(houses.map(({ Name, Devices }) => [Name, Devices.map((each) => each.Number)])).toEqual([['用户项目', ['PART-1']]])
    expect((await sub.call(listGateways, { body: { ...all.house } })).items.map((each) => each.Number)).toEqual(['PART-1'])
    const rename = (DeviceID: number) =>
      outcomeOf(sub.call(renameGateway, { params: { DeviceID }, body: { Name: '改', Version: 1 } }))
    expect([await rename(one.Gateway.DeviceID), await rename(two.Gateway.DeviceID)]).toEqual(['done', 'gateway not exists'])
    expect(await outcomeOf(sub.call(addGateway, { body: { ...all.house, ...newGateway('PART-3') } }))).toBe('project not exists')
  })

  test('loses a gateway that goes to another administrator', async () => {
    const { Gateway } = await all.anna.call(addGateway, { body: { ...all.house, ...newGateway('LEAVES') } })
    await all.add('13600000032', { Assigned: { HouseIDs: [], DeviceIDs: [Gateway.DeviceID] } })
    const sub = await all.signIn('13600000032')
    await all.platform.call(transferGateways, { body: { DeviceIDs: [Gateway.DeviceID], ...all.elsewhere } })
    expect((await sub.call(tree, { query: {} })).Groups).toEqual([])
  })
})

describe('a shared account', () => {
  let shared: Client

  beforeAll(async () => {
    const body = { ...subOf('13600000041'), RoleID: all.roleId, Assigned: all.whole() }
    expect((await all.anna.call(addSharedAccount, { body })).Kind).toBe('shared')
    shared = await all.signIn('13600000041')
  })

  test('sees what is shared with it as shared, and owns nothing', async () => {
    expect((await shared.call(ownGateways, { body: {} })).total).toBe(0)
    expect((await shared.call(gatewaysSharedWithMe, { body: {} })).total).toBeGreaterThan(0)
    expect(await shared.call(userInfo)).toMatchObject({ Shared: true, Roles: { LevelBtn: [] } })
  })

  test('changes nothing, whatever its role says', async () => {
    const [gateway] = (await shared.call(gatewaysSharedWithMe, { body: {} })).items
    const params = { DeviceID: gateway?.DeviceID ?? 0 }
    expect(await outcomeOf(shared.call(renameGateway, { params, body: { Name: 'x', Version: 1 } }))).toBe('access denied')
    expect(await outcomeOf(shared.call(addGateway, { body: { ...all.house, ...newGateway('NOT-YOURS') } }))).toBe('access denied')
  })

  test('keeps what it sees from being moved away under its eyes', async () => {
    const [gateway] = (await all.anna.call(listGateways, { body: { ...all.house } })).items
    expect(gateway?.Shared).toBe(true)
    const target = await newProject(all.anna, '别处')
    const body = { DeviceIDs: [gateway?.DeviceID ?? 0], HouseID: target.HouseID }
    expect(await outcomeOf(all.anna.call(transferGateways, { body }))).toBe('Shared equipment')
    const handOver = { ...all.house, UserName: '13900000002', Version: 1 }
    expect(await outcomeOf(all.platform.call(transferProject, { body: handOver }))).toBe('Shared equipment')
  })
})

describe('a project administrator', () => {
  const body = { ...subOf('east.site'), NickName: '东区' }

  test('is made by the platform only, begins with nothing, and is removed only when nothing is left', async () => {
    expect(await outcomeOf(all.anna.call(addAdministrator, { body }))).toBe('access denied')
    const { AccountID, Kind } = await all.platform.call(addAdministrator, { body })
    expect(Kind).toBe('project')
    const east = await all.signIn('east.site')
    expect((await east.call(tree, { query: {} })).Groups).toEqual([])
    await newProject(east, '东区项目')
    await expect(all.platform.call(deleteUser, { body: { AccountID } })).rejects.toMatchObject({
      problem: { failure: { Message: 'account not empty', Detail: { projects: 1, accounts: 0 } } },
    })
  })

  test.each([
    ['', '账号不能为空'],
    ['no', '请输入11位手机号，或3至32位的账号名'],
    ['7east', '请输入11位手机号，或3至32位的账号名'],
    ['system', '不能为 system'],
  ])('is not called %j, and it is said what it may be called', async (UserName, zh) => {
    await expect(all.platform.call(addAdministrator, { body: { ...body, UserName } })).rejects.toMatchObject({
      problem: {
        failure: {
          Message: 'username invalid',
          Problems: [{ Path: 'body.UserName', Text: { zh: expect.stringContaining(zh), en: expect.any(String) } }],
        },
      },
    })
  })

  test('whose things the platform makes for them', async () => {
    const OwnerID = (await all.anna.call(userInfo)).UserID
    const made = { ...subOf('13600000051'), RoleID: all.roleId, Assigned: all.whole(), OwnerID }
    expect(await all.platform.call(addSubAccount, { body: made })).toMatchObject({ OwnerName: '13900000001' })
    const mixed = {
      ...subOf('13600000052'),
      RoleID: all.roleId,
      Assigned: { HouseIDs: [all.elsewhere.HouseID], DeviceIDs: [] },
      OwnerID,
    }
    expect(await outcomeOf(all.platform.call(addSubAccount, { body: mixed }))).toBe('other owner')
  })
})
