import type { Client } from '@linewarden/client'
import { createClient, md5Hex } from '@linewarden/client'
import type { Call, Reply } from '@linewarden/contract'
import {
  addAdministrator,
  addRole,
  allCalls,
  beginSecondFactor,
  confirmSecondFactor,
  deletePush,
  editUser,
  endSession,
  giveSecondFactor,
  grantControl,
  isNewMessage,
  listJournal,
  listSessions,
  listUsers,
  liveTicket,
  login,
  logout,
  mayMoveEquipment,
  operateLine,
  proposeNumbers,
  proveSession,
  redeemSignOn,
  removeSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
  resume,
  secondFactor,
  startFirmware,
  userInfo,
} from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeAt, stepOf } from '../../kit/authenticator.ts'
import { exampleOf } from '../../kit/example.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { sendRaw } from '../../kit/send-raw.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'

type Session = Reply<typeof login>

let stack: Stack
let ahead = 0
let made = 0
const day = 86_400_000

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => Date.now() + ahead, fleet: { now: () => Date.now() + ahead } })
})
afterAll(() => stack?.close())

const nobody = () => createClient({ baseUrl: stack.url, session: () => null, now: () => Date.now() + ahead })
const as = ({ UserID, Token }: Session): Client =>
  createClient({ baseUrl: stack.url, session: () => ({ userId: UserID, token: Token }), now: () => Date.now() + ahead })

/** Somebody new, so that no test meets another's sessions or failures. */
async function person(kind: 'project' | 'platform' = 'project') {
  made += 1
  const userName = `person${made}`
  const password = `Walk-${made}-7391`
  const accountId = await stack.server.accounts.createAccount({ userName, password, kind })
  const signIn = (Remember = false) =>
    nobody().call(login, { body: { UserName: userName, Password: md5Hex(password), ...(Remember && { Remember }) } })
  return { userName, password, accountId, signIn }
}

/** The clock runs ahead here, so that the session the stack began with is over. */
const admin = async () =>
  as(await nobody().call(login, { body: { UserName: stack.admin.userName, Password: md5Hex(stack.admin.password) } }))

const takeUp = (Handle: string | undefined) => nobody().call(resume, { body: { Handle: Handle ?? '' } })
const over = 'remembered sign-in over'

