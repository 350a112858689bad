import { createClient, md5Hex } from '@linewarden/client'
import { addKey, allCalls, grantControl, keySignIn, lineDetails, listEvents, listKeys, revokeKey } from '@linewarden/contract'
import { keyMayCall } from '@linewarden/rules/account'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { raiseEvents } from '../../kit/raised-events.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

let stack: Stack
const now = Date.now()
const clock = () => now
let a: number

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock })
  a = [...stack.server.plant.projects.values()].find((each) => each.name === '项目A')?.id ?? 0
})
afterAll(() => stack?.close())

type Made = Awaited<ReturnType<typeof made>>
const made = async (more: { Operates?: boolean; Name?: string } = {}, by = stack.client) =>
  by.call(addKey, { body: { Name: 'SCADA', Projects: [a], Days: 30, ...more } })

async function sessionBy({ Key, Secret }: Made) {
  const anybody = createClient({ baseUrl: stack.url, session: () => null, now: clock })
  const { UserID, Token } = await anybody.call(keySignIn, { body: { KeyID: Key.KeyID, Secret } })
  return createClient({ baseUrl: stack.url, session: () => ({ userId: UserID, token: Token }), now: clock })
}
const outcome = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'done',
    (error) => error.problem.failure.Message,
  )
const read = (by: Awaited<ReturnType<typeof sessionBy>>) =>
  outcome(by.call(lineDetails, { params: { ControllerID: 'A-T1', LineNo: 1 } }))

async function maker(userName: string) {
  const password = 'Maker-7391'
  await stack.server.accounts.createAccount({ userName, password, kind: 'platform', controlPassword: 'Ctrl-7391' })
  return signedIn(stack.url, { userName, password }, clock)
}

test('guesses of a control password count against the account, whatever keys they come by', async () => {
  const person = await maker('guessed')
  const [one, other] = [
    await made({ Operates: true, Name: 'one' }, person),
    await made({ Operates: true, Name: 'other' }, person),
  ]
  const ask = (by: typeof person, password: string) =>
    outcome(by.call(grantControl, { body: { Password: md5Hex(password), Operation: 'close:A-T1/2' } }))
  const answers: string[] = []
  for (const key of [one, other, one, other]) {
    const by = await sessionBy(key)
    for (let n = 0; n < 5; n++) answers.push(await ask(by, `wrong-${n}`))
  }
  expect(answers.filter((each) => each === 'control locked').length).toBe(4)
  const third = await sessionBy(await made({ Operates: true, Name: 'third' }, person))
  expect(await ask(third, 'Ctrl-7391')).toBe('control locked')
})

test('a key prepares no file, in which people stand and for which its maker would wait', () => {
  const files = allCalls.filter((call) => {
    const data: unknown = 'data' in call ? call.data : undefined
    return JSON.stringify(data ?? {}).includes('"FileName"')
  })
  expect(files.length).toBeGreaterThan(10)
  expect(files.filter((call) => keyMayCall(call, { operates: true })).map(({ name }) => name)).toEqual([])
})

test('a key is told of no person who did something', async () => {
  await raiseEvents(stack, [{}])
  await stack.server.database.general
    .updateTable('event')
    .set({ state: 'acknowledged', acknowledged_by: '王工', acknowledged_at: new Date(now) })
    .execute()
  const seen = async (by: typeof stack.client) => JSON.stringify(await by.call(listEvents, { body: { Size: 200 } }))
  expect(await seen(stack.client)).toContain('王工')
  expect(await seen(await sessionBy(await made()))).not.toContain('王工')
})

test('signing in with a key again and again is refused, of another key it is not', async () => {
  const [loop, other] = [await made(), await made()]
  const answers: string[] = []
  for (let n = 0; n < 61; n++) answers.push(await outcome(sessionBy(loop)))
  expect(answers.indexOf('too many requests')).toBe(60)
  expect(await outcome(sessionBy(other))).toBe('done')
})

test('of a key three sessions stay, and none of them is a sign-in of its maker', async () => {
  const person = await maker('absent')
  const key = await made({}, person)
  const { general } = stack.server.database
  const long = new Date(now - 90 * 86_400_000)
  await general.updateTable('account').set({ last_login_at: long }).where('user_name', '=', 'absent').execute()
  const opened = [await sessionBy(key), await sessionBy(key), await sessionBy(key), await sessionBy(key)]
  expect(await Promise.all(opened.map(read))).toEqual(['signature wrong', 'done', 'done', 'done'])
  const account = await general
    .selectFrom('account')
    .select('last_login_at')
    .where('user_name', '=', 'absent')
    .executeTakeFirstOrThrow()
  expect(account.last_login_at).toEqual(long)
})

test('a valid key is listed before those that are over, of which fifty are kept', async () => {
  const person = await maker('busy')
  const oldest = await made({ Name: 'oldest' }, person)
  for (let n = 0; n < 3; n++) await person.call(revokeKey, { body: { KeyID: (await made({}, person)).Key.KeyID } })
  const client = await stack.server.database.connect()
  await client
    .query(
      `insert into machine_key (account_id, name, secret_hash, project_ids, made_at, expires_at, revoked_at)
       select account_id, 'x', 'y', '{1}', $1::timestamptz + n * interval '1 second', $1::timestamptz + interval '1 day', $1
       from account, generate_series(1, 200) n where user_name = 'busy'`,
      [new Date(now)],
    )
    .finally(() => client.end())
  const list = async (Page = 1) => person.call(listKeys, { query: { Page, Size: 50 } })
  const { items, total } = await list()
  expect(items).toContainEqual(expect.objectContaining({ KeyID: oldest.Key.KeyID, State: 'active' }))
  await made({}, person)
  expect(total - (await list()).total).toBe(200 + 3 - 50 - 1)
  expect((await list(2)).items.length).toBeGreaterThan(0)
})
