import { createClient, md5Hex } from '@linewarden/client'
import {
  addAdministrator,
  beginSecondFactor,
  confirmSecondFactor,
  editUser,
  giveSecondFactor,
  listJournal,
  listUsers,
  liveTicket,
  login,
  operateLine,
  redeemSignOn,
  removeSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
  secondFactor,
  userInfo,
} from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeAt, stepOf } from '../../kit/authenticator.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { SignInHouse } from '../../kit/sign-in-house.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import { startStack } from '../../kit/stack.ts'

let house: SignInHouse

beforeAll(async () => {
  house = await SignInHouse.start()
})
afterAll(() => house?.close())

const codeOf = (key: string, at = house.now()): string => codeAt(key, at)

/** Somebody whose sign-in takes a code. */
async function enrolled(kind: 'project' | 'platform' = 'project') {
  const who = await house.person(kind)
  const session = house.as(await who.signIn())
  const { Key } = await session.call(beginSecondFactor, { body: { Password: md5Hex(who.password) } })
  const { RecoveryCodes } = await session.call(confirmSecondFactor, { body: { Code: codeOf(Key) } })
  // The next code is another one.
  house.pass(60_000)
  return { ...who, session, key: Key, codes: RecoveryCodes, step: (remember = false) => stepOf(who.signIn(remember)) }
}

const give = (Step: string, Code: string) => house.nobody().call(giveSecondFactor, { body: { Step, Code } })

describe('a second factor', () => {
  test('counts once a code was given, ends the sessions elsewhere, and leaves ten recovery codes', async () => {
    const { signIn, password, accountId } = await house.person()
    const [elsewhere, here] = [house.as(await signIn(true)), house.as(await signIn())]
    const Bind = 'b'.repeat(43)
    const Ticket = await house.stack.server.accounts.ticketFor(accountId, Bind)
    expect(await outcomeOf(here.call(beginSecondFactor, { body: { Password: md5Hex('wrong') } }))).toBe('password incorrect')
    const { Key, Uri } = await here.call(beginSecondFactor, { body: { Password: md5Hex(password) } })
    expect(new URL(Uri).searchParams.get('secret')).toBe(Key)
    expect(await outcomeOf(signIn())).toBe('done')
    expect(await outcomeOf(here.call(confirmSecondFactor, { body: { Code: '000000' } }))).toBe('code wrong')
    const { RecoveryCodes } = await here.call(confirmSecondFactor, { body: { Code: codeOf(Key) } })
    expect(new Set(RecoveryCodes).size).toBe(10)
    expect(await here.call(secondFactor)).toEqual({ On: true, Required: false, RecoveryCodes: 10 })
    expect(await outcomeOf(elsewhere.call(userInfo))).not.toBe('done')
    expect(await outcomeOf(house.nobody().call(redeemSignOn, { body: { Ticket, Bind } }))).toBe('sign-in step over')
    expect(await outcomeOf(signIn())).toBe('second factor needed')
  })

  test('lets in with the code of the moment, and a remembered device without another', async () => {
    const { step, key } = await enrolled()
    const session = await give(await step(true), codeOf(key))
    expect((await house.as(session).call(userInfo)).SecondFactor).toBe('on')
    expect(await outcomeOf(house.takeUp(session.Handle))).toBe('done')
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
    expect((await house.as(session).call(secondFactor)).RecoveryCodes).toBe(9)
  })

  test('locks after five wrong codes, however many are tried at once, and the right one does not help', async () => {
    const { step, key } = await enrolled()
    const Step = await step()
    const wrong = codeOf(key) === '123456' ? '654321' : '123456'
    const all = await Promise.all(Array.from({ length: 12 }, () => outcomeOf(give(Step, wrong))))
    expect(all.filter((each) => each === 'code wrong')).toHaveLength(4)
    expect(all.filter((each) => each === 'account locked')).toHaveLength(8)
    expect(await outcomeOf(give(Step, codeOf(key)))).toBe('account locked')
    house.pass(16 * 60_000)
    expect(await outcomeOf(give(await step(), codeOf(key)))).toBe('done')
  })

  test('of a sign-in waits five minutes, once, and for its own way only', async () => {
    const { step, key } = await enrolled()
    const Step = await step()
    expect(await outcomeOf(house.nobody().call(redeemSignOn, { body: { Ticket: Step, Bind: Step } }))).toBe('sign-in step over')
    await give(Step, codeOf(key))
    house.pass(60_000)
    expect(await outcomeOf(give(Step, codeOf(key)))).toBe('sign-in step over')
    const late = await step()
    house.pass(5 * 60_000)
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
    house.pass(60_000)
    const Code = codeOf(key)
    expect(await outcomeOf(session.call(removeSecondFactor, { body: { Password: md5Hex('x'), Code } }))).toBe(
      'password incorrect',
    )
    await session.call(removeSecondFactor, { body: { Password, Code } })
    expect(await outcomeOf(signIn())).toBe('done')
  })

  test('that was lost is reset by an administrator, which is in the log and ends the sessions', async () => {
    const { session, accountId, signIn, userName } = await enrolled()
    const administrator = await house.admin()
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
    const client = await house.stack.server.database.connect()
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
