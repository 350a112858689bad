import { operateLine } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'

let stack: Stack

beforeAll(async () => {
  stack = await startStack({
    plan: smallPlan,
    env: { LINEWARDEN_TRUST_PROXY: 'loopback', LINEWARDEN_METRICS_FROM: '10.0.0.5, 2001:db8:1::/64' },
  })
})
afterAll(() => stack?.close())

const asked = (path: string, headers: Record<string, string> = {}) => fetch(stack.url + path, { headers })

/** What a figure stands at; undefined: it is not told. */
async function figure(name: string): Promise<number | undefined> {
  const lines = (await (await asked('/metrics')).text()).split('\n')
  const line = lines.find((each) => each.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}

test.each([
  ['/healthz', { status: 'ok' }],
  ['/readyz', { status: 'ready' }],
  ['/health', { status: 'ok' }],
])('%s of a server in order', async (path, body) => {
  const reply = await asked(path)
  expect([reply.status, await reply.json()]).toEqual([200, body])
})

test.each([
  [200, '10.0.0.5'],
  [200, '2001:db8:1::77'],
  [200, '127.0.0.1'],
  [404, '10.0.0.6'],
  [404, '2001:db8:2::77'],
  [404, '198.51.100.7, 10.0.0.6'],
])('the figures: %i for %s', async (status, address) => {
  expect((await asked('/metrics', { 'X-Forwarded-For': address })).status).toBe(status)
})

test('what came from the field is counted, and gateways by how they stand', async () => {
  await stack.server.ingest.drained()
  const { Messages, Readings, GatewaysOnline } = stack.server.ingest.status()
  expect(Messages).toBeGreaterThan(0)
  expect(await figure('linewarden_messages_total')).toBeGreaterThanOrEqual(Messages)
  expect(await figure('linewarden_readings_total')).toBeGreaterThanOrEqual(Readings)
  expect(await figure('linewarden_gateways{state="online"}')).toBe(GatewaysOnline)
  expect(await figure('linewarden_gateways{state="never"}')).toBe(0)
  expect(await figure('linewarden_commit_readings_count')).toBeGreaterThan(0)
  expect(await figure('linewarden_commit_readings_sum')).toBeGreaterThanOrEqual(Readings)
  expect(await figure('linewarden_commit_seconds_count')).toBeGreaterThan(0)
  expect(await figure('linewarden_degraded')).toBe(0)
  expect(await figure('linewarden_due_work{state="free"}')).toBe(0)
  expect(await figure('linewarden_database_connections{pool="orders",state="waiting"}')).toBe(0)
  expect(await figure('linewarden_live_viewers')).toBe(0)
})

test('a message that could not be taken counts under its reason', async () => {
  await stack.server.ingest.setAside({ number: null, topic: 't', payload: Buffer.from('?'), reason: 'json', detail: 'no JSON' })
  expect(await figure('linewarden_quarantined_total{reason="json"}')).toBe(1)
})

test('an order counts in each state that it comes to', async () => {
  const verified = (await figure('linewarden_orders_total{state="verified"}')) ?? 0
  const sent = (await figure('linewarden_orders_total{state="sent"}')) ?? 0
  const CommandID = crypto.randomUUID()
  await stack.client.call(operateLine, {
    params: { ControllerID: 'A-T1', LineNo: 1, attr: 'trip' },
    body: { CommandID, Reason: 'test' },
  })
  await vi.waitFor(async () => expect(await figure('linewarden_orders_total{state="verified"}')).toBe(verified + 1))
  expect(await figure('linewarden_orders_total{state="sent"}')).toBe(sent + 1)
})