describe('a remembered device', () => {
  test('signs in by its handle, which is another one each time', async () => {
    const { signIn } = await person()
    const first = await signIn(true)
    const second = await takeUp(first.Handle)
    const third = await takeUp(second.Handle)
    expect(new Set([first.Handle, second.Handle, third.Handle]).size).toBe(3)
    expect((await as(third).call(userInfo)).UserID).toBe(first.UserID)
    // One device, one session.
    expect((await as(third).call(listSessions, { query: {} })).items).toHaveLength(1)
  })

  test('gives no handle to whoever did not ask for it', async () => {
    const { signIn } = await person()
    expect(await signIn()).not.toHaveProperty('Handle')
  })

  test('whose handle was copied is forgotten with the second use, and its session ends, whoever came first', async () => {
    const { signIn, userName } = await person()
    const mine = await signIn(true)
    const elsewhere = await signIn(true)
    const thief = await takeUp(mine.Handle)
    ahead += 10_000
    expect(await outcomeOf(takeUp(mine.Handle))).toBe(over)
    expect(await outcomeOf(as(thief).call(userInfo))).not.toBe('done')
    expect(await outcomeOf(takeUp(thief.Handle))).toBe(over)
    expect(await outcomeOf(as(elsewhere).call(userInfo))).toBe('done')
    expect(await outcomeOf(takeUp(elsewhere.Handle))).toBe('done')
    const { items } = await stack.client.call(listJournal, { body: { Actor: userName, Size: 20 } })
    expect(items.filter(({ Action, Outcome }) => Action === 'login.remembered' && Outcome === 'refused')).toHaveLength(1)
  })

  test('of two tabs that use its handle at once one gets in, and the other ends nothing', async () => {
    const { signIn } = await person()
    const { Handle } = await signIn(true)
    const both = await Promise.allSettled([takeUp(Handle), takeUp(Handle)])
    const [within, ...more] = both.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    if (!within) throw new Error('neither got in')
    expect(more).toEqual([])
    expect(await outcomeOf(as(within).call(userInfo))).toBe('done')
    expect(await outcomeOf(takeUp(within.Handle))).toBe('done')
  })

  test('whose handle comes a second time at once, but from elsewhere, is forgotten', async () => {
    const { signIn } = await person()
    const { Handle } = await signIn(true)
    const taken = await takeUp(Handle)
    const elsewhere = stack.server.accounts.resume({ Handle: Handle ?? '' }, '203.0.113.9', null)
    await expect(elsewhere).rejects.toMatchObject({ key: over })
    expect(await outcomeOf(as(taken).call(userInfo))).not.toBe('done')
    expect(await outcomeOf(takeUp(taken.Handle))).toBe(over)
  })

  test('is in the database by a hash alone', async () => {
    const { signIn } = await person()
    const { Handle } = await signIn(true)
    const client = await stack.server.database.connect()
    const { rows } = await client.query('select * from remember')
    await client.end()
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(Handle)
  })

  test('is listed when no session is open on it, and ended from another', async () => {
    const { signIn } = await person()
    const device = await signIn(true)
    ahead += 31 * 60_000
    const here = await signIn()
    const { items } = await as(here).call(listSessions, { query: {} })
    expect(items).toMatchObject([
      { Current: true, Remembered: false, Alive: true },
      { Current: false, Remembered: true, Alive: false },
    ])
    const SessionID = items[1]?.SessionID ?? ''
    expect(await as(here).call(endSession, { body: { SessionID } })).toEqual({ Ended: 1 })
    expect(await outcomeOf(takeUp(device.Handle))).toBe(over)
  })

  test('is forgotten by signing out on it, by ending its session, and by a changed password', async () => {
    const { signIn, accountId, password } = await person()
    const [one, two, three] = [await signIn(true), await signIn(true), await signIn(true)]
    await as(one).call(logout, { body: { UserID: one.UserID } })
    expect(await outcomeOf(takeUp(one.Handle))).toBe(over)
    await as(three).call(endSession, { body: {} })
    expect(await outcomeOf(takeUp(two.Handle))).toBe(over)
    const change = { AccountID: accountId, PasswordMD5: md5Hex('Other-Walk-88'), OldPasswordMD5: md5Hex(password) }
    await as(three).call(editUser, { body: change })
    expect(await outcomeOf(takeUp(three.Handle))).toBe(over)
  })

  test('is forgotten after a week without use', async () => {
    const { signIn } = await person()
    const { Handle } = await signIn(true)
    ahead += 6 * day
    const again = await takeUp(Handle)
    ahead += 7 * day
    expect(await outcomeOf(takeUp(again.Handle))).toBe(over)
  })

  test('that signs in again by itself, and nobody is there, is not in use; somebody at a session on it is', async () => {
    const { signIn } = await person()
    const console = (session: Session | null, isThere: boolean) =>
      createClient({
        baseUrl: stack.url,
        session: () => session && { userId: session.UserID, token: session.Token },
        now: () => Date.now() + ahead,
        attended: () => isThere,
      })
    const alone = ({ Handle }: Session) => console(null, false).call(resume, { body: { Handle: Handle ?? '' } })
    const first = await signIn(true)
    ahead += 6 * day
    const unattended = await alone(first)
    ahead += 60_000
    await console(unattended, true).call(userInfo)
    ahead += 6 * day
    const again = await alone(unattended)
    ahead += day
    expect(await outcomeOf(alone(again))).toBe(over)
  })

  test('operates nothing before the password was given', async () => {
    const signedIn = await nobody().call(login, {
      body: { UserName: stack.admin.userName, Password: md5Hex(stack.admin.password), Remember: true },
    })
    const takenUp = await takeUp(signedIn.Handle)
    const session = as(takenUp)
    const params = { ControllerID: 'A-T1', LineNo: 3, attr: 'trip' } as const
    const trip = (client = session) =>
      client.call(operateLine, { params, body: { CommandID: crypto.randomUUID(), Reason: 'test' } })
    expect(await outcomeOf(trip())).toBe('password needed')
    expect(stack.fleet.executed).toHaveLength(0)
    // Nor does it change the plant or who may do what: whoever found the device would make themselves a way in that stays.
    const other = await person()
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
      const request = { method: call.method, timeStamp: Math.floor((Date.now() + ahead) / 1_000), ...exampleOf(call, params) }
      const { envelope } = await sendRaw(stack.url, { userId: takenUp.UserID, token: takenUp.Token }, request)
      expect([call.name, envelope.Message]).toEqual([call.name, 'password needed'])
    }
    expect(await outcomeOf(session.call(listUsers, { body: {} }))).toBe('done')
    // Nor its own other sessions: their person would be the one who is thrown out.
    expect(await outcomeOf(session.call(endSession, { body: { SessionID: '999999' } }))).toBe('password again')
    expect(await outcomeOf(session.call(proveSession, { body: { Password: md5Hex('wrong') } }))).toBe('password incorrect')
    const { Token } = await session.call(proveSession, { body: { Password: md5Hex(stack.admin.password) } })
    // The former token still signs what is under way, and may no more than before.
    expect(await outcomeOf(trip())).toBe('password needed')
    expect(await outcomeOf(throwOut())).toBe('password needed')
    expect(await outcomeOf(session.call(endSession, { body: {} }))).toBe('password again')
    const proved = as({ ...takenUp, Token })
    expect(await proved.call(endSession, { body: { AccountID: other.accountId } })).toEqual({ Ended: 1 })
    expect(await outcomeOf(trip(proved))).toBe('done')
  })
})

