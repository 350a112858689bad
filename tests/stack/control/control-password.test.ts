import type { Client } from '@linewarden/client'
import { createClient, md5Hex } from '@linewarden/client'
import {
  grantControl,
  groupOperation,
  listJournal,
  login,
  operateLine,
  proveSession,
  resume,
  settingOperation,
  startRun,
  updateLine,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack({ plan: smallPlan })
})
afterAll(() => stack?.close())

const Password = md5Hex('Ctrl-2580')
const at = (LineNo: number) => ({ ControllerID: 'A-T1', LineNo })
const id = () => crypto.randomUUID()
const executed = (LineNo: number) =>
  stack.fleet.executed.filter((each) => each.lineNo === LineNo && each.outcome === 'executed').map(({ action }) => action)

/** Somebody with a control password, who may do everything. */
async function careful(userName: string) {
  const who = { userName, password: 'Duty-7391' }
  await stack.server.accounts.createAccount({ ...who, kind: 'platform', controlPassword: 'Ctrl-2580' })
  return { who, client: await signedIn(stack.url, who) }
}

const grant = async (client: Client, Operation: string, password = Password) =>
  (await client.call(grantControl, { body: { Password: password, Operation } })).Grant

async function wrong(client: Client, times: number): Promise<string[]> {
  const outcomes: string[] = []
  for (let i = 0; i < times; i++) outcomes.push(await outcomeOf(grant(client, 'close:A-T1/1', md5Hex(`no${i}`))))
  return outcomes
}

test('wrong control passwords lock closing and settings, and tripping by no path', async () => {
  const { client } = await careful('locked1')
  expect(await wrong(client, 5)).toEqual([...Array<string>(4).fill('control password wrong'), 'control locked'])
  const settings = { 'leakage.trip': 90 }
  const kept = ['close:A-T1/1', groupOperation('close', id(), [at(1)]), 'selfTest:A-T1/1', 'reclosure:A-T1/1', 'account:x']
  for (const operation of [...kept, settingOperation(id(), { lines: [at(1)], settings })])
    expect(await outcomeOf(grant(client, operation)), operation).toBe('control locked')
  const order = { ...at(1), Settings: [{ Key: 'leakage.trip', Value: 90 }], Reason: 'x', CommandID: id() }
  expect(await outcomeOf(client.call(updateLine, { body: order }))).toBe('control grant missing')

  // One line, a group of them, and whatever password is given: that tells nobody whether it was right.
  for (const [line, password] of [
    [1, Password],
    [2, md5Hex('no')],
  ] as const) {
    const Grant = await grant(client, `trip:A-T1/${line}`, password)
    await client.call(operateLine, { params: { ...at(line), attr: 'trip' }, body: { CommandID: id(), Reason: '触电', Grant } })
    await vi.waitFor(() => expect(executed(line)).toEqual(['trip']))
  }
  const RunID = id()
  const lines = [at(3), at(4)]
  const Grant = await grant(client, groupOperation('trip', RunID, lines))
  await client.call(startRun, { body: { RunID, Action: 'trip', Lines: lines, Reason: '触电', Grant } })
  await vi.waitFor(() => expect([executed(3), executed(4)]).toEqual([['trip'], ['trip']]))

  // A grant for a trip opens nothing else.
  const forTrip = await grant(client, 'trip:A-T1/5')
  const close = client.call(operateLine, {
    params: { ...at(1), attr: 'close' },
    body: { CommandID: id(), Reason: 'x', Grant: forTrip },
  })
  expect(await outcomeOf(close)).not.toBe('done')
  const { items } = await stack.client.call(listJournal, { body: { Actor: 'locked1', Action: 'control.grant', Size: 100 } })
  expect(items.filter(({ Outcome, After }) => Outcome === 'done' && After?.includes('control locked'))).toHaveLength(4)
})

test('who is asked for the control password to trip, and is wrong for the fifth time, trips', async () => {
  const { client } = await careful('locked2')
  await wrong(client, 4)
  expect(await outcomeOf(grant(client, 'trip:A-T1/6', md5Hex('no')))).toBe('done')
  expect(await outcomeOf(grant(client, 'close:A-T1/6'))).toBe('control locked')
})

test('guesses in one session leave the others of the account alone, until there are too many of them', async () => {
  const { who, client } = await careful('locked3')
  expect((await wrong(client, 5)).at(-1)).toBe('control locked')
  const other = await signedIn(stack.url, who)
  expect(await outcomeOf(grant(other, 'close:A-T1/7'))).toBe('done')
  for (let more = 0; more < 3; more++) expect((await wrong(await signedIn(stack.url, who), 5)).at(-1)).toBe('control locked')
  expect(await outcomeOf(grant(other, 'close:A-T1/7'))).toBe('control locked')
  expect(await outcomeOf(grant(other, 'trip:A-T1/7'))).toBe('done')
})

test('a device that is signed in from memory gives its password before it may try a control password', async () => {
  const { who, client } = await careful('locked4')
  const open = createClient({ baseUrl: stack.url, session: () => null, now: Date.now })
  const body = { UserName: who.userName, Password: md5Hex(who.password), Remember: true }
  const { Handle = '' } = await open.call(login, { body })
  const { UserID, Token } = await open.call(resume, { body: { Handle } })
  const session = { userId: UserID, token: Token }
  const found = createClient({ baseUrl: stack.url, session: () => session, now: Date.now })
  expect(new Set(await wrong(found, 20))).toEqual(new Set(['password needed']))
  expect(await outcomeOf(grant(client, 'close:A-T1/8'))).toBe('done')
  session.token = (await found.call(proveSession, { body: { Password: md5Hex(who.password) } })).Token
  expect(await outcomeOf(grant(found, 'close:A-T1/8'))).toBe('done')
})

test('of one press that goes out twenty times all get the same command, and one grant is enough', async () => {
  const { client } = await careful('twenty')
  const Grant = await grant(client, 'trip:A-T1/8')
  const CommandID = id()
  const press = () => client.call(operateLine, { params: { ...at(8), attr: 'trip' }, body: { CommandID, Reason: 'x', Grant } })
  const all = await Promise.all(Array.from({ length: 20 }, press))
  expect(new Set(all.map((each) => each.CommandID))).toEqual(new Set([CommandID]))
  await vi.waitFor(() => expect(executed(8)).toEqual(['trip']))
})
