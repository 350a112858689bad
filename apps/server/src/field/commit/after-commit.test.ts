import type { Metric } from '@linewarden/sparkplug'
import { DataType, edgeTopic, encodePayload, metric } from '@linewarden/sparkplug'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PlantGateway } from '../../plant/plant.ts'
import type { TestEdge } from '../test-ingest.ts'
import { group, TestIngest } from '../test-ingest.ts'

let plant: TestIngest
let edge: TestEdge

const clockAlias = 5
const clock = (value: boolean, more: { isHistorical?: boolean } = {}) =>
  metric({ name: 'info/clockSynchronised', alias: clockAlias, type: DataType.Boolean, value, ...more })
const period = (value: number, more: { isHistorical?: boolean } = {}) =>
  metric({ name: 'info/reportingPeriod', type: DataType.Float, value, ...more })

beforeEach(async () => {
  plant = await TestIngest.start({ linksEveryMs: 20 })
  edge = await plant.edge()
  await edge.nodeBirth([clock(true)])
  await edge.deviceBirth('C-G1')
  plant.committed.length = 0
})

afterEach(() => plant.close())

const ownData = (metrics: readonly Metric[]) =>
  edge.publish(edgeTopic(group, 'NDATA', 'G1'), encodePayload({ timestampMs: plant.now, seq: edge.nextSeq(), metrics }))

const facts = () => {
  const { clockSynchronised, reportingPeriodMs, bdSeq, link } = gateway()
  const { reported, states, lockoutCause } = plant.line()
  return {
    clockSynchronised,
    reportingPeriodMs,
    bdSeq,
    link,
    leakageTrip: reported.get('leakage.trip'),
    position: states.get('position'),
    residual: plant.value('residual'),
    lockoutCause,
  }
}

const gateway = (): PlantGateway => plant.line().device.gateway

/** What the database refuses while the work is done. */
async function refusing(table: string, check: string, work: () => Promise<void>): Promise<void> {
  await plant.rows(`alter table ${table} add constraint refuse check (${check}) not valid`)
  await work()
  expect(await plant.quarantined()).toContain('refused_by_database')
  await plant.rows(`alter table ${table} drop constraint refuse`)
}

test('until its commit is done nothing that was reported is so', async () => {
  const before = facts()
  const other = await plant.database.connect()
  await other.query('begin; lock table line_setting, reading, gateway in exclusive mode')
  const { Messages } = plant.ingest.status()
  const reported = [
    edge.setting(100),
    ownData([clock(false), period(20)]),
    edge.data({ values: { residual: 20 }, states: { position: 0, 'trip.cause': 1 } }),
  ]
  await vi.waitFor(() => expect(plant.ingest.status().Messages).toBe(Messages + 3))
  expect(facts()).toEqual(before)
  await other.query('rollback')
  await other.end()
  await Promise.all(reported)
  expect(facts()).toEqual({
    ...before,
    clockSynchronised: false,
    reportingPeriodMs: 20_000,
    leakageTrip: 100,
    position: 'open',
    residual: 20,
    lockoutCause: 'leakage',
  })
})

test('a setting the database refuses is not so, proves nothing, judges nothing, and is taken when it is told again', async () => {
  await refusing('line_setting', 'reported <> 100', async () => {
    await edge.setting(100)
    expect(plant.line().reported.get('leakage.trip')).toBe(300)
    expect(plant.committed.flatMap(({ readBacks }) => readBacks ?? [])).toEqual([])
    await edge.data({ values: { residual: 50 }, at: plant.now + 1 })
    expect(await plant.alarms()).toEqual([])
  })
  await edge.setting(100)
  expect(plant.line().reported.get('leakage.trip')).toBe(100)
  expect(await plant.rows('select reported from line_setting')).toEqual([{ reported: 100 }])
})

test('a state the database refuses is not so, proves nothing, and is taken when it is told again', async () => {
  await refusing('line_state', "states ->> 'position' is distinct from 'open'", async () => {
    await edge.data({ states: { position: 0 } })
    expect(plant.line().states.get('position')).toBe('closed')
    expect(plant.line().lastOperationAt).toBeNull()
    expect(plant.committed.flatMap(({ reports }) => reports ?? [])).toEqual([])
    expect(plant.committed.some(({ positionInvalidated }) => positionInvalidated?.has(plant.line()))).toBe(true)
    expect(plant.ingest.hasValidPosition(plant.line())).toBe(false)
  })
  await edge.data({ states: { position: 0 } })
  expect(plant.line().states.get('position')).toBe('open')
  expect(await plant.rows("select states ->> 'position' as position from line_state")).toEqual([{ position: 'open' }])
})

test('a trip that the database refuses locks its line out all the same, is stored once it can be, and only then be explained', async () => {
  await refusing('line', "trip_latched is distinct from 'leakage'", async () => {
    await edge.data({ states: { position: 0, 'trip.cause': 1 } })
    expect(facts()).toMatchObject({ position: 'open', lockoutCause: 'leakage' })
    expect(plant.line().tripSequence).toBe(0)
  })
  expect(await plant.rows('select * from trip')).toEqual([])
  plant.now += 30_000
  await vi.waitFor(() => expect(plant.line().tripSequence).toBe(1))
  expect(await plant.rows('select trip_no, cause from trip')).toEqual([{ trip_no: 1, cause: 'leakage' }])
  await plant.restart()
  expect(plant.line().lockoutCause).toBe('leakage')
})

test('a reading and a link the database refuses move nothing', async () => {
  const before = facts()
  await refusing('reading', 'v10 is distinct from 20', async () => {
    await edge.data({ values: { residual: 20 }, at: plant.now + 1 })
    expect(facts()).toEqual(before)
  })
  await refusing('gateway', 'reporting_period_ms <> 20000', async () => {
    await ownData([period(20)])
    expect(gateway().reportingPeriodMs).toBe(10_000)
    expect(plant.committed.flatMap(({ readBacks }) => readBacks ?? [])).toEqual([])
  })
  await refusing('gateway', "firmware is distinct from 'odd'", async () => {
    await edge.nodeBirth([metric({ name: 'info/firmware', type: DataType.String, value: 'odd' })])
    expect(gateway().firmware).toBeNull()
  })
})

test('an alarm the database refuses is raised again as long as its value stands', async () => {
  await refusing('event', "key <> 'residual.notice'", async () => {
    await edge.data({ values: { residual: 100 }, at: plant.now + 1 })
    expect(plant.line().alarms.size).toBe(0)
  })
  await edge.data({ values: { residual: 100 }, at: plant.now + 2 })
  expect([...plant.line().alarms.keys()]).toEqual(['residual.notice@residual'])
})

test('what a gateway kept of itself during an outage is the past: period, clock and link stay', async () => {
  await edge.death()
  await edge.nodeBirth([clock(true)])
  const before = facts()
  plant.committed.length = 0
  await ownData([clock(false, { isHistorical: true }), period(20, { isHistorical: true })])
  expect(facts()).toEqual(before)
  expect(plant.committed.flatMap(({ readBacks, gateways }) => [...(readBacks ?? []), ...(gateways ?? [])])).toEqual([])
})
