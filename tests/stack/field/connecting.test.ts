import { quarantine } from '@linewarden/contract'
import { deviceTopic, edgeTopic, stateTopic } from '@linewarden/sparkplug'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { HandMadeGateways } from '../../kit/hand-made-gateways.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'

let stack: Stack
let gateways: HandMadeGateways

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan })
  gateways = new HandMadeGateways(stack, '项目A')
})
afterEach(() => gateways.close())
afterAll(() => stack?.close())

const reasons = async () => (await stack.client.call(quarantine, { query: { Size: 200 } })).items.map(({ Reason }) => Reason)

test('a wrong secret and an unknown gateway are refused', async () => {
  await gateways.enrol('GW-DOOR')
  await expect(gateways.connect('GW-DOOR', 'wrong')).rejects.toThrow()
  await expect(gateways.connect('GW-NOBODY', 'wrong')).rejects.toThrow()
})

test('a new secret ends the old connection', async () => {
  const client = await gateways.enrolAndConnect('GW-ROTATE')
  const ended = new Promise<void>((resolve) => client.once('close', () => resolve()))
  await gateways.enrol('GW-ROTATE')
  await ended
})

test.each([
  ["another gateway's topic", edgeTopic('g', 'NBIRTH', 'GW-A'), false],
  ['a command', deviceTopic('g', 'DCMD', 'GW-TOPIC', 'x'), false],
  ["the host's state", stateTopic('linewarden'), false],
  ['a retained message', edgeTopic('g', 'NDATA', 'GW-TOPIC'), true],
])('%s may not be published', async (_, topic, retain) => {
  const client = await gateways.enrolAndConnect('GW-TOPIC')
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
  client.publish(topic, Buffer.from('x'), { qos: 1, retain })
  await closed
})

test.each([
  '#',
  'spBv1.0/#',
  '+/+/DCMD/GW-A/#',
  'spBv1.0/g/DCMD/GW-A/+',
  '$share/x/spBv1.0/g/NCMD/GW-SUB',
  'spBv1.0/+/DDATA/+/+',
])('%s may not be listened to', async (filter) => {
  const client = await gateways.enrolAndConnect('GW-SUB')
  const [granted] = await client.subscribeAsync(filter, { qos: 1 }).catch(() => [])
  expect(granted?.qos ?? 128).toBe(128)
})

test("its own commands and the host's state may", async () => {
  const client = await gateways.enrolAndConnect('GW-SUB2')
  const granted = await client.subscribeAsync([stateTopic('linewarden'), 'spBv1.0/g/NCMD/GW-SUB2', 'spBv1.0/g/DCMD/GW-SUB2/+'], {
    qos: 1,
  })
  expect(granted.map(({ qos }) => qos)).toEqual([1, 1, 1])
})

test('ten megabytes are cut off at once, and said', async () => {
  const client = await gateways.enrolAndConnect('GW-BIG')
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
  client.publish(edgeTopic('g', 'NDATA', 'GW-BIG'), Buffer.alloc(10_000_000), { qos: 1 })
  await closed
  await vi.waitFor(async () => expect(await reasons()).toContain('too_large'))
})
