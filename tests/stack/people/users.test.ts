import { createHmac } from 'node:crypto'
import type { Client } from '@linewarden/client'
import { createClient, md5Hex } from '@linewarden/client'
import {
  accountDetails,
  addAdministrator,
  addGateway,
  addRole,
  addSharedAccount,
  addSubAccount,
  deleteUser,
  editUser,
  endSession,
  gatewaysSharedWithMe,
  grantControl,
  listGateways,
  listJournal,
  listSessions,
  listUsers,
  ownGateways,
  partnerLogin,
  projectsOfUser,
  proposeNumbers,
  renameGateway,
  reportUsers,
  setLanguage,
  transferGateways,
  transferProject,
  tree,
  userInfo,
} from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { signedIn } from '../../kit/stack.ts'
import type { TwoOwners } from '../../kit/two-owners.ts'
import { newGateway, newProject, startTwoOwners, subOf } from '../../kit/two-owners.ts'

const partnerSecret = 'partner-secret-of-these-tests-0123456789'
let all: TwoOwners
let house: { readonly HouseID: number }
let elsewhere: { readonly HouseID: number }
let roleId: number

beforeAll(async () => {
  all = await startTwoOwners({ env: { LINEWARDEN_PARTNER: `gd:${partnerSecret}` } })
  house = { HouseID: (await newProject(all.anna, '用户项目')).HouseID }
  elsewhere = { HouseID: (await newProject(all.bert, '伯特项目')).HouseID }
  const body = { Number: 'duty', Name: '值班', Privileges: ['devmon', 'devmon.realtime', 'system.geteway'], Buttons: [] }
  roleId = (await all.anna.call(addRole, { body })).RoleID
})
afterAll(() => all?.close())

const whole = () => ({ HouseIDs: [house.HouseID], DeviceIDs: [] as number[] })
const add = (userName: string, more: object = {}) =>
  all.anna.call(addSubAccount, { body: { ...subOf(userName), RoleID: roleId, Assigned: whole(), ...more } })
const signInWith = (userName: string, password: string) => signedIn(all.stack.url, { userName, password })

describe('a sub-account', () => {
  test('is made with a role and something to see, and signs in', async () => {
    const made = await add('13600000001', { Sex: 'female', Email: 'a@b.cn', JobName: '电工' })
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
    expect(await outcomeOf(add(name))).toBe('username invalid')
  })

  test('is spoken to as whoever adds it, unless that says otherwise', async () => {
    const languageOf = async (userName: string) => (await (await all.signIn(userName)).call(userInfo)).Language
    await add('13600000006')
    await add('13600000007', { Language: 'EN' })
    await all.anna.call(setLanguage, { body: { Language: 'EN' } })
    await add('13600000008')
    await all.anna.call(setLanguage, { body: { Language: 'CN' } })
    expect(await Promise.all(['13600000006', '13600000007', '13600000008'].map(languageOf))).toEqual(['CN', 'EN', 'EN'])
  })

  test('is refused with a name that is taken, anywhere', async () => {
    await add('13600000002')
    expect(await outcomeOf(add('13600000002'))).toBe('username exists')
    expect(await outcomeOf(add('13900000002'))).toBe('username exists')
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
    expect(await outcomeOf(add('13600000003', wrong))).toBe(message)
  })

  test('is refused the name of a colleague or project as password, and told nothing of the names of others', async () => {
    await newProject(all.anna, '安娜的配电房')
    expect(await outcomeOf(add('13600000009', { Password: md5Hex('安娜的配电房') }))).toBe('password too common')
    expect(await outcomeOf(add('13600000009', { Password: md5Hex('13900000001') }))).toBe('password too common')
    await newProject(all.bert, '伯特的配电房')
    expect(await outcomeOf(add('13600000009', { Password: md5Hex('13900000002') }))).toBe('done')
    expect(await outcomeOf(add('13600000010', { Password: md5Hex('伯特的配电房') }))).toBe('done')
    // Who runs the installation sees them all.
    const made = { UserName: '13700000009', NickName: '陈工', Mobile: '13700000009' }
    const body = { ...made, Password: md5Hex('13900000002') }
    expect(await outcomeOf(all.platform.call(addAdministrator, { body }))).toBe('password too common')
  })

  test("gets nothing of somebody else's", async () => {
    expect(await outcomeOf(add('13600000004', { Assigned: { HouseIDs: [elsewhere.HouseID], DeviceIDs: [] } }))).toBe(
      'project not exists',
    )
    const body = { ...subOf('13600000004'), RoleID: roleId, Assigned: { HouseIDs: [elsewhere.HouseID], DeviceIDs: [] } }
    expect(await outcomeOf(all.bert.call(addSubAccount, { body }))).toBe('role not exists')
  })

  test('is listed, searched, exported and removed by its own administrator only', async () => {
    const { AccountID } = await add('13600000005', { NickName: '张三丰' })
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
    expect(await outcomeOf(add('13600000005'))).toBe('done')
  })
})

