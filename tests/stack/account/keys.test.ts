import { createClient, md5Hex } from '@linewarden/client'
import {
  addKey,
  allCalls,
  deleteUser,
  editRole,
  grantControl,
  keySignIn,
  ledger,
  lineDetails,
  listJournal,
  listKeys,
  listProjects,
  logout,
  operateLine,
  revokeKey,
  snapshot,
  tree,
} from '@linewarden/contract'
import { keyMayCall } from '@linewarden/rules/account'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { exampleOf } from '../../kit/example.ts'
import { sendRaw } from '../../kit/send-raw.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

let stack: Stack
let aheadMs = 0
let frozenAt: number | null = null
const clock = () => frozenAt ?? Date.now() + aheadMs
let a: number
let b: number

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock })
  const idOf = (name: string) => [...stack.server.plant.projects.values()].find((each) => each.name === name)?.id ?? 0
  ;[a, b] = [idOf('项目A'), idOf('项目B')]
})
afterAll(() => stack?.close())

type Made = Awaited<ReturnType<typeof made>>
const made = async (more: { Operates?: boolean; Days?: number; Projects?: number[]; Name?: string } = {}, by = stack.client) =>
  by.call(addKey, { body: { Name: 'SCADA', Projects: [a], Days: 30, ...more } })

const open = (baseUrl: string) => createClient({ baseUrl, session: () => null, now: clock })
async function sessionBy({ Key, Secret }: Made) {
  const { UserID, Token } = await open(stack.url).call(keySignIn, { body: { KeyID: Key.KeyID, Secret } })
  return { userId: UserID, token: Token }
}
async function machine(key: Made) {
  const session = await sessionBy(key)
  return createClient({ baseUrl: stack.url, session: () => session, now: clock })
}
const refused = (promise: Promise<unknown>, message: string) =>
  expect(promise).rejects.toMatchObject({ problem: { kind: 'refusal', failure: { Message: message } } })
const line = (letter: string) => ({ params: { ControllerID: `${letter}-T1`, LineNo: 1 } })
const trip = (letter: string, LineNo = 1) => ({
  params: { ControllerID: `${letter}-T1`, LineNo, attr: 'trip' as const },
  body: { CommandID: crypto.randomUUID(), Reason: 'load shedding' },
})

describe('a key that only reads', () => {
  test('sees the projects that it names, and no other', async () => {
    const by = await machine(await made())
    expect((await by.call(lineDetails, line('A'))).ControllerID).toBe('A-T1')
    await refused(by.call(lineDetails, line('B')), 'device not exists')
    await refused(by.call(snapshot, { query: { HouseID: b } }), 'project not exists')
    const { Groups } = await by.call(tree, { query: {} })
    expect(Groups.flatMap(({ Houses }) => Houses.map(({ Name }) => Name))).toEqual(['项目A'])
    const lines = await by.call(snapshot, { query: {} })
    expect(new Set(lines.items.map(({ LineID }) => stack.server.plant.lines.get(LineID)?.device.gateway.project.id))).toEqual(
      new Set([a]),
    )
    expect((await by.call(listProjects, { query: {} })).items.map(({ Name }) => Name)).toEqual(['项目A'])
    expect((await by.call(ledger, { query: {} })).items.every(({ Command }) => Command.ControllerID === 'A-T1')).toBe(true)
  })

  test('makes no call that is not a machine’s: no key, no user, no order, no log', async () => {
    const denied = allCalls.filter((call) => call.permission !== 'public' && !keyMayCall(call, { operates: false }))
    expect(denied.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'addKey',
        'listKeys',
        'revokeKey',
        'proveSession',
        'liveTicket',
        'editUser',
        'operateLine',
        'listJournal',
      ]),
    )
    const answers = new Map<string, number>()
    let session = await sessionBy(await made())
    for (const [index, call] of denied.entries()) {
      // Of one key so many at once are all that is answered.
      if (index % 200 === 199) session = await sessionBy(await made())
      const { path, body } = exampleOf(call, { ControllerID: 'A-T1', attr: 'trip' })
      const timeStamp = Math.floor(clock() / 1_000)
      const { envelope } = await sendRaw(stack.url, session, { method: call.method, path, body, timeStamp })
      answers.set(envelope.Message, (answers.get(envelope.Message) ?? 0) + 1)
    }
    expect([...answers]).toEqual([['key may not', denied.length]])
  }, 120_000)

  test('has a session that ends with signing out, and no more', async () => {
    const key = await made()
    const [one, other] = [await sessionBy(key), await machine(key)]
    await createClient({ baseUrl: stack.url, session: () => one, now: clock }).call(logout, { body: { UserID: one.userId } })
    expect((await other.call(lineDetails, line('A'))).ControllerID).toBe('A-T1')
    await stack.client.call(tree, { query: {} })
  })
})

