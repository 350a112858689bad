import { createClient, md5Hex } from '@linewarden/client'
import {
  addAdministrator,
  addRole,
  allCalls,
  deletePush,
  editUser,
  endSession,
  listJournal,
  listSessions,
  listUsers,
  login,
  logout,
  mayMoveEquipment,
  operateLine,
  proposeNumbers,
  proveSession,
  resetSecondFactor,
  resume,
  startFirmware,
  userInfo,
} from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exampleOf } from '../../kit/example.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { sendRaw } from '../../kit/send-raw.ts'
import type { Session } from '../../kit/sign-in-house.ts'
import { SignInHouse } from '../../kit/sign-in-house.ts'

const day = 86_400_000
const over = 'remembered sign-in over'

let house: SignInHouse

beforeAll(async () => {
  house = await SignInHouse.start()
})
afterAll(() => house?.close())

describe('a remembered device', () => {
  test('signs in by its handle, which is another one each time', async () => {
    const { signIn } = await house.person()
    const first = await signIn(true)
    const second = await house.takeUp(first.Handle)
    const third = await house.takeUp(second.Handle)
    expect(new Set([first.Handle, second.Handle, third.Handle]).size).toBe(3)
    expect((await house.as(third).call(userInfo)).UserID).toBe(first.UserID)
    // One device, one session.
    expect((await house.as(third).call(listSessions, { query: {} })).items).toHaveLength(1)
  })

  test('gives no handle to whoever did not ask for it', async () => {
    const { signIn } = await house.person()
    expect(await signIn()).not.toHaveProperty('Handle')
  })

  test('whose handle was copied is forgotten with the second use, and its session ends, whoever came first', async () => {
    const { signIn, userName } = await house.person()
    const mine = await signIn(true)
    const elsewhere = await signIn(true)
    const thief = await house.takeUp(mine.Handle)
    house.pass(10_000)
    expect(await outcomeOf(house.takeUp(mine.Handle))).toBe(over)
    expect(await outcomeOf(house.as(thief).call(userInfo))).not.toBe('done')
    expect(await outcomeOf(house.takeUp(thief.Handle))).toBe(over)
    expect(await outcomeOf(house.as(elsewhere).call(userInfo))).toBe('done')
    expect(await outcomeOf(house.takeUp(elsewhere.Handle))).toBe('done')
    const { items } = await house.stack.client.call(listJournal, { body: { Actor: userName, Size: 20 } })
    expect(items.filter(({ Action, Outcome }) => Action === 'login.remembered' && Outcome === 'refused')).toHaveLength(1)
  })

  test('of two tabs that use its handle at once one gets in, and the other ends nothing', async () => {
    const { signIn } = await house.person()
    const { Handle } = await signIn(true)
    const both = await Promise.allSettled([house.takeUp(Handle), house.takeUp(Handle)])
    const [within, ...more] = both.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    if (!within) throw new Error('neither got in')
    expect(more).toEqual([])
    expect(await outcomeOf(house.as(within).call(userInfo))).toBe('done')
    expect(await outcomeOf(house.takeUp(within.Handle))).toBe('done')
  })

  test('whose handle comes a second time at once, but from elsewhere, is forgotten', async () => {
    const { signIn } = await house.person()
    const { Handle } = await signIn(true)
    const taken = await house.takeUp(Handle)
    const elsewhere = house.stack.server.accounts.resume({ Handle: Handle ?? '' }, '203.0.113.9', null)
    await expect(elsewhere).rejects.toMatchObject({ key: over })
    expect(await outcomeOf(house.as(taken).call(userInfo))).not.toBe('done')
    expect(await outcomeOf(house.takeUp(taken.Handle))).toBe(over)
  })

  test('is in the database by a hash alone', async () => {
    const { signIn } = await house.person()
    const { Handle } = await signIn(true)
    const client = await house.stack.server.database.connect()
    const { rows } = await client.query('select * from remember')
    await client.end()
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(Handle)
  })

  test('is listed when no session is open on it, and ended from another', async () => {
    const { signIn } = await house.person()
    const device = await signIn(true)
    house.pass(31 * 60_000)
    const here = await signIn()
    const { items } = await house.as(here).call(listSessions, { query: {} })
    expect(items).toMatchObject([
      { Current: true, Remembered: false, Alive: true },
      { Current: false, Remembered: true, Alive: false },
    ])
    const SessionID = items[1]?.SessionID ?? ''
    expect(await house.as(here).call(endSession, { body: { SessionID } })).toEqual({ Ended: 1 })
    expect(await outcomeOf(house.takeUp(device.Handle))).toBe(over)
  })

  test('is forgotten by signing out on it, by ending its session, and by a changed password', async () => {
    const { signIn, accountId, password } = await house.person()
    const [one, two, three] = [await signIn(true), await signIn(true), await signIn(true)]
    await house.as(one).call(logout, { body: { UserID: one.UserID } })
    expect(await outcomeOf(house.takeUp(one.Handle))).toBe(over)
    await house.as(three).call(endSession, { body: {} })
    expect(await outcomeOf(house.takeUp(two.Handle))).toBe(over)
    const change = { AccountID: accountId, PasswordMD5: md5Hex('Other-Walk-88'), OldPasswordMD5: md5Hex(password) }
    await house.as(three).call(editUser, { body: change })
    expect(await outcomeOf(house.takeUp(three.Handle))).toBe(over)
  })

  test('is forgotten after a week without use', async () => {
    const { signIn } = await house.person()
    const { Handle } = await signIn(true)
    house.pass(6 * day)
    const again = await house.takeUp(Handle)
    house.pass(7 * day)
    expect(await outcomeOf(house.takeUp(again.Handle))).toBe(over)
  })

  test('that signs in again by itself, and nobody is there, is not in use; somebody at a session on it is', async () => {
    const { signIn } = await house.person()
    const console = (session: Session | null, isThere: boolean) =>
      createClient({
        baseUrl: house.stack.url,
        session: () => session && { userId: session.UserID, token: session.Token },
        now: () => house.now(),
        attended: () => isThere,
      })
    const alone = ({ Handle }: Session) => console(null, false).call(resume, { body: { Handle: Handle ?? '' } })
    const first = await signIn(true)
    house.pass(6 * day)
    const unattended = await alone(first)
    house.pass(60_000)
    await console(unattended, true).call(userInfo)
    house.pass(6 * day)
    const again = await alone(unattended)
    house.pass(day)
    expect(await outcomeOf(alone(again))).toBe(over)
  })

  test('operates nothing before the password was given', async () => {
    const signedIn = await house.nobody().call(login, {
      body: { UserName: house.stack.admin.userName, Password: md5Hex(house.stack.admin.password), Remember: true },
    })
    const takenUp = await house.takeUp(signedIn.Handle)
    const session = house.as(takenUp)
    const params = { ControllerID: 'A-T1', LineNo: 3, attr: 'trip' } as const
    const trip = (client = session) =>
      client.call(operateLine, { params, body: { CommandID: crypto.randomUUID(), Reason: 'test' } })
    expect(await outcomeOf(trip())).toBe('password needed')
    expect(house.stack.fleet.executed).toHaveLength(0)
    // Nor does it change the plant or who may do what: whoever found the device would make themselves a way in that stays.
    const other = await house.person()
    await other.signIn()
    const throwOut = () => session.call(endSession, { body: { AccountID: other.accountId } })
    const changes = await Promise.all(
      [
        throwOut(),
        session.call(addRole, { body: { Number: 'r1', Name: '角色', Privileges: [], Buttons: [] } }),
        session.call(addAdministrator, { body: { UserName: 'thief', NickName: '贼', Password: md5Hex('Thief-7391') } }),
        session.call(editUser, { body: { AccountID: signedIn.UserID, NickName: '贼', Version: 1 } }),
        session.call(resetSecondFactor, { body: { AccountID: signedIn.UserID } }),
        session.call(proposeNumbers, { body: {} }),
        session.call(startFirmware, { body: { Manifest: 'AAAA', Signature: 'AAAA' } }),
        session.call(deletePush, { body: { HouseID: 1, PushID: 1 } }),
      ].map(outcomeOf),
    )
    expect(new Set(changes)).toEqual(new Set(['password needed']))
    const moving = allCalls.filter((call) => mayMoveEquipment(call) && call.permission !== 'public')
    expect(moving.length).toBeGreaterThan(60)
    for (const call of moving) {
      const request = { method: call.method, timeStamp: Math.floor(house.now() / 1_000), ...exampleOf(call, params) }
      const { envelope } = await sendRaw(house.stack.url, { userId: takenUp.UserID, token: takenUp.Token }, request)
      expect([call.name, envelope.Message]).toEqual([call.name, 'password needed'])
    }
    expect(await outcomeOf(session.call(listUsers, { body: {} }))).toBe('done')
    // Nor its own other sessions: their person would be the one who is thrown out.
    expect(await outcomeOf(session.call(endSession, { body: { SessionID: '999999' } }))).toBe('password again')
    expect(await outcomeOf(session.call(proveSession, { body: { Password: md5Hex('wrong') } }))).toBe('password incorrect')
    const { Token } = await session.call(proveSession, { body: { Password: md5Hex(house.stack.admin.password) } })
    // The former token still signs what is under way, and may no more than before.
    expect(await outcomeOf(trip())).toBe('password needed')
    expect(await outcomeOf(throwOut())).toBe('password needed')
    expect(await outcomeOf(session.call(endSession, { body: {} }))).toBe('password again')
    const proved = house.as({ ...takenUp, Token })
    expect(await proved.call(endSession, { body: { AccountID: other.accountId } })).toEqual({ Ended: 1 })
    expect(await outcomeOf(trip(proved))).toBe('done')
  })
})