describe('a session whose person gives the password', () => {
  const minute = 60_000
  const contact = async (client: Client, accountId: string, Mobile: string) =>
    outcomeOf(client.call(editUser, { body: { AccountID: accountId, Mobile } }))

  test('goes on under another token; the former one signs what is still under way, and then nothing', async () => {
    const { signIn, password } = await person()
    const session = await signIn()
    const { Token } = await as(session).call(proveSession, { body: { Password: md5Hex(password) } })
    expect(Token).not.toBe(session.Token)
    expect(await outcomeOf(as(session).call(userInfo))).toBe('done')
    ahead += 10_000
    expect(await outcomeOf(as(session).call(userInfo))).toBe('signature wrong')
    const now = as({ ...session, Token })
    expect(await outcomeOf(now.call(userInfo))).toBe('done')
    expect((await now.call(listSessions, { query: {} })).items).toHaveLength(1)
  })

  test('that was wrong goes on under the token it has', async () => {
    const session = await (await person()).signIn()
    expect(await outcomeOf(as(session).call(proveSession, { body: { Password: md5Hex('wrong') } }))).toBe('password incorrect')
    ahead += minute
    expect(await outcomeOf(as(session).call(userInfo))).toBe('done')
  })

  test('gives it again after five minutes, before it says where the person is reached or ends their other sessions', async () => {
    const { signIn, password, accountId } = await person()
    const [session, elsewhere] = [await signIn(), await signIn()]
    expect(await contact(as(session), accountId, '13700000001')).toBe('done')
    ahead += 5 * minute
    expect(await contact(as(session), accountId, '13700000002')).toBe('password again')
    // What stays as it is, and what reaches nobody, is no matter for a password.
    expect(await contact(as(session), accountId, '13700000001')).toBe('done')
    expect(await outcomeOf(as(session).call(editUser, { body: { AccountID: accountId, NickName: '新名' } }))).toBe('done')
    const email = { AccountID: accountId, Email: 'a@example.com' }
    expect(await outcomeOf(as(session).call(editUser, { body: email }))).toBe('password again')
    expect(await outcomeOf(as(session).call(endSession, { body: {} }))).toBe('password again')
    expect(await outcomeOf(as(elsewhere).call(userInfo))).toBe('done')
    const { Token } = await as(session).call(proveSession, { body: { Password: md5Hex(password) } })
    // Who knows only the former token gains nothing by it.
    expect(await contact(as(session), accountId, '13700000002')).toBe('password again')
    expect(await outcomeOf(as(session).call(endSession, { body: {} }))).toBe('password again')
    const now = as({ ...session, Token })
    expect(await contact(now, accountId, '13700000002')).toBe('done')
    expect(await outcomeOf(now.call(editUser, { body: email }))).toBe('done')
    expect(await now.call(endSession, { body: {} })).toEqual({ Ended: 1 })
    expect(await outcomeOf(as(elsewhere).call(userInfo))).toBe('signature wrong')
  })
})

