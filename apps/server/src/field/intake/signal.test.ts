import { DataType, edgeTopic, encodePayload, metric } from '@linewarden/sparkplug'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect, group, TestIngest } from '../test-ingest.ts'

let plant: TestIngest

beforeEach(async () => {
  plant = await TestIngest.start()
})
afterEach(() => plant.close())

const signal = () => plant.plant.gatewayByNumber.get('G1')?.signal
const stored = async () =>
  (await plant.rows<{ signal_dbm: number | null }>("select signal_dbm from gateway where number = 'G1'"))[0]
const signalOf = (value: number | null, more: { alias?: number; isHistorical?: boolean } = {}) =>
  metric({ name: 'info/signal', type: DataType.Int32, value, ...more })

async function bornEdge() {
  const edge = await plant.edge()
  const publish = (metrics: readonly ReturnType<typeof metric>[]) =>
    edge.publish(
      edgeTopic(group, 'NDATA', 'G1'),
      encodePayload({ timestampMs: plant.now, seq: edge.nextSeq(), metrics: [...metrics] }),
    )
  return { edge, publish }
}

test('a gateway says at birth how strongly it hears its network, and later by name or by alias', async () => {
  const { edge, publish } = await bornEdge()
  await edge.nodeBirth([signalOf(-71, { alias: 7 })])
  expect(signal()).toEqual({ dbm: -71, at: plant.now })
  plant.now += 60_000
  await publish([signalOf(-83)])
  expect(signal()).toEqual({ dbm: -83, at: plant.now })
  plant.now += 60_000
  await publish([metric({ alias: 7, type: DataType.Int32, value: -90 })])
  expect([signal(), await stored()]).toEqual([{ dbm: -90, at: plant.now }, { signal_dbm: -90 }])
  await plant.restart()
  expect(signal()).toEqual({ dbm: -90, at: plant.now })
})

test('what was kept for later says nothing of now, and null is not known any more', async () => {
  const { edge, publish } = await bornEdge()
  await edge.nodeBirth([signalOf(-71)])
  plant.now += 60_000
  await publish([signalOf(-99, { isHistorical: true })])
  expect(signal()?.dbm).toBe(-71)
  await publish([signalOf(null)])
  expect([signal(), await stored()]).toEqual([null, { signal_dbm: null }])
})

test('however often a gateway says it, it is kept twice a minute at most', async () => {
  const { edge, publish } = await bornEdge()
  await edge.nodeBirth([signalOf(-71)])
  plant.now += 10_000
  await publish([signalOf(-72)])
  expect(signal()?.dbm).toBe(-71)
  plant.now += 20_000
  await publish([signalOf(-73)])
  expect(signal()?.dbm).toBe(-73)
})

test.each([12, -151, Number.NEGATIVE_INFINITY])(
  '%s is no received power: it is set aside and what was known stays',
  async (value) => {
    const { edge, publish } = await bornEdge()
    await edge.nodeBirth([signalOf(-71)])
    plant.now += 60_000
    await publish([metric({ name: 'info/signal', type: DataType.Double, value })])
    expect([signal()?.dbm, await plant.quarantined()]).toEqual([-71, ['bad_signal']])
  },
)

test('a JSON gateway says it at birth, and later in data that names no device', async () => {
  const client = await connect(plant, 'G1', 'secret-of-G1')
  const publish = (kind: string, message: object) =>
    client.publishAsync(`linewarden/v1/G1/${kind}`, JSON.stringify(message), { qos: 1 })
  await publish('data', { values: { 'info/signal': -60 } })
  expect([signal(), await plant.quarantined()]).toEqual([null, ['not_born']])
  await publish('birth', { values: { 'info/signal': -64.4 }, devices: [] })
  expect(signal()?.dbm).toBe(-64)
  plant.now += 60_000
  await publish('data', { values: { 'info/signal': -70 } })
  expect(signal()?.dbm).toBe(-70)
  await publish('data', { values: { '1/residual': 3 } })
  expect(await plant.quarantined()).toEqual(['not_born', 'json'])
  client.end(true)
})
