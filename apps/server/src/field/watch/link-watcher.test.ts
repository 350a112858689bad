import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TestIngest } from '../test-ingest.ts'

let plant: TestIngest
let monotonic = 0

beforeEach(async () => {
  monotonic = 0
  plant = await TestIngest.start({ linksEveryMs: 100, monotonic: () => monotonic })
})
afterEach(() => plant.close())

const lockWaits = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
const commitWaits = () => vi.waitUntil(async () => (await plant.rows(lockWaits)).length > 0)
/** Silence has been evaluated since. */
async function watched(): Promise<void> {
  const { clockReads } = plant
  await vi.waitUntil(() => plant.clockReads >= clockReads + 2)
}
const links = async () => (await plant.alarms()).filter((each) => each.startsWith('gateway'))

test('a gateway that falls silent while a commit is held back is noted once, not every second', async () => {
  const edge = await plant.edge()
  await edge.birth()
  const blocker = await plant.database.connect()
  await blocker.query('begin; lock table event in access exclusive mode')
  plant.now += 30_001
  await commitWaits()
  await watched()
  await blocker.query('rollback')
  await blocker.end()
  await vi.waitUntil(() => plant.plant.gatewayByNumber.get('G1')?.link === 'stale')
  await plant.ingest.drained()
  expect(await links()).toEqual(['gateway.stale active'])
  expect(plant.committed.flatMap((each) => each.gateways ?? [])).toHaveLength(2)
})

test('while a commit takes long the gateway that waits for it is not silent, nor what is behind it; after it they have as long as ever', async () => {
  const edge = await plant.edge()
  await edge.birth()
  const blocker = await plant.database.connect()
  await blocker.query('begin; lock table reading in access exclusive mode')
  const sent = edge.data({ values: { residual: 5 } })
  await commitWaits()
  plant.now += 40_000
  monotonic += 40_000
  await watched()
  await blocker.query('rollback')
  await blocker.end()
  await sent
  await watched()
  expect(await links()).toEqual([])
  const device = plant.line().device
  expect([device.gateway.link, device.link]).toEqual(['online', 'online'])
  plant.now += 29_000
  await watched()
  expect(device.gateway.link).toBe('online')
  plant.now += 1
  await vi.waitUntil(() => device.gateway.link === 'stale')
})

test('a gateway that did not come back after a restart is offline once it has been silent three periods', async () => {
  const edge = await plant.edge()
  await edge.birth()
  edge.client.end(true)
  await plant.restart()
  plant.now += 30_001
  await vi.waitUntil(() => plant.plant.gatewayByNumber.get('G1')?.link === 'offline')
  expect(await links()).toContain('gateway.offline active')
})

test('an interruption that cannot be noted keeps neither the start, nor the watch, nor a trip from being stored, and is noted later', async () => {
  const edge = await plant.edge()
  await edge.birth()
  await plant.rows("alter table incident add constraint refuse check (kind <> 'platform') not valid")
  await plant.rows("alter table line add constraint refuse check (trip_latched is distinct from 'leakage') not valid")
  await plant.restart()
  const again = await plant.edge()
  await again.birth()
  await again.data({ states: { position: 0, 'trip.cause': 1 } })
  expect(plant.line().lockoutCause).toBe('leakage')
  await plant.rows('alter table line drop constraint refuse')
  plant.now += 30_001
  await vi.waitUntil(() => plant.line().tripSequence === 1)
  await vi.waitUntil(() => plant.plant.gatewayByNumber.get('G1')?.link === 'stale')
  expect(await plant.rows("select from incident where kind = 'platform'")).toEqual([])
  await plant.rows('alter table incident drop constraint refuse')
  await vi.waitFor(async () =>
    expect(await plant.rows("select kind from incident where kind = 'platform'")).toEqual([{ kind: 'platform' }]),
  )
})