describe('a session', () => {
  const half = 15 * 60_000
  /** A console at which somebody is, or nobody; undefined: a caller that does not say. */
  const at = ({ UserID, Token }: Session, attended: boolean | undefined) =>
    createClient({
      baseUrl: stack.url,
      session: () => ({ userId: UserID, token: Token }),
      now: () => Date.now() + ahead,
      ...(attended !== undefined && { attended: () => attended }),
    })

  test.each([
    ['ends with half an hour in which a page asked by itself', false, userInfo, 'session expired'],
    ['lives while somebody is at a page that only polls', true, isNewMessage, 'done'],
    ['of whoever does not say so lives with its calls', undefined, userInfo, 'done'],
    ['of whoever does not say so does not live with its polls', undefined, isNewMessage, 'session expired'],
  ] as const)('%s', async (_, attended, call, outcome) => {
    const client = at(await (await person()).signIn(), attended)
    ahead += half
    await client.call<Call>(call, { query: {} })
    ahead += half
    expect(await outcomeOf(client.call(userInfo))).toBe(outcome)
  })
})

describe('five wrong passwords are judged, however many are tried at once:', () => {
  const judged = async (Action: string, Actor: string) =>
    (await (await admin()).call(listJournal, { body: { Action, Actor, Size: 100 } })).items.filter(
      ({ Outcome }) => Outcome === 'refused',
    )
  const thirty = (attempt: () => Promise<unknown>) => Promise.all(Array.from({ length: 30 }, () => outcomeOf(attempt())))

  test('of a sign-in, and the right one does not help', async () => {
    const { userName, signIn } = await person()
    // Writing the name otherwise opens no second count.
    const wrong = () => nobody().call(login, { body: { UserName: userName.toUpperCase(), Password: md5Hex('wrong') } })
    const all = await thirty(wrong)
    expect(all.filter((each) => each === 'account locked')).toHaveLength(26)
    expect(await judged('login', userName.toUpperCase())).toHaveLength(5)
    expect(await outcomeOf(signIn())).toBe('account locked')
  })

  test('of proving a session', async () => {
    const { userName, signIn } = await person()
    const session = as(await signIn())
    const all = await thirty(() => session.call(proveSession, { body: { Password: md5Hex('wrong') } }))
    expect(all.filter((each) => each === 'password incorrect')).toHaveLength(5)
    expect(await judged('account.password', userName)).toHaveLength(5)
  })

  test('of the control password', async () => {
    const { userName, accountId, password, signIn } = await person()
    const session = as(await signIn())
    const control = { ControlPassword: md5Hex('Control-7391'), OldPasswordMD5: md5Hex(password) }
    await session.call(editUser, { body: { AccountID: accountId, ...control } })
    const wrong = { Password: md5Hex('wrong'), Operation: 'line:A-T1/3:trip' }
    const all = await thirty(() => session.call(grantControl, { body: wrong }))
    expect(all.filter((each) => each === 'control locked')).toHaveLength(26)
    expect(await judged('control.grant', userName)).toHaveLength(5)
  })
})

const codeOf = (key: string, at = Date.now() + ahead): string => codeAt(key, at)

/** Somebody whose sign-in takes a code. */
async function enrolled(kind: 'project' | 'platform' = 'project') {
  const who = await person(kind)
  const session = as(await who.signIn())
  const { Key } = await session.call(beginSecondFactor, { body: { Password: md5Hex(who.password) } })
  const { RecoveryCodes } = await session.call(confirmSecondFactor, { body: { Code: codeOf(Key) } })
  // The next code is another one.
  ahead += 60_000
  return { ...who, session, key: Key, codes: RecoveryCodes, step: (remember = false) => stepOf(who.signIn(remember)) }
}

const give = (Step: string, Code: string) => nobody().call(giveSecondFactor, { body: { Step, Code } })

