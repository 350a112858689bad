import { DataType, deviceTopic, edgeTopic, encodePayload, metric } from '@linewarden/sparkplug'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TestEdge } from '../test-ingest.ts'
import { connect, group, TestIngest } from '../test-ingest.ts'

let plant: TestIngest
let edge: TestEdge

beforeEach(async () => {
  plant = await TestIngest.start()
  edge = await plant.edge()
  await edge.birth()
})

afterEach(() => plant.close())

/** The proof that ingest goes on: another gateway's reading is committed and acknowledged. */
async function goesOn(): Promise<void> {
  const other = await plant.edge('G2')
  await other.birth()
  await other.data({ values: { residual: 33 }, at: plant.now + 1 })
  expect(plant.value('residual', 'G2')).toBe(33)
  expect(plant.ingest.status().Degraded).toBe(false)
}

const json = (kind: string, body: string) => edge.publish(`linewarden/v1/G1/${kind}`, body)
const text = (name: string, value: string) => metric({ name, type: DataType.String, value })

test('whatever bytes come, they are kept aside or taken, acknowledged, and ingest goes on', async () => {
  const topics = [
    edge.dataTopic,
    edgeTopic(group, 'NBIRTH', 'G1'),
    edgeTopic(group, 'NDATA', 'G1'),
    deviceTopic(group, 'DBIRTH', 'G1', 'C-G1'),
    'linewarden/v1/G1/data',
    'linewarden/v1/G1/birth',
  ]
  const valid = edge.dataBytes({ values: { residual: 20 }, states: { position: 1 } })
  const mutated = fc
    .array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
    .map((changes) => changes.reduce((bytes, [at, byte]) => bytes.with(at, byte), Uint8Array.from(valid)))
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    mutated,
    fc.json().map((each) => Buffer.from(each)),
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...topics), fc.array(bytes, { minLength: 1, maxLength: 8 }), async (topic, payloads) => {
      await Promise.all(payloads.map((each) => edge.publish(topic, each)))
    }),
    { numRuns: 60 },
  )
  await goesOn()
})

test('a value that is no number a plant can have is missing and noted; the others of the message count', async () => {
  await edge.data({ values: { residual: Number.POSITIVE_INFINITY, 'current.a': 5 } })
  expect(await plant.quarantined()).toEqual(['not_finite'])
  expect(plant.value('residual')).toBeNull()
  expect(plant.value('current.a')).toBe(5)
})

test('a state code nobody knows is noted; the state stays', async () => {
  await edge.data({ states: { position: 9 } })
  expect(await plant.quarantined()).toEqual(['unknown_state'])
  expect(plant.line().states.get('position')).toBe('closed')
})

test('a device time before 1970 or after 2100 is no time', async () => {
  await edge.data({ values: { residual: 5 }, at: Date.UTC(2100, 0, 1) })
  expect(await plant.quarantined()).toEqual(['time'])
})

test('malformed protobuf is kept with its bytes', async () => {
  await edge.publish(edge.dataTopic, Buffer.from([0x12, 0xff]))
  const rows = await plant.rows('select topic, gateway_number, size, payload from quarantine')
  expect(rows).toEqual([{ topic: edge.dataTopic, gateway_number: 'G1', size: 2, payload: Buffer.from([0x12, 0xff]) }])
})

test('a message with many bad metrics is one entry in quarantine', async () => {
  const metrics = Array.from({ length: 500 }, () => metric({ name: '1/position', type: DataType.Int32, value: 77 }))
  await edge.publish(edge.dataTopic, encodePayload({ timestampMs: plant.now, seq: edge.nextSeq(), metrics }))
  expect(await plant.quarantined()).toEqual(['unknown_state'])
})

test('a text with a zero byte stops nobody', async () => {
  await edge.nodeBirth()
  await edge.deviceBirth('C-odd', {}, [text('info/model', 'x\0'), text('info/name', 'x\0')])
  await goesOn()
  expect(await plant.quarantined()).toEqual(['device_birth'])
})

