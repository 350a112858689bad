import { lineReadings, listEvents } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'

let stack: Stack
let ahead = 0

beforeAll(async () => {
  stack = await startStack({
    plan: smallPlan,
    clock: () => Date.now() + ahead,
    fleet: { now: () => Date.now() + ahead, ticking: false, remember: true },
  })
})
afterAll(() => stack?.close())

test('what a gateway measured while it was cut off comes later: stored, marked, and nothing of it moves now', async () => {
  const gateway = stack.fleet.gatewayOf('A-T1')
  const line = stack.server.plant.lineAt('A-T1', 1)
  gateway.disconnectAbruptly()
  await vi.waitFor(() => expect(line?.device.gateway.link).toBe('offline'))
  const cutOffAt = Date.now() + ahead
  gateway.setPoint('A-T1', 1, 'residual', 290)
  for (let i = 0; i < 5; i++) {
    ahead += 1_000
    await gateway.step()
  }
  gateway.setPoint('A-T1', 1, 'residual', 12)
  ahead += 1_000
  const backAt = Date.now() + ahead
  await gateway.reconnect()
  await gateway.step()
  await stack.server.ingest.drained()
  const { Points, Rows } = await stack.client.call(lineReadings, {
    params: { ControllerID: 'A-T1', LineNo: 1 },
    query: { From: cutOffAt, To: backAt },
  })
  const residual = Rows.map(([, values]) => values[Points.indexOf('residual')])
  expect(residual.filter((value) => value === 290).length).toBeGreaterThanOrEqual(4)
  // Whoever draws them sees that they were not there at the time.
  expect(Rows.filter(([, values]) => values[Points.indexOf('residual')] === 290).every(([, , quality]) => quality === 2)).toBe(
    true,
  )
  expect(line?.values[10]).toBe(12)
  const { items } = await stack.client.call(listEvents, { body: { Size: 100 } })
  expect(items.filter(({ Key }) => Key.startsWith('residual'))).toEqual([])
})

test('every reading that was acknowledged is in the table', async () => {
  const client = await stack.server.database.connect()
  for (const { controllerId, lineNo, at } of stack.fleet.acknowledgedReadings()) {
    const id = stack.server.plant.lineAt(controllerId, lineNo)?.id
    const { rowCount } = await client.query('select 1 from reading where line_id = $1 and at = $2', [id, new Date(at)])
    expect(rowCount).toBe(1)
  }
  await client.end()
  expect(stack.fleet.acknowledgedReadings().length).toBeGreaterThan(10)
})