describe('a key that operates', () => {
  test('trips a line on the path of a person, and stands in history and log by its name', async () => {
    const by = await machine(await made({ Operates: true, Name: 'Load shed' }))
    const { CommandID } = await by.call(operateLine, trip('A', 2))
    const entry = async () => (await stack.client.call(ledger, { query: {} })).items[0]?.Command
    await vi.waitFor(async () => expect(await entry()).toMatchObject({ CommandID, State: 'verified' }))
    const actor = `${stack.admin.userName} / Load shed`
    expect(await entry()).toMatchObject({ Actor: actor, Reason: { en: 'load shedding' } })
    const { items } = await stack.client.call(listJournal, { body: { Action: 'line.trip', Size: 1 } })
    expect(items[0]).toMatchObject({ Actor: actor })
    await refused(by.call(operateLine, trip('B')), 'device not exists')
    await refused(
      by.call(operateLine, { ...trip('A'), body: { CommandID: crypto.randomUUID(), Reason: ' ' } }),
      'invalid parameter',
    )
  })

  test('gets a grant by the control password alone, and closes no more than a person without it or under an interlock', async () => {
    await stack.server.accounts.createAccount({
      userName: 'closer',
      password: 'Close-7391',
      kind: 'platform',
      controlPassword: 'Ctrl-7391',
    })
    const person = await signedIn(stack.url, { userName: 'closer', password: 'Close-7391' }, clock)
    const by = await machine(await made({ Operates: true }, person))
    const close = (Grant?: string) => ({
      params: { ControllerID: 'A-T1', LineNo: 2, attr: 'close' as const },
      body: { CommandID: crypto.randomUUID(), Reason: 'back', ...(Grant !== undefined && { Grant }) },
    })
    await refused(by.call(operateLine, close()), 'close not permitted')
    await refused(
      by.call(grantControl, { body: { Password: md5Hex('wrong'), Operation: 'close:A-T1/2' } }),
      'control password wrong',
    )
    const grant = async () =>
      (await by.call(grantControl, { body: { Password: md5Hex('Ctrl-7391'), Operation: 'close:A-T1/2' } })).Grant
    const closing = stack.server.plant.lineAt('A-T1', 2)
    if (closing) closing.lockoutCause = 'arc'
    await refused(by.call(operateLine, close(await grant())), 'close not permitted')
  })
})

const wrong = (body: { KeyID: string; Secret: string }) => refused(open(stack.url).call(keySignIn, { body }), 'key wrong')

describe('a key opens nothing', () => {
  test('with another secret, by another number, or that nobody has', async () => {
    const { Key, Secret } = await made()
    const other = await made()
    await wrong({ KeyID: Key.KeyID, Secret: other.Secret })
    await wrong({ KeyID: other.Key.KeyID, Secret })
    await wrong({ KeyID: crypto.randomUUID(), Secret })
  })

  test('from the moment on at which it is revoked, and its sessions end', async () => {
    const key = await made()
    const by = await machine(key)
    await by.call(lineDetails, line('A'))
    await stack.client.call(revokeKey, { body: { KeyID: key.Key.KeyID } })
    // Its account has other sessions, and this signature is of none of them.
    await refused(by.call(lineDetails, line('A')), 'signature wrong')
    await wrong({ KeyID: key.Key.KeyID, Secret: key.Secret })
    const { items } = await stack.client.call(listKeys, { query: { Size: 50 } })
    expect(items.find(({ KeyID }) => KeyID === key.Key.KeyID)).toMatchObject({ State: 'revoked', Name: 'SCADA' })
  })
})

