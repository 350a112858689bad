import type { Metric } from '@linewarden/sparkplug'
import { DataType, deviceTopic, edgeTopic, encodePayload, metric } from '@linewarden/sparkplug'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { TestEdge } from '../test-ingest.ts'
import { connect, group, TestIngest } from '../test-ingest.ts'

// What equipment that nobody here wrote sends, and what whoever can mend it is told.
let plant: TestIngest
let edge: TestEdge

beforeEach(async () => {
  plant = await TestIngest.start()
  edge = await plant.edge()
  await edge.birth({ values: { residual: 12, 'temperature.a': 30, energy: 50 } })
})

afterEach(() => plant.close())

const gateway = () => plant.line().device.gateway
const asides = () => plant.ingest.asidesOf(gateway()).map(({ reason, messages }) => [reason, messages])
const publish = (metrics: readonly Metric[], more: { timestampMs?: number; uuid?: string } = {}, topic = edge.dataTopic) =>
  edge.publish(topic, encodePayload({ timestampMs: plant.now, seq: edge.nextSeq(), metrics, ...more }))
const residual = (value: number, more: Partial<Metric> = {}) =>
  metric({ name: '1/residual', type: DataType.Float, value, ...more })

test('times in seconds are not taken, neither as 1970 nor as now, and the others of the message are', async () => {
  const live = plant.line().liveAt
  plant.now += 1_000
  await publish([residual(99, { timestampMs: Math.round(plant.now / 1_000) })])
  expect([plant.value('residual'), plant.line().liveAt, asides()]).toEqual([12, live, [['time_unit', 1]]])
  await publish([
    residual(99, { timestampMs: plant.now * 1_000 }),
    metric({ name: '1/current.a', type: DataType.Float, value: 3 }),
  ])
  expect([plant.value('residual'), plant.value('current.a'), asides()]).toEqual([12, 3, [['time_unit', 2]]])
  const dayOld = Math.round((plant.now - 86_400_000) / 1_000)
  await publish([residual(99, { timestampMs: dayOld, isHistorical: true })])
  expect(asides()).toEqual([['time_unit', 3]])
  expect(await plant.rows('select from reading where at < to_timestamp(1e9)')).toEqual([])
})

test('a clock that was never set counts from 1970, and its values stay', async () => {
  // Seconds after it was switched on, and a day later.
  await publish([residual(12)], { timestampMs: 5_000 })
  await publish([residual(13)], { timestampMs: 86_400_000 })
  expect([asides(), await plant.rows('select from reading where at < to_timestamp(1e9)')]).toEqual([[], [{}, {}]])
})

test('a gateway whose clock was set back is asked to be born again, so that what it says since then raises alarms', async () => {
  const asked = () => edge.received.filter(({ topic }) => topic === edgeTopic(group, 'NCMD', 'G1')).length
  plant.now += 60_000
  const at = plant.now - 600_000
  // Neither what was kept nor what is a little late says so of the clock.
  await edge.data({ values: { 'temperature.a': 95 }, at, historical: true })
  await edge.data({ values: { 'temperature.a': 95 }, states: { 'lock.local': 1 }, at: plant.now - 120_000 })
  expect([asked(), await plant.alarms()]).toEqual([0, []])
  await edge.data({ states: { 'lock.local': 1 }, at })
  await vi.waitFor(() => expect(asked()).toBe(1))
  plant.now += 59_999
  await edge.data({ values: { 'temperature.a': 95 }, at })
  plant.now += 1
  await edge.data({ values: { 'temperature.a': 95 }, at: at + 1 })
  await vi.waitFor(() => expect(asked()).toBe(2))
  expect(await plant.alarms()).toEqual([])
  await edge.birth({ values: { 'temperature.a': 95 }, at: at + 2 })
  expect(await plant.alarms()).toEqual(['temperature.alarm active'])
})

describe('a value that cannot be', () => {
  test('is missing, raises and returns nothing, and is counted', async () => {
    plant.now += 1_000
    await edge.data({ values: { 'temperature.a': 4_294_967_290, energy: -1, 'voltage.a': 3.4e38, residual: 14 } })
    expect(['temperature.a', 'energy', 'voltage.a', 'residual'].map((key) => plant.value(key))).toEqual([null, null, null, 14])
    expect([await plant.alarms(), asides()]).toEqual([[], [['implausible', 1]]])
    await edge.data({ values: { 'temperature.a': 95 }, at: plant.now + 1 })
    await edge.data({ values: { 'temperature.a': -300 }, at: plant.now + 60_000 })
    await edge.data({ values: { 'temperature.a': -300 }, at: plant.now + 120_000 })
    expect(await plant.alarms()).toEqual(['temperature.alarm active'])
  })
})

test('a long reason for a refusal is cut between characters', async () => {
  const text = (name: string, value: string) => metric({ name: `command/result/${name}`, type: DataType.String, value })
  await publish([text('id', 'c1'), text('status', 'refused'), text('reason', `${'x'.repeat(63)}😀`)])
  expect(plant.committed.flatMap(({ results = [] }) => results)).toMatchObject([{ commandId: 'c1', reason: 'x'.repeat(63) }])
})

