import type { Client } from '@linewarden/client'
import { md5Hex } from '@linewarden/client'
import {
  addGateway,
  addPush,
  grantControl,
  listPushes,
  operateLine,
  setQuietHours,
  setStatus,
  smokeDetails,
  smokeSilencing,
  startRun,
  testLeakages,
  updateLine,
} from '@linewarden/contract'
import { oneNetBody, oneNetReport } from '@linewarden/simulator'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { everyFamilyPlan } from '../../kit/every-family-plan.ts'
import type { Bad } from '../../kit/refused-once.ts'
import { pushedDevice, refusedOnce } from '../../kit/refused-once.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'
import { newGateway } from '../../kit/two-owners.ts'

// What nobody should send, one line each.
let stack: Stack
let ahead = 0
let stranger: Client
let shared: Client
let careful: Client
let push: { id: number; url: string; secret: string }

const password = 'Duty-7391'
const controlPassword = 'Ctrl-2580'

beforeAll(async () => {
  stack = await startStack({ plan: everyFamilyPlan, clock: () => Date.now() + ahead, fleet: { now: () => Date.now() + ahead } })
  const { accounts } = stack.server
  await accounts.createAccount({ userName: 'stranger', password, kind: 'project' })
  await accounts.createAccount({ userName: 'shared', password, kind: 'shared', projectIds: [houseId()] })
  await accounts.createAccount({ userName: 'careful', password, kind: 'platform', controlPassword })
  ;[stranger, shared, careful] = await Promise.all([sign('stranger'), sign('shared'), sign('careful')])
  push = await subscribed()
  await stack.client.call(setQuietHours, {
    params: { HouseID: houseId() },
    body: { Windows: [{ Days: 127, FromMinute: 0, ToMinute: 0 }], Version: 1 },
  })
  await settled()
})
afterAll(() => stack?.close())

const now = () => Date.now() + ahead
const sign = (userName: string) => signedIn(stack.url, { userName, password }, now)
const gateway = () => stack.fleet.gatewayOf('smoke')
const houseId = () => stack.server.plant.deviceByControllerId.get('smoke')?.gateway.project.id ?? 0
const newId = () => crypto.randomUUID()
const order = () => ({ CommandID: newId(), Reason: 'test' })
const at = (ControllerID: string, LineNo: number) => ({ ControllerID, LineNo })

async function settled(): Promise<void> {
  await gateway().report()
  await stack.server.ingest.drained()
  await vi.waitFor(() => expect(stack.server.plant.lineAt('smoke', 0)?.device.gateway.link).toBe('online'))
}

async function subscribed() {
  const Products = [{ ProductID: 'pSmoke', Model: 'NT8141' }]
  const made = await stack.client.call(addPush, { body: { HouseID: houseId(), Platform: 'onenet', Name: '推送', Products } })
  await stack.client.call(addGateway, {
    body: { HouseID: houseId(), ...newGateway(pushedDevice), DeviceType: 'NB', Platform: 'json' },
  })
  return { id: made.Push.PushID, url: stack.url + made.Push.Path, secret: made.Secret }
}

type Action = 'trip' | 'close' | 'silence' | 'selfTest'

const operate = (place: ReturnType<typeof at>, attr: Action, more: object = {}, client = stack.client) =>
  client.call(operateLine, { params: { ...place, attr }, body: { ...order(), ...more } })
const set = (more: object, client = stack.client) =>
  client.call(updateLine, {
    body: { ...at('breaker3p', 1), ...order(), Settings: [{ Key: 'leakage.trip', Value: 100 }], ...more },
  })

