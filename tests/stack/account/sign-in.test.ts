import type { Client } from '@linewarden/client'
import { createClient, md5Hex } from '@linewarden/client'
import type { Call } from '@linewarden/contract'
import {
  editUser,
  endSession,
  grantControl,
  isNewMessage,
  listJournal,
  listSessions,
  login,
  proveSession,
  userInfo,
} from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import type { Session } from '../../kit/sign-in-house.ts'
import { SignInHouse } from '../../kit/sign-in-house.ts'

let house: SignInHouse

beforeAll(async () => {
  house = await SignInHouse.start()
})
afterAll(() => house?.close())

describe('a session whose person gives the password', () => {
  const minute = 60_000
  const contact = async (client: Client, accountId: string, Mobile: string) =>
    outcomeOf(client.call(editUser, { body: { AccountID: accountId, Mobile } }))

  test('goes on under another token; the former one signs what is still under way, and then nothing', async () => {
    const { signIn, password } = await house.person()
    const session = await signIn()
    const { Token } = await house.as(session).call(proveSession, { body: { Password: md5Hex(password) } })
    expect(Token).not.toBe(session.Token)
    expect(await outcomeOf(house.as(session).call(userInfo))).toBe('done')
    house.pass(10_000)
    expect(await outcomeOf(house.as(session).call(userInfo))).toBe('signature wrong')
    const now = house.as({ ...session, Token })
    expect(await outcomeOf(now.call(userInfo))).toBe('done')
    expect((await now.call(listSessions, { query: {} })).items).toHaveLength(1)
  })

  test('that was wrong goes on under the token it has', async () => {
    const session = await (await house.person()).signIn()
    expect(await outcomeOf(house.as(session).call(proveSession, { body: { Password: md5Hex('wrong') } }))).toBe(
      'password incorrect',
    )
    house.pass(minute)
    expect(await outcomeOf(house.as(session).call(userInfo))).toBe('done')
  })

  test('gives it again after five minutes, before it says where the person is reached or ends their other sessions', async () => {
    const { signIn, password, accountId } = await house.person()
    const [session, elsewhere] = [await signIn(), await signIn()]
    expect(await contact(house.as(session), accountId, '13700000001')).toBe('done')
    house.pass(5 * minute)
    expect(await contact(house.as(session), accountId, '13700000002')).toBe('password again')
    // What stays as it is, and what reaches nobody, is no matter for a password.
    expect(await contact(house.as(session), accountId, '13700000001')).toBe('done')
    expect(await outcomeOf(house.as(session).call(editUser, { body: { AccountID: accountId, NickName: '新名' } }))).toBe('done')
    const email = { AccountID: accountId, Email: 'a@example.com' }
    expect(await outcomeOf(house.as(session).call(editUser, { body: email }))).toBe('password again')
    expect(await outcomeOf(house.as(session).call(endSession, { body: {} }))).toBe('password again')
    expect(await outcomeOf(house.as(elsewhere).call(userInfo))).toBe('done')
    const { Token } = await house.as(session).call(proveSession, { body: { Password: md5Hex(password) } })
    // Who knows only the former token gains nothing by it.
    expect(await contact(house.as(session), accountId, '13700000002')).toBe('password again')
    expect(await outcomeOf(house.as(session).call(endSession, { body: {} }))).toBe('password again')
    const now = house.as({ ...session, Token })
    expect(await contact(now, accountId, '13700000002')).toBe('done')
    expect(await outcomeOf(now.call(editUser, { body: email }))).toBe('done')
    expect(await now.call(endSession, { body: {} })).toEqual({ Ended: 1 })
    expect(await outcomeOf(house.as(elsewhere).call(userInfo))).toBe('signature wrong')
  })
})

describe('a session', () => {
  const half = 15 * 60_000
  /** A console at which somebody is, or nobody; undefined: a caller that does not say. */
  const at = ({ UserID, Token }: Session, attended: boolean | undefined) =>
    createClient({
      baseUrl: house.stack.url,
      session: () => ({ userId: UserID, token: Token }),
      now: () => house.now(),
      ...(attended !== undefined && { attended: () => attended }),
    })

  test.each([
    ['ends with half an hour in which a page asked by itself', false, userInfo, 'session expired'],
    ['lives while somebody is at a page that only polls', true, isNewMessage, 'done'],
    ['of whoever does not say so lives with its calls', undefined, userInfo, 'done'],
    ['of whoever does not say so does not live with its polls', undefined, isNewMessage, 'session expired'],
  ] as const)('%s', async (_, attended, call, outcome) => {
    const client = at(await (await house.person()).signIn(), attended)
    house.pass(half)
    await client.call<Call>(call, { query: {} })
    house.pass(half)
    expect(await outcomeOf(client.call(userInfo))).toBe(outcome)
  })
})

describe('five wrong passwords are judged, however many are tried at once:', () => {
  const judged = async (Action: string, Actor: string) =>
    (await (await house.admin()).call(listJournal, { body: { Action, Actor, Size: 100 } })).items.filter(
      ({ Outcome }) => Outcome === 'refused',
    )
  const thirty = (attempt: () => Promise<unknown>) => Promise.all(Array.from({ length: 30 }, () => outcomeOf(attempt())))

  test('of a sign-in, and the right one does not help', async () => {
    const { userName, signIn } = await house.person()
    // Writing the name otherwise opens no second count.
    const wrong = () => house.nobody().call(login, { body: { UserName: userName.toUpperCase(), Password: md5Hex('wrong') } })
    const all = await thirty(wrong)
    expect(all.filter((each) => each === 'account locked')).toHaveLength(26)
    expect(await judged('login', userName.toUpperCase())).toHaveLength(5)
    expect(await outcomeOf(signIn())).toBe('account locked')
  })

  test('of proving a session', async () => {
    const { userName, signIn } = await house.person()
    const session = house.as(await signIn())
    const all = await thirty(() => session.call(proveSession, { body: { Password: md5Hex('wrong') } }))
    expect(all.filter((each) => each === 'password incorrect')).toHaveLength(5)
    expect(await judged('account.password', userName)).toHaveLength(5)
  })

  test('of the control password', async () => {
    const { userName, accountId, password, signIn } = await house.person()
    const session = house.as(await signIn())
    const control = { ControlPassword: md5Hex('Control-7391'), OldPasswordMD5: md5Hex(password) }
    await session.call(editUser, { body: { AccountID: accountId, ...control } })
    const wrong = { Password: md5Hex('wrong'), Operation: 'line:A-T1/3:trip' }
    const all = await thirty(() => session.call(grantControl, { body: wrong }))
    expect(all.filter((each) => each === 'control locked')).toHaveLength(26)
    expect(await judged('control.grant', userName)).toHaveLength(5)
  })
})