test('compressed payloads are told as such', async () => {
  await publish([], { uuid: 'SPBV1.0_COMPRESSED' })
  await publish([], { uuid: 'SPBV1.0_COMPRESSED' }, edgeTopic(group, 'NBIRTH', 'G1'))
  expect(asides()).toEqual([['compressed', 2]])
})

test('aliases of 64 bits are aliases, of values and of orders', async () => {
  const alias = 2n ** 63n + 5n
  const near = 2n ** 63n + 6n
  await edge.deviceBirth(edge.device, {}, [
    residual(1, { alias }),
    metric({ name: '1/current.a', alias: near, type: DataType.Float, value: 1 }),
  ])
  plant.now += 1_000
  await publish([metric({ alias, type: DataType.Float, value: 21 }), metric({ alias: near, type: DataType.Float, value: 22 })])
  expect([plant.value('residual'), plant.value('current.a'), await plant.quarantined()]).toEqual([21, 22, []])
})

describe('another group than that of the birth', () => {
  const elsewhere = (kind: 'DDATA' | 'DDEATH') => deviceTopic('other', kind, 'G1', edge.device)

  test('says nothing of this gateway', async () => {
    plant.now += 1_000
    await publish([residual(77)], {}, elsewhere('DDATA'))
    await publish([], {}, elsewhere('DDEATH'))
    expect([plant.value('residual'), plant.line().device.link, asides()]).toEqual([12, 'online', [['other_group', 2]]])
  })

  test('is where orders and rebirths go, once it is born there', async () => {
    const { device } = plant.line()
    await edge.client.subscribeAsync([`spBv1.0/other/NCMD/G1`, `spBv1.0/other/DCMD/G1/+`])
    edge.seq = 0
    await edge.publish(
      edgeTopic('other', 'NBIRTH', 'G1'),
      encodePayload({ timestampMs: plant.now, seq: 0, metrics: [metric({ name: 'bdSeq', type: DataType.Int64, value: 1 })] }),
    )
    const received: string[] = []
    edge.client.on('message', (topic) => received.push(topic))
    await publish([residual(5)], {}, elsewhere('DDATA'))
    await vi.waitUntil(() => received.length > 0)
    expect(received).toEqual(['spBv1.0/other/NCMD/G1'])
    await publish(
      [metric({ name: 'info/model', type: DataType.String, value: '3P' }), residual(6)],
      {},
      deviceTopic('other', 'DBIRTH', 'G1', edge.device),
    )
    expect([plant.value('residual'), plant.ingest.reach(gateway(), device)]).toEqual([6, 'yes'])
  })
})

test('names nobody knows are counted of a gateway as of its devices', async () => {
  const known = ['info/signal', 'bdSeq', 'Node Control/Rebirth', 'command/id']
  const metrics = [...known, 'Properties/Uptime'].map((name) => metric({ name, type: DataType.Float, value: -70 }))
  await publish(metrics, {}, edgeTopic(group, 'NDATA', 'G1'))
  expect(plant.ingest.status().UnknownMetrics).toEqual([{ Name: 'Properties/Uptime', Family: 'gateway', Count: 1 }])
})

test('a device id that is too long is listed and costs the gateway nothing', async () => {
  const [long, longest] = ['x'.repeat(129), 'y'.repeat(128)]
  const model = metric({ name: 'info/model', type: DataType.String, value: '3P' })
  for (const id of [long, longest]) await publish([model, residual(3)], {}, deviceTopic(group, 'DBIRTH', 'G1', id))
  await edge.data({ values: { residual: 8 } })
  expect([await plant.quarantined(), plant.ingest.refusedDevices(gateway()), gateway().devices.has(longest)]).toEqual([
    ['device_birth'],
    [expect.objectContaining({ controllerId: long, detail: expect.stringContaining('129') })],
    true,
  ])
})

test('equipment that listens is told why something of it was not taken', async () => {
  const client = await connect(plant, 'G2', 'secret-of-G2')
  const notified: unknown[] = []
  client.on('message', (topic, payload) => notified.push([topic, JSON.parse(payload.toString())]))
  await client.subscribeAsync('linewarden/v1/G2/refused')
  await client.publishAsync('linewarden/v1/G2/data', '{"device":"B","timestamp":1,"values":{}}', { qos: 1 })
  await vi.waitUntil(() => notified.length > 0)
  expect(notified).toEqual([
    [
      'linewarden/v1/G2/refused',
      { topic: 'linewarden/v1/G2/data', reason: 'misspelt_field', detail: expect.stringContaining('"timestamp"') },
    ],
  ])
  const [elsewhere] = await client.subscribeAsync('linewarden/v1/G1/refused').catch(() => [{ qos: 128 }])
  expect(elsewhere?.qos).toBe(128)
  client.end(true)
})

test('what was wrong is forgotten when it has not happened for a day', async () => {
  await edge.data({ states: { position: 9 } })
  plant.now += 86_399_999
  expect(asides()).toEqual([['unknown_state', 1]])
  plant.now += 1
  expect(asides()).toEqual([])
})