describe('a second factor', () => {
  test('counts once a code was given, ends the sessions elsewhere, and leaves ten recovery codes', async () => {
    const { signIn, password, accountId } = await person()
    const [elsewhere, here] = [as(await signIn(true)), as(await signIn())]
    const Bind = 'b'.repeat(43)
    const Ticket = await stack.server.accounts.ticketFor(accountId, Bind)
    expect(await outcomeOf(here.call(beginSecondFactor, { body: { Password: md5Hex('wrong') } }))).toBe('password incorrect')
    const { Key, Uri } = await here.call(beginSecondFactor, { body: { Password: md5Hex(password) } })
    expect(new URL(Uri).searchParams.get('secret')).toBe(Key)
    expect(await outcomeOf(signIn())).toBe('done')
    expect(await outcomeOf(here.call(confirmSecondFactor, { body: { Code: '000000' } }))).toBe('code wrong')
    const { RecoveryCodes } = await here.call(confirmSecondFactor, { body: { Code: codeOf(Key) } })
    expect(new Set(RecoveryCodes).size).toBe(10)
    expect(await here.call(secondFactor)).toEqual({ On: true, Required: false, RecoveryCodes: 10 })
    expect(await outcomeOf(elsewhere.call(userInfo))).not.toBe('done')
    expect(await outcomeOf(nobody().call(redeemSignOn, { body: { Ticket, Bind } }))).toBe('sign-in step over')
    expect(await outcomeOf(signIn())).toBe('second factor needed')
  })

  test('lets in with the code of the moment, and a remembered device without another', async () => {
    const { step, key } = await enrolled()
    const session = await give(await step(true), codeOf(key))
    expect((await as(session).call(userInfo)).SecondFactor).toBe('on')
    expect(await outcomeOf(takeUp(session.Handle))).toBe('done')
  })

  test('takes no code twice, not even of two people at once', async () => {
    const { step, key } = await enrolled()
    const [one, two, three] = [await step(), await step(), await step()]
    const code = codeOf(key)
    const both = await Promise.all([outcomeOf(give(one, code)), outcomeOf(give(two, code))])
    expect(both.toSorted()).toEqual(['code wrong', 'done'])
    expect(await outcomeOf(give(three, code))).toBe('code wrong')
  })

  test('takes each recovery code once', async () => {
    const { step, codes } = await enrolled()
    const [code = ''] = codes
    const session = await give(await step(), code)
    expect(await outcomeOf(give(await step(), code))).toBe('code wrong')
    expect((await as(session).call(secondFactor)).RecoveryCodes).toBe(9)
  })

  test('locks after five wrong codes, however many are tried at once, and the right one does not help', async () => {
    const { step, key } = await enrolled()
    const Step = await step()
    const wrong = codeOf(key) === '123456' ? '654321' : '123456'
    const all = await Promise.all(Array.from({ length: 12 }, () => outcomeOf(give(Step, wrong))))
    expect(all.filter((each) => each === 'code wrong')).toHaveLength(4)
    expect(all.filter((each) => each === 'account locked')).toHaveLength(8)
    expect(await outcomeOf(give(Step, codeOf(key)))).toBe('account locked')
    ahead += 16 * 60_000
    expect(await outcomeOf(give(await step(), codeOf(key)))).toBe('done')
  })

  test('of a sign-in waits five minutes, once, and for its own way only', async () => {
    const { step, key } = await enrolled()
    const Step = await step()
    expect(await outcomeOf(nobody().call(redeemSignOn, { body: { Ticket: Step, Bind: Step } }))).toBe('sign-in step over')
    await give(Step, codeOf(key))
    ahead += 60_000
    expect(await outcomeOf(give(Step, codeOf(key)))).toBe('sign-in step over')
    const late = await step()
    ahead += 5 * 60_000
    expect(await outcomeOf(give(late, codeOf(key)))).toBe('sign-in step over')
  })

  test('given after the password was changed opens nothing: the sign-in began with the old one', async () => {
    const { session, step, key, accountId, password } = await enrolled()
    const Step = await step()
    const change = { AccountID: accountId, PasswordMD5: md5Hex('Other-Walk-88'), OldPasswordMD5: md5Hex(password) }
    await session.call(editUser, { body: change })
    expect(await outcomeOf(give(Step, codeOf(key)))).toBe('sign-in step over')
  })

  test('is not begun anew while it is on, is renewed with a code, and removed with password and code', async () => {
    const { session, key, password, codes, signIn } = await enrolled()
    const Password = md5Hex(password)
    expect(await outcomeOf(session.call(beginSecondFactor, { body: { Password } }))).toBe('second factor on')
    const renewed = await session.call(renewRecoveryCodes, { body: { Code: codeOf(key) } })
    expect(renewed.RecoveryCodes.filter((code) => codes.includes(code))).toEqual([])
    ahead += 60_000
    const Code = codeOf(key)
    expect(await outcomeOf(session.call(removeSecondFactor, { body: { Password: md5Hex('x'), Code } }))).toBe(
      'password incorrect',
    )
    await session.call(removeSecondFactor, { body: { Password, Code } })
    expect(await outcomeOf(signIn())).toBe('done')
  })

  test('that was lost is reset by an administrator, which is in the log and ends the sessions', async () => {
    const { session, accountId, signIn, userName } = await enrolled()
    const administrator = await admin()
    const [listed] = (await administrator.call(listUsers, { body: { UserName: userName } })).items
    expect(listed?.SecondFactor).toBe(true)
    expect(await outcomeOf(session.call(resetSecondFactor, { body: { AccountID: accountId } }))).toBe('access denied')
    await administrator.call(resetSecondFactor, { body: { AccountID: accountId } })
    expect(await outcomeOf(session.call(userInfo))).toBe('session expired')
    expect(await outcomeOf(signIn())).toBe('done')
    const { items } = await administrator.call(listJournal, { body: { Action: 'account.factor.reset', Size: 5 } })
    expect(items[0]).toMatchObject({ Actor: 'admin', Target: userName, Outcome: 'done' })
  })

  test('is in the database sealed, its recovery codes by hashes', async () => {
    const { key, codes } = await enrolled()
    const client = await stack.server.database.connect()
    const { rows } = await client.query('select * from second_factor left join recovery_code using (account_id)')
    await client.end()
    for (const secret of [key, ...codes]) expect(JSON.stringify(rows)).not.toContain(secret)
  })
})