test('a key never may more than its maker at this moment, and ends with their account', async () => {
  const { accounts } = stack.server
  const privileges = ['devmon', 'devmon.realtime', 'system', 'system.keys']
  const role = { number: 'integrator', name: '集成', privileges, buttons: ['lineSwitch'] }
  const RoleID = await accounts.createRole(role)
  const userName = '13800000077'
  const AccountID = await accounts.createAccount({
    userName,
    password: 'Sub-73911',
    kind: 'sub',
    roleId: RoleID,
    projectIds: [a],
  })
  const person = await signedIn(stack.url, { userName, password: 'Sub-73911' }, clock)
  await refused(made({ Projects: [b] }, person), 'project not exists')
  const by = await machine(await made({ Operates: true }, person))
  expect((await by.call(operateLine, trip('A', 4))).Action).toBe('trip')
  await refused(by.call(ledger, { query: {} }), 'access denied')

  const admin = await signedIn(stack.url, stack.admin, clock)
  const edited = { RoleID, Name: role.name, Number: role.number, Description: '', Version: 1 }
  await admin.call(editRole, { body: { ...edited, Privileges: privileges, Buttons: [] } })
  await refused(
    (await machine(await made({ Operates: true }, await signedIn(stack.url, { userName, password: 'Sub-73911' }, clock)))).call(
      operateLine,
      trip('A', 5),
    ),
    'access denied',
  )

  const left = await made({}, await signedIn(stack.url, { userName, password: 'Sub-73911' }, clock))
  await admin.call(deleteUser, { body: { AccountID } })
  await refused(open(stack.url).call(keySignIn, { body: { KeyID: left.Key.KeyID, Secret: left.Secret } }), 'key wrong')
})

test('whoever asks too fast waits, and the key’s secret stands nowhere', async () => {
  const key = await made({ Name: 'Loop' })
  const session = await sessionBy(key)
  frozenAt = clock()
  const answers = new Set<string>()
  const ask = createClient({ baseUrl: stack.url, session: () => session, now: clock })
  for (let n = 0; n < 400 && !answers.has('too many requests'); n++)
    await ask.call(lineDetails, line('A')).then(
      () => answers.add(''),
      (error) => answers.add(error.problem.failure.Message),
    )
  frozenAt = null
  expect([...answers]).toEqual(['', 'too many requests'])
  const client = await stack.server.database.connect()
  const { rows } = await client
    .query<{ text: string }>(
      `select (select string_agg(audit::text, ' ') from audit) || (select string_agg(machine_key::text, ' ') from machine_key) as text`,
    )
    .finally(() => client.end())
  expect(rows[0]?.text).toContain('Loop')
  expect(rows[0]?.text).not.toContain(key.Secret)
})

test('making one takes the password within five minutes; of what one does not see there is none', async () => {
  const userName = 'many-keys'
  await stack.server.accounts.createAccount({ userName, password: 'Many-7391', kind: 'project' })
  const person = await signedIn(stack.url, { userName, password: 'Many-7391' }, clock)
  await refused(made({}, person), 'project not exists')
  const admin = await signedIn(stack.url, stack.admin, clock)
  aheadMs += 300_001
  await refused(made({}, admin), 'password again')
})

test('a key opens nothing once its time is over, though its session has begun before', async () => {
  const key = await made({ Days: 1 }, await signedIn(stack.url, stack.admin, clock))
  aheadMs += 86_400_000 - 60_000
  const by = await machine(key)
  await by.call(lineDetails, line('A'))
  aheadMs += 61_000
  await refused(by.call(lineDetails, line('A')), 'session expired')
  await wrong({ KeyID: key.Key.KeyID, Secret: key.Secret })
})
