import { createClient, md5Hex } from '@linewarden/client'
import {
  accountDetails,
  addAdministrator,
  editUser,
  grantControl,
  listUsers,
  liveTicket,
  operateLine,
  setLanguage,
  snapshot,
  userInfo,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { sessionOf, signedIn, startStack } from '../../kit/stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, givenPasswords: true, env: { LINEWARDEN_FIRST_ACCOUNT: 'east.site' } })
})
afterAll(() => stack?.close())

async function as(who: { userName: string; password: string }) {
  const session = await sessionOf(stack.url, who)
  return { id: session.userId, client: createClient({ baseUrl: stack.url, session: () => session, now: Date.now }) }
}

test('the first account is called as the setting says, and there is no other', async () => {
  expect(stack.admin.userName).toBe('east.site')
  const known = await outcomeOf(signedIn(stack.url, { userName: 'admin', password: stack.admin.password }))
  expect(known).toBe('User name or password error')
})

test('whoever got the password of the first start changes it before anything else is answered', async () => {
  const { id, client } = await as(stack.admin)
  expect((await client.call(userInfo)).MustChangePassword).toBe(true)
  await client.call(setLanguage, { body: { Language: 'EN' } })
  await client.call(accountDetails)
  const body = { CommandID: crypto.randomUUID(), Reason: 'x' }
  for (const call of [
    () => client.call(snapshot, { query: {} }),
    () => client.call(listUsers, { body: {} }),
    () => client.call(liveTicket),
    () => client.call(operateLine, { params: { ControllerID: 'A-T1', LineNo: 1, attr: 'trip' }, body }),
    () => client.call(editUser, { body: { AccountID: id, NickName: '我' } }),
  ])
    expect(await outcomeOf(call())).toBe('password must change')
  const present = md5Hex(stack.admin.password)
  const change = (PasswordMD5: string, more: object = { OldPasswordMD5: present }) =>
    outcomeOf(client.call(editUser, { body: { AccountID: id, PasswordMD5, ...more } }))
  expect(await change(md5Hex('Mine-Now-552'), {})).toBe('old password needed')
  expect(await change(present)).toBe('password same')
  expect(await change(md5Hex('linewarden2026'))).toBe('password too common')
  expect(await change(md5Hex('Mine-Now-552'))).toBe('done')
  const mine = await signedIn(stack.url, { userName: stack.admin.userName, password: 'Mine-Now-552' })
  expect((await mine.call(userInfo)).MustChangePassword).toBe(false)
  expect(await outcomeOf(mine.call(listUsers, { body: {} }))).toBe('done')

  // Whom an administrator makes, and whose password an administrator sets anew.
  const made = { UserName: '13700000001', NickName: '李工', Mobile: '13700000001', ControlPassword: md5Hex('Ctrl-2580') }
  await mine.call(addAdministrator, { body: { ...made, Password: md5Hex('Given-771') } })
  const li = await as({ userName: '13700000001', password: 'Given-771' })
  expect(await outcomeOf(li.client.call(snapshot, { query: {} }))).toBe('password must change')
  const own = { AccountID: li.id, PasswordMD5: md5Hex('Chosen-882') }
  // With a control password both are asked for.
  const Operation = `account:${li.id}`
  const grant = async () => (await li.client.call(grantControl, { body: { Password: made.ControlPassword, Operation } })).Grant
  expect(await outcomeOf(li.client.call(editUser, { body: { ...own, Grant: await grant() } }))).toBe('old password needed')
  const both = { ...own, OldPasswordMD5: md5Hex('Given-771'), Grant: await grant() }
  expect(await outcomeOf(li.client.call(editUser, { body: both }))).toBe('done')
  const chosen = { userName: '13700000001', password: 'Chosen-882' }
  expect(await outcomeOf((await as(chosen)).client.call(snapshot, { query: {} }))).toBe('done')
  await mine.call(editUser, { body: { AccountID: li.id, PasswordMD5: md5Hex('Given-993') } })
  const again = await as({ userName: '13700000001', password: 'Given-993' })
  expect(await outcomeOf(again.client.call(snapshot, { query: {} }))).toBe('password must change')
})
