import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TestIngest } from '../test-ingest.ts'

let plant: TestIngest

beforeEach(async () => {
  plant = await TestIngest.start({ linksEveryMs: 100 })
})
afterEach(() => plant.close())

const links = async () => (await plant.alarms()).filter((each) => each.startsWith('gateway'))

test('a gateway that falls silent while a commit is held back is noted once, not every second', async () => {
  const edge = await plant.edge()
  await edge.birth()
  const blocker = await plant.database.connect()
  await blocker.query('begin; lock table event in access exclusive mode')
  plant.now += 30_001
  const waiting = async () =>
    (await plant.rows("select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()")).length
  await vi.waitUntil(async () => (await waiting()) > 0, { timeout: 5_000 })
  const { clockReads } = plant
  await vi.waitUntil(() => plant.clockReads >= clockReads + 2, { timeout: 5_000 })
  await blocker.query('rollback')
  await blocker.end()
  await vi.waitUntil(() => plant.plant.gatewayByNumber.get('G1')?.link === 'stale', { timeout: 5_000 })
  await plant.ingest.drained()
  expect(await links()).toEqual(['gateway.stale active'])
  expect(plant.committed.flatMap((each) => each.gateways ?? [])).toHaveLength(2)
})

test('a gateway that did not come back after a restart is offline once it has been silent three periods', async () => {
  const edge = await plant.edge()
  await edge.birth()
  edge.client.end(true)
  await plant.restart()
  plant.now += 30_001
  await vi.waitUntil(() => plant.plant.gatewayByNumber.get('G1')?.link === 'offline', { timeout: 5_000 })
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
  await vi.waitUntil(() => plant.line().tripSequence === 1, { timeout: 5_000 })
  await vi.waitUntil(() => plant.plant.gatewayByNumber.get('G1')?.link === 'stale', { timeout: 5_000 })
  expect(await plant.rows("select from incident where kind = 'platform'")).toEqual([])
  await plant.rows('alter table incident drop constraint refuse')
  await vi.waitFor(
    async () => expect(await plant.rows("select kind from incident where kind = 'platform'")).toEqual([{ kind: 'platform' }]),
    {
      timeout: 10_000,
    },
  )
})