test('a device whose name has a zero byte is born without it', async () => {
  await edge.nodeBirth()
  await edge.deviceBirth('C-G1b', {}, [text('info/name', 'Bo\0ard')])
  await goesOn()
  expect(plant.plant.deviceByControllerId.get('C-G1b')?.name).toBe('Board')
})

test('a state word with a zero byte stops nobody', async () => {
  await edge.publish(
    edge.dataTopic,
    encodePayload({ timestampMs: plant.now, seq: edge.nextSeq(), metrics: [text('1/position', 'ajar\0')] }),
  )
  await goesOn()
  expect(await plant.quarantined()).toEqual(['unknown_state'])
})

test('a reporting period that is no whole number of milliseconds stops nobody', async () => {
  await edge.nodeBirth([metric({ name: 'info/reportingPeriod', type: DataType.Float, value: 10.1 })])
  await goesOn()
  expect(plant.plant.gatewayByNumber.get('G1')?.reportingPeriodMs).toBe(10_100)
})

test('a birth sequence beyond 32 bits stops nobody', async () => {
  await edge.nodeBirth([metric({ name: 'bdSeq', type: DataType.Int64, value: 2 ** 40 })])
  await goesOn()
})

test('two times within one microsecond stop nobody', async () => {
  await json('birth', JSON.stringify({ devices: [{ id: 'C-json', values: { 'info/model': '3P', '1/residual': 1 } }] }))
  for (const time of [plant.now + 0.125, plant.now + 0.1252])
    await json('data', `{"device":"C-json","time":${time},"values":{"1/residual":2}}`)
  const twice = [plant.now + 5.125, plant.now + 5.1252].map((time) =>
    json('data', `{"device":"C-json","time":${time},"values":{"1/residual":2}}`),
  )
  await Promise.all(twice)
  await goesOn()
})

test('a line born again within the batch of its own reading stops nobody', async () => {
  const data = edge.data({ values: { residual: 5 } })
  const birth = edge.deviceBirth('C-G1', { values: { residual: 6 } }, [
    metric({ name: '1/info/ratedCurrent', type: DataType.Float, value: 40 }),
  ])
  await Promise.all([data, birth])
  await goesOn()
  expect(plant.line().ratedCurrentA).toBe(40)
})

test('JSON that is none, or deep, or of the wrong shape is kept aside with the reason', async () => {
  for (const body of [
    '{',
    '[]',
    '{"device":1,"values":{}}',
    `${'['.repeat(20_000)}`,
    '{"device":"C-G1","values":{"1/residual":{}}}',
  ])
    await json('data', body)
  expect(await plant.quarantined()).toEqual(Array.from({ length: 5 }, () => 'json'))
  await goesOn()
})

test('a message of ten megabytes from a gateway is cut off when it is announced, and noted', async () => {
  const gone = new Promise<void>((resolve) => edge.client.once('close', () => resolve()))
  // PUBLISH with remaining length 10,000,000 and not one byte of it.
  edge.client.stream.write(Buffer.from([0x30, 0x80, 0xad, 0xe2, 0x04]))
  await gone
  await vi.waitFor(async () => expect(await plant.quarantined()).toEqual(['too_large']))
  edge = await plant.edge()
  await edge.birth()
  await goesOn()
})

test('a Sparkplug payload over one megabyte is kept aside, the connection stays', async () => {
  const metrics = [text('info/name', 'x'.repeat(1_100_000))]
  await edge.publish(edge.dataTopic, encodePayload({ timestampMs: plant.now, seq: edge.nextSeq(), metrics }))
  expect(await plant.quarantined()).toEqual(['too_large'])
  expect(edge.client.connected).toBe(true)
})

test('an unknown gateway and a wrong secret are refused when they connect', async () => {
  await expect(connect(plant, 'G9', 'secret-of-G9')).rejects.toThrow()
  await expect(connect(plant, 'G1', 'secret-of-G2')).rejects.toThrow()
})
