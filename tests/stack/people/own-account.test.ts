import { md5Hex } from '@linewarden/client'
import { accountDetails, deleteUser, editUser, endSession, grantControl, listSessions, userInfo } from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Duty } from '../../kit/duty.ts'
import { startDuty } from '../../kit/duty.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { signedIn } from '../../kit/stack.ts'
import { subOf } from '../../kit/two-owners.ts'

let all: Duty

beforeAll(async () => {
  all = await startDuty()
})
afterAll(() => all?.close())

const signInWith = (userName: string, password: string) => signedIn(all.stack.url, { userName, password })

describe('the own account', () => {
  test('is edited, but not its rights', async () => {
    const { AccountID } = await all.add('13600000021')
    const sub = await all.signIn('13600000021')
    const edit = (body: object) => sub.call(editUser, { body: { AccountID, ...body } })
    expect(await edit({ NickName: '我', Mobile: '0755-1234567', Email: '', Remark: '夜班' })).toMatchObject({
      NickName: '我',
      Remark: '夜班',
    })
    expect((await sub.call(accountDetails)).Mobile).toBe('0755-1234567')
    for (const more of [{ RoleID: all.roleId }, { Assigned: all.whole() }])
      expect(await outcomeOf(edit(more))).toBe('access denied')
    expect(await outcomeOf(edit({ Enabled: false }))).toBe('cannot remove self')
    for (const field of ['NickName', 'Mobile']) expect(await outcomeOf(edit({ [field]: '' }))).toBe('invalid parameter')
  })

  test('changes its password only with the present one, and then signs in anew', async () => {
    const { AccountID } = await all.add('13600000022')
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
    const { AccountID } = await all.add('13600000023', { ControlPassword: md5Hex('Control-88') })
    const sub = await all.signIn('13600000023')
    const edit = (Grant?: string) =>
      outcomeOf(sub.call(editUser, { body: { AccountID, NickName: '新名', ...(Grant && { Grant }) } }))
    expect(await edit()).toBe('control grant missing')
    const body = { Password: md5Hex('Control-88'), Operation: `account:${AccountID}` }
    const { Grant } = await sub.call(grantControl, { body })
    expect([await edit(Grant), await edit(Grant)]).toEqual(['done', 'control grant missing'])
  })

  test('sets, changes and removes its control password, each time with its sign-in password', async () => {
    const { AccountID } = await all.add('13600000029')
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
    await all.add('13600000024')
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
