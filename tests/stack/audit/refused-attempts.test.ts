import type { Session } from '@linewarden/client'
import { md5Hex } from '@linewarden/client'
import { lineDetails, listJournal, login, pathOf, userInfo } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRaw } from '../../kit/send-raw.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { sessionOf, startStack } from '../../kit/stack.ts'
import { tryConnect } from '../../kit/try-connect.ts'

let stack: Stack
let session: Session
/** The house's clock stands still but for steps of the tests: attempts are counted by time, and a password takes its own. */
const begun = Date.now()
let ahead = 0
const now = () => begun + ahead
const minute = 60_000

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: now, env: { LINEWARDEN_TRUST_PROXY: 'yes' } })
  session = await sessionOf(stack.url, stack.admin)
})
afterAll(() => stack?.close())

const me = pathOf(userInfo)
const seconds = () => Math.floor(now() / 1_000)

/** What the log has of these attempts once all was counted: target, and how many each line stands for. */
async function logged(action: string) {
  await stack.server.refused.flush()
  const { items } = await stack.client.call(listJournal, { body: { Action: action, Outcome: 'refused', Size: 100 } })
  return items
    .map(({ Target, After }) => ({ Target, ...(JSON.parse(After ?? '{}') as { why: string; more?: number }) }))
    .toReversed()
}

/** A sign-in from an address of its own. */
async function signIn(from: string, userName: string, password = 'wrong'): Promise<string> {
  const body = JSON.stringify({ UserName: userName, Password: md5Hex(password) })
  const sent = { method: 'PUT', path: pathOf(login), body, forwardedFor: from, timeStamp: seconds() }
  return (await sendRaw(stack.url, { userId: '', token: '' }, sent)).envelope.Message
}

test('wrong signatures, replays and wrong clocks are one line each and a count, by account where one is known', async () => {
  for (let i = 0; i < 3; i++) await sendRaw(stack.url, session, { path: me, token: 'x', timeStamp: seconds() })
  for (let i = 0; i < 3; i++) await sendRaw(stack.url, session, { path: me, nonce: 'abcdef', timeStamp: 1_900_000_000 })
  const same = { path: me, nonce: 'abcdef', timeStamp: seconds() }
  for (let i = 0; i < 2; i++) await sendRaw(stack.url, session, same)
  await sendRaw(stack.url, session, { path: me, authorization: '%%%' })
  await sendRaw(stack.url, session, { path: me, authorization: null })
  const nobody = { userId: '00000000-0000-4000-8000-000000000000', token: 'x' }
  await sendRaw(stack.url, nobody, { path: me, timeStamp: seconds() })
  const lines = await logged('session.refused')
  expect(lines.filter(({ Target }) => Target === 'admin')).toEqual([
    { Target: 'admin', why: 'signature wrong' },
    { Target: 'admin', why: 'nonce replayed' },
    { Target: 'admin', why: 'signature wrong', more: 2 },
  ])
  expect(lines.filter(({ Target }) => Target === '')).toEqual([
    { Target: '', why: 'clock skewed' },
    { Target: '', why: 'authorization malformed' },
    { Target: '', why: 'clock skewed', more: 2 },
  ])
})

test('whoever asks for what they may not see, thing after thing, is a line of the log and a count; who sees everything is not', async () => {
  const owner = { userName: '13900000001', password: 'Owner-7391' }
  await stack.server.accounts.createAccount({ ...owner, kind: 'project' })
  const asking = await sessionOf(stack.url, owner)
  const lineAt = (ControllerID: string, by = asking) =>
    sendRaw(stack.url, by, { path: pathOf(lineDetails, { ControllerID, LineNo: 1 }), timeStamp: seconds() })
  for (let i = 0; i < 5; i++) expect((await lineAt(`GUESS-${i}`)).envelope.Message).toBe('device not exists')
  expect((await lineAt('GUESS', session)).envelope.Message).toBe('device not exists')
  expect(await logged('session.denied')).toEqual([
    { Target: owner.userName, why: 'device not exists', call: 'lineDetails' },
    { Target: owner.userName, why: 'device not exists', call: 'lineDetails', more: 4 },
  ])
})

test('gateways that are turned away are one line and a count, for those who see them', async () => {
  const [known = ''] = stack.server.plant.gatewayByNumber.keys()
  for (let i = 0; i < 3; i++) await tryConnect(stack.server.mqttPort, known, 'guess')
  for (let i = 0; i < 4; i++) await tryConnect(stack.server.mqttPort, `NOBODY-${i}`, 'guess')
  const lines = await logged('gateway.refused')
  expect(lines.filter(({ Target }) => Target === known)).toEqual([
    { Target: known, why: 'gateway refused' },
    { Target: known, why: 'gateway refused', more: 2 },
  ])
  expect(lines.filter(({ why }) => why === 'gateway unknown').reduce((all, { more = 1 }) => all + more, 0)).toBe(4)
})

test('names that nobody has are in the log as a count, and not by name', async () => {
  for (let i = 0; i < 5; i++) expect(await signIn('203.0.113.1', `nobody${i}`)).toBe('User name or password error')
  expect(await logged('login.refused')).toEqual([
    { Target: '', why: 'username notexists' },
    { Target: '', why: 'username notexists', more: 4 },
  ])
  const { items } = await stack.client.call(listJournal, { body: { Actor: 'nobody', Size: 10 } })
  expect(items).toEqual([])
})

test('one password tried on many accounts slows their network down, then locks it, and no other network', async () => {
  const spray = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, i) => signIn(`2001:db8::${i}`, `spray${ahead}-${i}`)))
  const isSlow = (outcome: string) => outcome === 'sign-in slowed'
  const first = await spray(40)
  expect(first.filter((each) => each === 'User name or password error')).toHaveLength(20)
  expect(first.filter(isSlow)).toHaveLength(20)
  ahead += 2_000
  expect((await spray(5)).filter(isSlow)).toHaveLength(4)
  // The owner at another network is not held up, nor by the next addresses of the same one.
  expect(await signIn('2001:db8:1::1', stack.admin.userName, stack.admin.password)).toBe('')
  expect(await signIn('2001:db8::ffff', stack.admin.userName, stack.admin.password)).toBe('sign-in slowed')
  for (let i = 0; i < 39; i++) {
    ahead += 9_000
    await signIn('2001:db8::1', `more${i}`)
  }
  ahead += 9_000
  expect(await signIn('2001:db8::1', stack.admin.userName, stack.admin.password)).toBe('sign-in slowed')
  ahead += 15 * minute
  expect(await signIn('2001:db8::1', stack.admin.userName, stack.admin.password)).toBe('')
})

test('while strangers crowd at the sign-in, more of one network than can wait are told to come back', async () => {
  ahead += 30 * minute
  const all = await Promise.all(Array.from({ length: 60 }, (_, i) => signIn('198.51.100.1', `crowd${i}`)))
  expect(all.filter((each) => each === 'User name or password error')).toHaveLength(20)
  expect(all.filter((each) => each === 'sign-in slowed')).toHaveLength(40)
})