describe('an administrator edits a sub-account', () => {
  test('with the version that was read; a role or password that changes ends its sessions', async () => {
    const { AccountID, Version } = await add('13600000011')
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

  test('disabled it is out at once and cannot come back', async () => {
    const { AccountID, Version } = await add('13600000012')
    const sub = await all.signIn('13600000012')
    await all.anna.call(editUser, { body: { AccountID, Enabled: false, Version } })
    expect(await outcomeOf(sub.call(userInfo))).toBe('session expired')
    expect(await outcomeOf(all.signIn('13600000012'))).toBe('User name or password error')
  })

  test('and is told when it was saved but the devices could not be assigned', async () => {
    const { AccountID, Version } = await add('13600000013')
    const body = { AccountID, Version, NickName: '已保存', Assigned: { HouseIDs: [elsewhere.HouseID], DeviceIDs: [] } }
    expect(await outcomeOf(all.anna.call(editUser, { body }))).toBe('device share failed')
    const [after] = (await all.anna.call(listUsers, { body: { UserName: '13600000013' } })).items
    expect(after).toMatchObject({ NickName: '已保存', Assigned: { HouseIDs: [house.HouseID] } })
  })

  test("but nobody edits somebody else's", async () => {
    const { AccountID, Version } = await add('13600000014')
    expect(await outcomeOf(all.bert.call(editUser, { body: { AccountID, NickName: 'x', Version } }))).toBe('username notexists')
    const admin = (await all.platform.call(userInfo)).UserID
    const takeOver = { AccountID: admin, PasswordMD5: md5Hex('Taken-Over-1'), Version: 1 }
    expect(await outcomeOf(all.anna.call(editUser, { body: takeOver }))).toBe('username notexists')
    const sub = await all.signIn('13600000014')
    expect(await outcomeOf(sub.call(editUser, { body: takeOver }))).toBe('access denied')
  })
})

describe('the own account', () => {
  test('is edited, but not its rights', async () => {
    const { AccountID } = await add('13600000021')
    const sub = await all.signIn('13600000021')
    const edit = (body: object) => sub.call(editUser, { body: { AccountID, ...body } })
    expect(await edit({ NickName: '我', Mobile: '0755-1234567', Email: '', Remark: '夜班' })).toMatchObject({
      NickName: '我',
      Remark: '夜班',
    })
    expect((await sub.call(accountDetails)).Mobile).toBe('0755-1234567')
    for (const more of [{ RoleID: roleId }, { Assigned: whole() }]) expect(await outcomeOf(edit(more))).toBe('access denied')
    expect(await outcomeOf(edit({ Enabled: false }))).toBe('cannot remove self')
    for (const field of ['NickName', 'Mobile']) expect(await outcomeOf(edit({ [field]: '' }))).toBe('invalid parameter')
  })

  test('changes its password only with the present one, and then signs in anew', async () => {
    const { AccountID } = await add('13600000022')
    const sub = await all.signIn('13600000022')
    const change = (more: object) =>
      outcomeOf(sub.call(editUser, { body: { AccountID, PasswordMD5: md5Hex('Mine-Now-552'), ...more } }))
    expect(await change({})).toBe('old password needed')
    expect(await change({ OldPasswordMD5: md5Hex('guess') })).toBe('password incorrect')
    expect(await change({ OldPasswordMD5: subOf('13600000022').Password })).toBe('done')
    expect(await outcomeOf(sub.call(userInfo))).toBe('session expired')
    expect(await outcomeOf(signInWith('13600000022', 'Mine-Now-552'))).toBe('done')
  })

  test('with a control password is edited only after entering that', async () => {
    const { AccountID } = await add('13600000023', { ControlPassword: md5Hex('Control-88') })
    const sub = await all.signIn('13600000023')
    const edit = (Grant?: string) =>
      outcomeOf(sub.call(editUser, { body: { AccountID, NickName: '新名', ...(Grant && { Grant }) } }))
    expect(await edit()).toBe('control grant missing')
    const body = { Password: md5Hex('Control-88'), Operation: `account:${AccountID}` }
    const { Grant } = await sub.call(grantControl, { body })
    expect([await edit(Grant), await edit(Grant)]).toEqual(['done', 'control grant missing'])
  })

  test('sets, changes and removes its control password, each time with its sign-in password', async () => {
    const { AccountID } = await add('13600000029')
    const sub = await all.signIn('13600000029')
    const OldPasswordMD5 = subOf('13600000029').Password
    const change = (more: object) => outcomeOf(sub.call(editUser, { body: { AccountID, ...more } }))
    const grant = async (password: string) =>
      (await sub.call(grantControl, { body: { Password: md5Hex(password), Operation: `account:${AccountID}` } })).Grant
    const first = { ControlPassword: md5Hex('Control-91') }
    expect(await change(first)).toBe('old password needed')
    expect(await change({ ...first, OldPasswordMD5: md5Hex('guess') })).toBe('password incorrect')
    expect(await change({ ControlPassword: OldPasswordMD5, OldPasswordMD5 })).toBe('control password same')
    expect(await change({ ...first, OldPasswordMD5 })).toBe('done')
    expect((await sub.call(userInfo)).ControlPwd).toBe(true)
    // From here on neither of the two is enough alone.
    const second = { ControlPassword: md5Hex('Control-92') }
    expect(await change({ ...second, OldPasswordMD5 })).toBe('control grant missing')
    expect(await change({ ...second, Grant: await grant('Control-91') })).toBe('old password needed')
    expect(await change({ ...second, OldPasswordMD5, Grant: await grant('Control-91') })).toBe('done')
    expect(await change({ ControlPassword: null, OldPasswordMD5, Grant: await grant('Control-92') })).toBe('done')
    expect((await sub.call(userInfo)).ControlPwd).toBe(false)
  })

  test('lists its sessions and ends the others', async () => {
    await add('13600000024')
    const [first, second] = [await all.signIn('13600000024'), await all.signIn('13600000024')]
    const { items } = await first.call(listSessions, { query: {} })
    expect(items.map(({ Current }) => Current).toSorted()).toEqual([false, true])
    expect(await first.call(endSession, { body: {} })).toEqual({ Ended: 1 })
    // The account has another session, so what no longer fits any of them is a wrong signature.
    expect([await outcomeOf(first.call(userInfo)), await outcomeOf(second.call(userInfo))]).toEqual(['done', 'signature wrong'])
    const AccountID = items[0]?.AccountID ?? ''
    expect(await outcomeOf(all.bert.call(endSession, { body: { AccountID } }))).toBe('username notexists')
    expect(await all.anna.call(endSession, { body: { AccountID } })).toEqual({ Ended: 1 })
    expect(await outcomeOf(first.call(userInfo))).toBe('session expired')
  })

  test('is not removed by itself', async () => {
    const AccountID = (await all.anna.call(userInfo)).UserID
    expect(await outcomeOf(all.anna.call(deleteUser, { body: { AccountID } }))).toBe('cannot remove self')
  })
})

describe('whoever sees single gateways only', () => {
  test('sees those and nothing else of the project, and changes only those', async () => {
    const [one, two] = [
      await all.anna.call(addGateway, { body: { ...house, ...newGateway('PART-1') } }),
      await all.anna.call(addGateway, { body: { ...house, ...newGateway('PART-2') } }),
    ]
    await add('13600000031', { Assigned: { HouseIDs: [], DeviceIDs: [one.Gateway.DeviceID] } })
    const sub = await all.signIn('13600000031')
    const houses = (await sub.call(tree, { query: {} })).Groups.flatMap(({ Houses }) => Houses)
    expect(houses.map(({ Name, Devices }) => [Name, Devices.map((each) => each.Number)])).toEqual([['用户项目', ['PART-1']]])
    expect((await sub.call(listGateways, { body: { ...house } })).items.map((each) => each.Number)).toEqual(['PART-1'])
    const rename = (DeviceID: number) =>
      outcomeOf(sub.call(renameGateway, { params: { DeviceID }, body: { Name: '改', Version: 1 } }))
    expect([await rename(one.Gateway.DeviceID), await rename(two.Gateway.DeviceID)]).toEqual(['done', 'gateway not exists'])
    expect(await outcomeOf(sub.call(addGateway, { body: { ...house, ...newGateway('PART-3') } }))).toBe('project not exists')
  })

  test('loses a gateway that goes to another administrator', async () => {
    const { Gateway } = await all.anna.call(addGateway, { body: { ...house, ...newGateway('LEAVES') } })
    await add('13600000032', { Assigned: { HouseIDs: [], DeviceIDs: [Gateway.DeviceID] } })
    const sub = await all.signIn('13600000032')
    await all.platform.call(transferGateways, { body: { DeviceIDs: [Gateway.DeviceID], ...elsewhere } })
    expect((await sub.call(tree, { query: {} })).Groups).toEqual([])
  })
})

describe('a shared account', () => {
  let shared: Client

  beforeAll(async () => {
    const body = { ...subOf('13600000041'), RoleID: roleId, Assigned: whole() }
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
    expect(await outcomeOf(shared.call(addGateway, { body: { ...house, ...newGateway('NOT-YOURS') } }))).toBe('access denied')
  })

  test('keeps what it sees from being moved away under its eyes', async () => {
    const [gateway] = (await all.anna.call(listGateways, { body: { ...house } })).items
    expect(gateway?.Shared).toBe(true)
    const target = await newProject(all.anna, '别处')
    const body = { DeviceIDs: [gateway?.DeviceID ?? 0], HouseID: target.HouseID }
    expect(await outcomeOf(all.anna.call(transferGateways, { body }))).toBe('Shared equipment')
    const handOver = { ...house, UserName: '13900000002', Version: 1 }
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
    const made = { ...subOf('13600000051'), RoleID: roleId, Assigned: whole(), OwnerID }
    expect(await all.platform.call(addSubAccount, { body: made })).toMatchObject({ OwnerName: '13900000001' })
    const mixed = { ...subOf('13600000052'), RoleID: roleId, Assigned: { HouseIDs: [elsewhere.HouseID], DeviceIDs: [] }, OwnerID }
    expect(await outcomeOf(all.platform.call(addSubAccount, { body: mixed }))).toBe('other owner')
  })
})

describe('a partner signs its users on', () => {
  const nobody = () => createClient({ baseUrl: all.stack.url, session: () => null })
  const signOn = (userName: string, more: { AppID?: string; TimeStamp?: number; Nonce?: string; secret?: string } = {}) => {
    const {
      secret = partnerSecret,
      AppID = 'gd',
      TimeStamp = Math.floor(Date.now() / 1000),
      Nonce = crypto.randomUUID().replaceAll('-', ''),
    } = more
    const Signature = createHmac('sha256', secret).update([AppID, userName, TimeStamp, Nonce].join('\n')).digest('hex')
    return nobody().call(partnerLogin, { body: { AppID, UserName: userName, TimeStamp, Nonce, Signature } })
  }

  test('by name with its signature, once per nonce', async () => {
    await add('13600000061')
    const once = { Nonce: 'abcdefghij0123456789', TimeStamp: Math.floor(Date.now() / 1000) }
    const session = await signOn('13600000061', once)
    const client = createClient({ baseUrl: all.stack.url, session: () => ({ userId: session.UserID, token: session.Token }) })
    expect((await client.call(userInfo)).UserName).toBe('13600000061')
    // The partner said who it is; nobody has shown a password.
    expect(await outcomeOf(client.call(proposeNumbers, { body: {} }))).toBe('password needed')
    expect(await outcomeOf(signOn('13600000061', once))).toBe('nonce replayed')
  })

  test.each([
    ['another secret', '13600000061', { secret: 'x'.repeat(40) }, 'app not registered'],
    ['another app', '13600000061', { AppID: 'other' }, 'app not registered'],
    ['an unknown user', '13600000069', {}, 'username notexists'],
    ['the platform administrator', 'admin', {}, 'username notexists'],
    ['an old time', '13600000061', { TimeStamp: 1_000 }, 'clock skewed'],
  ])('not with %s, and the log says so', async (_, userName, more, message) => {
    expect(await outcomeOf(signOn(userName, more))).toBe(message)
    const { items } = await all.platform.call(listJournal, { body: { Action: 'login.partner', Outcome: 'refused', Size: 200 } })
    const told = items.filter(({ After }) => JSON.parse(After ?? '').why === message).map(({ Actor, Target }) => [Actor, Target])
    // Nobody is named by who is not the partner, and of them all there is one line for a quarter of an hour.
    if (message === 'app not registered') expect(told).toEqual([['partner', '']])
    else expect(told).toContainEqual([userName, userName])
  })
})