/** As a platform sends it: what it answers is no CallError. */
async function pushed(body: string): Promise<unknown> {
  const reply = await fetch(push.url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  return reply.json()
}
const smokeReport = (token: string) => oneNetBody(token, oneNetReport(pushedDevice, 'pSmoke', { battery: 70 }, now() - 1_000))

/** What the rows before one of them make, for it to use. */
const made = { operationId: newId(), grant: '', push: '' }

const rows: Readonly<Record<string, Bad>> = {
  'a setting out of range': {
    refusal: 'setting out of range',
    send: () => set({ Settings: [{ Key: 'leakage.trip', Value: 9_999 }] }),
    target: 'breaker3p/1',
  },
  'a setting that the family does not have': {
    refusal: 'setting unknown',
    send: () =>
      stack.client.call(setStatus, {
        params: { ID: 'breaker3p', type: 'overload', attr: 'colour' },
        body: { LineNo: 1, Value: 5, ...order() },
      }),
    target: 'breaker3p/1',
  },
  'a type of setting that the family does not have': {
    refusal: 'setting unknown',
    send: () =>
      stack.client.call(setStatus, {
        params: { ID: 'breaker3p', type: 'gas', attr: 'low' },
        body: { LineNo: 1, Value: 5, ...order() },
      }),
    target: 'breaker3p/1',
  },
  'an operation that there is not': {
    refusal: 'invalid parameter',
    send: () => operate(at('breaker3p', 1), 'explode' as Action),
    target: 'breaker3p/1',
  },
  "another family's silencing": {
    refusal: 'device not exists',
    send: () => stack.client.call(smokeSilencing, { body: { ControllerID: 'gas', ...order() } }),
    target: 'gas',
  },
  "another family's details, which is only a reading": {
    refusal: 'device not exists',
    send: () => stack.client.call(smokeDetails, { query: { ControllerID: 'gas' } }),
    target: null,
  },
  "somebody else's line, operated": {
    refusal: 'device not exists',
    send: () => operate(at('breaker3p', 1), 'trip', {}, stranger),
    actor: 'stranger',
    target: 'breaker3p/1',
  },
  "somebody else's line, set": {
    refusal: 'device not exists',
    send: () => set({}, stranger),
    actor: 'stranger',
    target: 'breaker3p/1',
  },
  'a shared project, operated': {
    refusal: 'access denied',
    send: () => operate(at('breaker3p', 1), 'trip', {}, shared),
    actor: 'shared',
    target: 'breaker3p/1',
  },
  'a shared project, set': {
    refusal: 'access denied',
    send: () => set({}, shared),
    actor: 'shared',
    target: 'breaker3p/1',
  },
  'silencing while nothing sounds': {
    refusal: 'silence not possible',
    send: () => stack.client.call(smokeSilencing, { body: { ControllerID: 'smoke', ...order() } }),
    target: 'smoke/0',
  },
  'a self-test during quiet hours': {
    refusal: 'self-test not permitted',
    send: () => operate(at('breaker3p', 1), 'selfTest'),
    target: 'breaker3p/1',
  },
  'self-tests during quiet hours': {
    refusal: 'self-test not permitted',
    send: () =>
      stack.client.call(testLeakages, { body: { RunID: newId(), Lines: [at('breaker3p', 1), at('breaker1p', 1)], Reason: 'x' } }),
    target: 'breaker3p/1',
  },
  'no grant where a control password is set': {
    refusal: 'control grant missing',
    send: () => operate(at('breaker3p', 1), 'trip', {}, careful),
    actor: 'careful',
    target: 'breaker3p/1',
  },
  'a grant that is over': {
    refusal: 'control grant over',
    after: async () => {
      const { Grant } = await careful.call(grantControl, {
        body: { Password: md5Hex(controlPassword), Operation: 'trip:breaker3p/1' },
      })
      made.grant = Grant
      ahead += 61_000
      await settled()
    },
    send: () => operate(at('breaker3p', 1), 'trip', { Grant: made.grant }, careful),
    actor: 'careful',
    target: 'breaker3p/1',
  },
  'a group without its grant': {
    refusal: 'control grant missing',
    send: () =>
      careful.call(startRun, { body: { RunID: made.operationId, Action: 'trip', Lines: [at('breaker3p', 1)], Reason: 'x' } }),
    actor: 'careful',
    target: made.operationId,
  },
  'a push with the wrong signature': {
    refusal: 'push signature wrong',
    send: () => pushed(smokeReport('not the token')),
    actor: 'push:onenet',
    target: () => `project ${houseId()} push ${push.id}`,
  },
  'a push that is replayed': {
    refusal: 'push duplicate',
    after: async () => {
      made.push = smokeReport(push.secret)
      expect(await pushed(made.push)).toMatchObject({ Code: 1 })
      await stack.server.push.drained()
    },
    send: () => pushed(made.push),
    actor: 'push:onenet',
    target: () => `project ${houseId()} push ${push.id}`,
  },
  'closing what is offline': {
    refusal: 'close not permitted',
    after: async () => {
      gateway().disconnectAbruptly()
      await vi.waitFor(() => expect(stack.server.plant.lineAt('smoke', 0)?.device.gateway.link).toBe('offline'))
    },
    send: () => operate(at('breaker3p', 2), 'close'),
    target: 'breaker3p/2',
  },
  'silencing what is offline': {
    refusal: 'silence not possible',
    send: () => stack.client.call(smokeSilencing, { body: { ControllerID: 'smoke', ...order() } }),
    target: 'smoke/0',
  },
  'setting what is offline': {
    refusal: '离线',
    send: () => set({}),
    target: 'breaker3p/1',
  },
}

test.each(Object.entries(rows))('%s: said in both languages, nothing moves, one line in the log', (_, bad) =>
  refusedOnce(stack, bad),
)

test('what was replayed was taken once, and counted', async () => {
  const { items } = await stack.client.call(listPushes, { query: { HouseID: houseId() } })
  expect(items).toMatchObject([{ Accepted: 1, Duplicates: 1 }])
})
