import type { Session } from '@linewarden/client'
import { md5Hex } from '@linewarden/client'
import {
  acknowledgeEvent,
  addAdministrator,
  addGroup,
  addRole,
  airUpdate,
  allCalls,
  deleteGateway,
  deleteUser,
  editProject,
  editUser,
  enableGateway,
  getRun,
  lineCommands,
  operateLine,
  pathOf,
  placeTag,
  ppsControl,
  refusedAction,
  removeTag,
  renameLine,
  rotateSecret,
  smokeSilencing,
  startRun,
  stopRun,
  testLeakages,
  transferGateways,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { everyFamilyPlan } from '../../kit/every-family-plan.ts'
import { exampleOf } from '../../kit/example.ts'
import { outcomeOf } from '../../kit/refused.ts'
import type { Bad } from '../../kit/refused-once.ts'
import { refusedOnce } from '../../kit/refused-once.ts'
import { sendRaw } from '../../kit/send-raw.ts'
import type { Stack } from '../../kit/stack.ts'
import { sessionOf, startStack } from '../../kit/stack.ts'
import { place } from '../../kit/two-owners.ts'

// Whatever an order is refused for, and wherever that was found, it stands in the log once.
let stack: Stack
let session: Session

beforeAll(async () => {
  stack = await startStack({ plan: everyFamilyPlan })
  session = await sessionOf(stack.url, stack.admin)
})
afterAll(() => stack?.close())

const newId = () => crypto.randomUUID()
const order = () => ({ CommandID: newId(), Reason: 'test' })
const at = (ControllerID: string, LineNo: number) => ({ ControllerID, LineNo })

const operate = (place: ReturnType<typeof at>, attr: 'trip' | 'close', more: object = {}) =>
  stack.client.call(operateLine, { params: { ...place, attr }, body: { ...order(), ...more } })
const operation = (Action: 'trip' | 'close', Lines: ReturnType<typeof at>[], RunID = newId()) =>
  stack.client.call(startRun, { body: { RunID, Action, Lines, Reason: 'test' } })
const verified = (params: ReturnType<typeof at>) =>
  vi.waitFor(
    async () => {
      const { items } = await stack.client.call(lineCommands, { params, query: {} })
      expect(items[0]?.State).toBe('verified')
    },
    { interval: 50 },
  )

const named = () => {
  const line = stack.server.plant.lineAt('breaker3p', 1)
  return { DeviceID: line?.device.gateway.id ?? 0, LineID: line?.id ?? 0 }
}

/** Sent twice: for something else, the second time. */
const made = { operationId: newId(), commandId: newId() }

const rows: Readonly<Record<string, Bad>> = {
  'an operation that the family does not have': {
    refusal: 'action unknown',
    send: () => operate(at('smoke', 0), 'trip'),
    target: 'smoke/0',
  },
  'an air switch: an operation that there is not': {
    refusal: 'invalid parameter',
    send: () => stack.client.call(airUpdate, { body: { ...at('airSwitch3p', 2), ...order(), Action: 'explode' as 'trip' } }),
    target: 'airSwitch3p/2',
  },
  'a line that the air switch does not have': {
    refusal: 'device not exists',
    send: () => stack.client.call(airUpdate, { body: { ...at('airSwitch3p', 3), ...order(), Action: 'trip' } }),
    target: 'airSwitch3p/3',
  },
  'a line that the power controller does not have': {
    refusal: 'device not exists',
    send: () => stack.client.call(ppsControl, { body: { ...at('powerController', 3), ...order(), Action: 'trip' } }),
    target: 'powerController/3',
  },
  'silencing without an id': {
    refusal: 'invalid parameter',
    send: () => stack.client.call(smokeSilencing, { body: { ControllerID: 'smoke', Reason: 'x' } as never }),
    target: 'smoke',
  },
  'self-tests of what has none': {
    refusal: 'action unknown',
    send: () =>
      stack.client.call(testLeakages, {
        body: { RunID: newId(), Lines: [at('breaker3p', 1), at('airSwitch1p', 1)], Reason: 'x' },
      }),
    target: 'breaker3p/1 airSwitch1p/1',
  },
  'a group with something that cannot be switched': {
    refusal: 'action unknown',
    send: () => operation('close', [at('breaker3p', 1), at('smoke', 0)]),
    target: 'breaker3p/1 smoke/0',
  },
  'a group under the id of another': {
    refusal: 'operation id used',
    after: async () => {
      await operation('trip', [at('breaker3p', 2)], made.operationId)
      await verified(at('breaker3p', 2))
      const ended = async () => (await stack.client.call(getRun, { params: { RunID: made.operationId } })).EndedAt
      await vi.waitFor(async () => expect(await ended()).not.toBeNull())
    },
    send: () => operation('close', [at('breaker3p', 2)], made.operationId),
    target: 'breaker3p/2',
  },
  'a command under the id of another': {
    refusal: 'command id used',
    after: async () => {
      await operate(at('breaker1p', 2), 'trip', { CommandID: made.commandId })
      await verified(at('breaker1p', 2))
    },
    send: () => operate(at('breaker1p', 2), 'close', { CommandID: made.commandId }),
    target: 'breaker1p/2',
  },
  'the end of a group that there is not': {
    refusal: 'operation not exists',
    send: () => stack.client.call(stopRun, { params: { RunID: '00000000-0000-4000-8000-000000000077' } }),
    target: '00000000-0000-4000-8000-000000000077',
  },
  'a reason that says nothing': {
    refusal: 'invalid parameter',
    send: () => operate(at('breaker3p', 1), 'close', { Reason: ' ' }),
    target: 'breaker3p/1',
  },
  'a reason with a zero byte': {
    refusal: 'invalid parameter',
    send: () => operate(at('breaker3p', 1), 'trip', { Reason: 'a\0b' }),
    target: 'breaker3p/1',
  },
  'a reason with half a character': {
    refusal: 'invalid parameter',
    send: () => operate(at('breaker3p', 1), 'trip', { Reason: '\ud83d' }),
    target: 'breaker3p/1',
  },
  'a field with a zero byte in its name': {
    refusal: 'invalid parameter',
    send: () => operate(at('breaker3p', 1), 'trip', { 'a\0': 1 }),
    target: 'breaker3p/1',
  },
  'switching off a gateway that there is not': {
    refusal: 'gateway not exists',
    send: () => stack.client.call(enableGateway, { params: { DeviceID: 99_999 }, body: { Enabled: false } }),
    target: '99999',
  },
  'a new secret for one that there is not': {
    refusal: 'gateway not exists',
    send: () => stack.client.call(rotateSecret, { params: { DeviceID: 99_999 } }),
    target: '99999',
  },
  'removing one that there is not': {
    refusal: 'gateway not exists',
    send: () => stack.client.call(deleteGateway, { body: { DeviceID: 99_999 } }),
    target: '99999',
  },
  'moving some that there are not': {
    refusal: 'gateway not exists',
    send: () => stack.client.call(transferGateways, { body: { DeviceIDs: [99_998, 99_999], HouseID: 1 } }),
    target: '99998 99999',
  },
  'a line that was named otherwise meanwhile': {
    refusal: 'changed meanwhile',
    send: () => stack.client.call(renameLine, { params: named(), body: { LineName: '泵', Was: '没有的名称' } }),
    target: () => String(named().DeviceID),
  },
  'a group of a name that there is': {
    refusal: 'group exists',
    after: () => stack.client.call(addGroup, { body: { Name: '一组' } }),
    send: () => stack.client.call(addGroup, { body: { Name: '一组' } }),
    target: '一组',
  },
  'a role with a right that there is not': {
    refusal: 'permission unknown',
    send: () => stack.client.call(addRole, { body: { Number: 'r-1', Name: '角色', Privileges: ['everything'], Buttons: [] } }),
    target: 'r-1',
  },
  'an administrator of a name that cannot be one': {
    refusal: 'username invalid',
    send: () => stack.client.call(addAdministrator, { body: { UserName: ' ', NickName: '甲', Password: md5Hex('x') } }),
    target: ' ',
  },
  'taking out somebody who is not there': {
    refusal: 'username notexists',
    send: () => stack.client.call(deleteUser, { body: { AccountID: '00000000-0000-4000-8000-000000000099' } }),
    target: '00000000-0000-4000-8000-000000000099',
  },
  'a project that there is not': {
    refusal: 'project not exists',
    send: () => stack.client.call(editProject, { params: { HouseID: 99_999 }, body: { Name: '项目', ...place, Version: 1 } }),
    target: '99999',
  },
  'acknowledging what has not happened': {
    refusal: 'event not exists',
    send: () => stack.client.call(acknowledgeEvent, { params: { EventID: '999999' }, query: {} }),
    target: '999999',
  },
  'a device with a zero byte in its name': {
    refusal: 'invalid parameter',
    send: () => operate(at('breaker3p\0', 1), 'trip'),
    target: 'breaker3p/1',
  },
}

test.each(Object.entries(rows))('%s', (_, bad) => refusedOnce(stack, bad))

test('a wrong present password is in the log once, whatever it was to change', async () => {
  const before = [await refusals('account.password'), await refusals(refusedAction(editUser))]
  const wrong = { OldPasswordMD5: md5Hex('wrong'), PasswordMD5: md5Hex('Another-7391') }
  const edit = stack.client.call(editUser, { body: { AccountID: session.userId, Version: 1, ...wrong } })
  expect(await outcomeOf(edit)).toBe('password incorrect')
  expect([await refusals('account.password'), await refusals(refusedAction(editUser))]).toEqual([(before[0] ?? 0) + 1, before[1]])
})

const refusals = async (action: string): Promise<number> => {
  const found = stack.server.database.general.selectFrom('audit').select('audit_id').where('outcome', '=', 'refused')
  return (await found.where('action', '=', action).execute()).length
}

const breaker = { ControllerID: 'breaker3p' }

/** What stands in a field of a call's request, where the call has it. */
const texts = {
  'a zero byte in what it says': { ...breaker, Reason: 'a\0b', Cause: 'a\0b' },
  'half a character in what it says': { ...breaker, Reason: '\ud83d', Cause: '\ud83d' },
  'nothing but a space in what it says': { ...breaker, Reason: ' ', Cause: ' ' },
  'a zero byte in the name of a device': { ControllerID: 'breaker3p\0' },
} as const

/** Requests that are well-formed but for one such text. */
const tainted = Object.entries(texts).flatMap(([what, given]) =>
  allCalls
    .filter(({ area, permission }) => (area === 'control' || area === 'equipment') && permission !== 'public')
    .flatMap((call) => {
      const { path, body } = exampleOf(call, { attr: 'trip', ...given })
      const bad = /%00|\\u0000|\\ud83d|:" "/.test(path + body)
      return bad ? [[what, `${call.method} ${call.path}`, call, path, body] as const] : []
    }),
)

test('every order is tried with every such text', () => {
  const orders = tainted.filter(([, , call]) => call.method !== 'GET' && call.reads !== true)
  expect(new Set(orders.map(([what]) => what))).toEqual(new Set(Object.keys(texts)))
  for (const call of [operateLine, airUpdate, ppsControl, smokeSilencing, startRun, testLeakages, placeTag, removeTag])
    expect(orders.filter(([, , each]) => each === call)).toHaveLength(Object.keys(texts).length)
})

test.each(tainted)('%s: %s is refused in words, and in the log once when it is a change', async (_, __, call, path, body) => {
  const before = await refusals(refusedAction(call))
  const { status, envelope } = await sendRaw(stack.url, session, { method: call.method, path, body })
  expect(status).toBeLessThan(500)
  expect(envelope).toMatchObject({ Code: 0, Message: 'invalid parameter' })
  const changes = call.method !== 'GET' && call.reads !== true
  expect(await refusals(refusedAction(call))).toBe(before + (changes ? 1 : 0))
})

test.each([
  ['nested deeper than can be written down', `{"Reason":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
  ['that is no object', JSON.stringify('x'.repeat(10_000))],
  ['whose fields are not what they seem', '{"ControllerID":{"toString":1},"Reason":{"toString":1}}'],
])('an order %s is refused in words and logged', async (_, body) => {
  for (const call of [operateLine, smokeSilencing, startRun]) {
    const before = await refusals(refusedAction(call))
    const path = pathOf(call, { ...at('breaker3p', 1), attr: 'trip' })
    const { status, envelope } = await sendRaw(stack.url, session, { method: call.method, path, body })
    expect([status, envelope.Message]).toEqual([400, 'invalid parameter'])
    expect(await refusals(refusedAction(call))).toBe(before + 1)
  }
})

test.each([
  ['that is unknown', 'x'.repeat(60_000)],
  ['that is unknown and cannot be stored', `${'x'.repeat(60_000)}\\u0000`],
  ['within fields within fields', `${'x'.repeat(100)}":{"`.repeat(600)],
])('of a field with an endless name %s the reply and the log keep the beginning', async (_, name) => {
  const path = pathOf(operateLine, { ...at('breaker3p', 1), attr: 'trip' })
  const nested = name.split('":{"').length - 1
  const body = `{"${name}":1${'}'.repeat(nested)}}`
  const { status, envelope } = await sendRaw(stack.url, session, { method: operateLine.method, path, body })
  expect(status).toBe(400)
  expect(JSON.stringify(envelope).length).toBeLessThan(5_000)
  const entry = await stack.server.database.general
    .selectFrom('audit')
    .select(({ fn }) => fn<number>('length', [fn('jsonb_pretty', ['after'])]).as('length'))
    .where('action', '=', refusedAction(operateLine))
    .orderBy('audit_id', 'desc')
    .executeTakeFirstOrThrow()
  expect(entry.length).toBeLessThan(5_000)
})