test('where it is required a platform administrator does nothing before it is set up, others go on', async () => {
  const strict = await startStack({ plan: smallPlan, env: { LINEWARDEN_REQUIRE_SECOND_FACTOR: 'yes' } })
  try {
    const { client, admin } = strict
    expect((await client.call(userInfo)).SecondFactor).toBe('required')
    expect(await outcomeOf(client.call(listUsers, { body: {} }))).toBe('second factor required')
    expect(await outcomeOf(client.call(liveTicket))).toBe('second factor required')
    const order = { CommandID: crypto.randomUUID(), Reason: 'x' }
    const trip = client.call(operateLine, { params: { ControllerID: 'A-T1', LineNo: 1, attr: 'trip' }, body: order })
    expect(await outcomeOf(trip)).toBe('second factor required')
    const { general } = strict.server.database
    const refused = await general.selectFrom('audit').selectAll().where('action', '=', 'operateLine').execute()
    expect(refused).toMatchObject([{ actor: admin.userName, target: 'A-T1/1', outcome: 'refused' }])
    const { Key } = await client.call(beginSecondFactor, { body: { Password: md5Hex(admin.password) } })
    await client.call(confirmSecondFactor, { body: { Code: codeOf(Key, Date.now()) } })
    const body = { UserName: 'second', NickName: '二', Password: md5Hex('Second-7391') }
    expect(await outcomeOf(client.call(addAdministrator, { body }))).toBe('done')
    const open = createClient({ baseUrl: strict.url, session: () => null })
    const other = await open.call(login, { body: { UserName: 'second', Password: md5Hex('Second-7391') } })
    const session = createClient({ baseUrl: strict.url, session: () => ({ userId: other.UserID, token: other.Token }) })
    expect(await outcomeOf(session.call(listUsers, { body: {} }))).toBe('done')
  } finally {
    await strict.close()
  }
})

test('where it is required of operators, who may switch sets it up first, and who reads goes on', async () => {
  const strict = await startStack({ plan: smallPlan, env: { LINEWARDEN_REQUIRE_SECOND_FACTOR: 'operators' } })
  try {
    const { accounts } = strict.server
    const open = createClient({ baseUrl: strict.url, session: () => null })
    const asked = async (userName: string, kind: 'sub' | 'shared' | 'project', buttons: string[]) => {
      const roleId = await accounts.createRole({ number: userName, name: userName, privileges: ['monitor'], buttons })
      await accounts.createAccount({ userName, password: 'Walk-7391-x', kind, roleId })
      const { UserID, Token } = await open.call(login, { body: { UserName: userName, Password: md5Hex('Walk-7391-x') } })
      const client = createClient({ baseUrl: strict.url, session: () => ({ userId: UserID, token: Token }) })
      return [
        (await client.call(userInfo)).SecondFactor,
        (await client.call(secondFactor)).Required,
        await outcomeOf(client.call(liveTicket)),
      ]
    }
    expect(await asked('chief', 'project', [])).toEqual(['required', true, 'second factor required'])
    expect(await asked('switches', 'sub', ['lineSwitch'])).toEqual(['required', true, 'second factor required'])
    expect(await asked('reads', 'sub', [])).toEqual(['off', false, 'done'])
    expect(await asked('fire', 'shared', ['lineSwitch'])).toEqual(['off', false, 'done'])
  } finally {
    await strict.close()
  }
})
