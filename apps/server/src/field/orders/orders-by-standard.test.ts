import type { Metric } from '@linewarden/sparkplug'
import { DataType, decodePayload, deviceTopic, edgeTopic, encodePayload, metric } from '@linewarden/sparkplug'
import type { IPublishPacket } from 'mqtt'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TestEdge } from '../test-ingest.ts'
import { group, TestIngest } from '../test-ingest.ts'
import type { OutgoingCommand } from './outgoing.ts'

let plant: TestIngest
let edge: TestEdge
let packets: IPublishPacket[]

beforeEach(async () => {
  plant = await TestIngest.start()
  edge = await plant.edge()
  packets = []
  edge.client.on('packetreceive', (packet) => packet.cmd === 'publish' && packets.push(packet))
})
afterEach(() => plant.close())

const announced = (name: string, alias: number, type: number, value: Metric['value'] = null) =>
  metric({ name, alias, type, value })
const orderable = [
  announced('command/id', 100, DataType.String),
  announced('command/line', 101, DataType.UInt8),
  announced('command/action', 102, DataType.Text),
  announced('command/result/id', 110, DataType.String),
  announced('command/result/status', 111, DataType.String),
  announced('command/result/reason', 112, DataType.String),
  announced('settings/1/leakage.trip', 60, DataType.Int32, 300),
]
const command = (leakage: number): OutgoingCommand => ({
  gateway: plant.line().device.gateway,
  wireId: edge.device,
  lineNo: 1,
  commandId: '7a1d0c52-3b7e-4f0e-8a51-6f0a4f1f9a02',
  action: 'set',
  settings: { 'leakage.trip': leakage },
  issuedAt: plant.now,
  deadline: plant.now + 10_000,
  fence: 4,
})
const received = async (): Promise<Pick<IPublishPacket, 'topic' | 'qos' | 'retain'> & { metrics: readonly Metric[] }> => {
  await vi.waitFor(() => expect(packets).toHaveLength(1))
  const { topic, qos, retain, payload } = packets[0] ?? ({} as IPublishPacket)
  return { topic, qos, retain, metrics: decodePayload(Buffer.from(payload)).metrics }
}
const brief = (metrics: readonly Metric[]) => metrics.map(({ name, alias, type, value }) => [name ?? alias, type, value])

test.each(['with', 'without'])(
  'equipment that announced what can be ordered, and reports %s datatypes, gets it so by alias at QoS 0, not retained',
  async (habit) => {
    const typed = habit === 'with'
    await edge.nodeBirth()
    await edge.deviceBirth(edge.device, {}, orderable)
    expect(await plant.quarantined()).toEqual([])
    expect(plant.ingest.status().UnknownMetrics).toEqual([])
    const report = {
      timestampMs: plant.now,
      seq: edge.nextSeq(),
      metrics: [metric({ alias: 60, type: DataType.Int32, value: 300 })],
    }
    await edge.publish(edge.dataTopic, encodePayload(report, { typed: () => typed }))
    expect(plant.ingest.send(command(150))).toBe('sent')
    const { topic, qos, retain, metrics } = await received()
    expect([topic, qos, retain]).toEqual([deviceTopic(group, 'DCMD', 'G1', edge.device), 0, false])
    const born = (type: number) => (typed ? type : DataType.Unknown)
    expect(brief(metrics)).toEqual([
      [100, born(DataType.String), command(0).commandId],
      [101, born(DataType.UInt8), 1],
      [102, born(DataType.Text), 'set'],
      ['command/issuedAt', DataType.DateTime, plant.now],
      ['command/deadline', DataType.DateTime, plant.now + 10_000],
      ['command/fence', DataType.Int64, 4],
      ['command/bdSeq', DataType.Int64, 0],
      [60, born(DataType.Int32), 150],
    ])
  },
)

test('equipment that left datatypes out gets them again once it is born anew and reports with them', async () => {
  const report = async (typed: boolean) => {
    const metrics = [metric({ alias: 60, type: DataType.Int32, value: 300 })]
    const payload = { timestampMs: plant.now, seq: edge.nextSeq(), metrics }
    await edge.publish(edge.dataTopic, encodePayload(payload, { typed: () => typed }))
  }
  for (const typed of [false, true]) {
    await edge.nodeBirth()
    await edge.deviceBirth(edge.device, {}, orderable)
    await report(typed)
  }
  expect(plant.ingest.send(command(150))).toBe('sent')
  expect(brief((await received()).metrics)[0]).toEqual([100, DataType.String, command(0).commandId])
})

test('a value that the announced type cannot hold goes by name with a type that can', async () => {
  await edge.nodeBirth()
  await edge.deviceBirth(edge.device, {}, orderable)
  plant.ingest.send(command(75.6))
  expect(brief((await received()).metrics).at(-1)).toEqual(['settings/1/leakage.trip', DataType.Double, 75.6])
})

test.each([
  ['Int8', DataType.Int8, -128, 127],
  ['Int16', DataType.Int16, -32_768, 32_767],
  ['Int32', DataType.Int32, -2_147_483_648, 2_147_483_647],
  ['UInt8', DataType.UInt8, 0, 255],
  ['UInt16', DataType.UInt16, 0, 65_535],
  ['UInt32', DataType.UInt32, 0, 4_294_967_295],
])('%s holds its least and its greatest value, and none beyond them', async (_, type, min, max) => {
  await edge.nodeBirth()
  await edge.deviceBirth(edge.device, {}, [...orderable.slice(0, -1), announced('settings/1/leakage.trip', 60, type, 0)])
  for (const value of [min - 1, min, max, max + 1]) plant.ingest.send(command(value))
  await vi.waitFor(() => expect(packets).toHaveLength(4))
  expect(packets.map(({ payload }) => brief(decodePayload(Buffer.from(payload)).metrics).at(-1))).toEqual([
    ['settings/1/leakage.trip', DataType.Double, min - 1],
    [60, type, min],
    [60, type, max],
    ['settings/1/leakage.trip', DataType.Double, max + 1],
  ])
})

test('equipment of our own dialect gets orders by name with their types, at QoS 1 and not retained', async () => {
  await edge.birth()
  plant.ingest.send(command(75.6))
  const { qos, retain, metrics } = await received()
  expect([qos, retain]).toEqual([1, false])
  expect(brief(metrics)).toContainEqual(['command/action', DataType.String, 'set'])
  expect(brief(metrics)).toContainEqual(['settings/1/leakage.trip', DataType.Double, 75.6])
})

test('a period that is ordered of a gateway whose birth carries no session number says session 0, as other orders do', async () => {
  await edge.birth()
  const { gateway, commandId, issuedAt, deadline, fence } = command(0)
  expect(plant.ingest.sendInterval({ gateway, commandId, seconds: 30, issuedAt, deadline, fence })).toBe('sent')
  const { topic, metrics } = await received()
  expect(topic).toBe(edgeTopic(group, 'NCMD', 'G1'))
  expect(brief(metrics)).toContainEqual(['command/bdSeq', DataType.Int64, 0])
  expect(brief(metrics)).toContainEqual(['info/reportingPeriod', DataType.Double, 30])
})

test('answers by alias count: the result, the setting and the period read back', async () => {
  await edge.nodeBirth([announced('info/reportingPeriod', 5, DataType.Int32, 10)])
  await edge.deviceBirth(edge.device, {}, orderable)
  const publish = (topic: string, metrics: readonly Metric[]) =>
    edge.publish(topic, encodePayload({ timestampMs: plant.now, seq: edge.nextSeq(), metrics }, { typed: () => false }))
  await publish(edge.dataTopic, [
    metric({ alias: 110, type: DataType.String, value: command(0).commandId }),
    metric({ alias: 111, type: DataType.String, value: 'refused' }),
    metric({ alias: 112, type: DataType.String, value: 'local_lock' }),
    metric({ alias: 60, type: DataType.Int32, value: 150 }),
  ])
  expect(plant.committed.flatMap(({ results }) => results ?? [])).toMatchObject([
    { commandId: command(0).commandId, status: 'refused', reason: 'local_lock' },
  ])
  expect(plant.line().reported.get('leakage.trip')).toBe(150)
  await publish(edgeTopic(group, 'NDATA', 'G1'), [metric({ alias: 5, type: DataType.Int32, value: 30 })])
  expect(plant.line().device.gateway.reportingPeriodMs).toBe(30_000)
})

test('an order goes only to who listens to its topic, with the QoS that was granted', async () => {
  await edge.birth()
  const { device } = plant.line()
  const dcmd = deviceTopic(group, 'DCMD', 'G1', '+')
  await edge.client.unsubscribeAsync(dcmd)
  expect([plant.ingest.reach(device.gateway, device), plant.ingest.send(command(150))]).toEqual(['not_listening', 'no_session'])
  await edge.client.subscribeAsync(dcmd, { qos: 0 })
  expect([plant.ingest.reach(device.gateway, device), plant.ingest.send(command(150))]).toEqual(['yes', 'sent'])
  expect((await received()).qos).toBe(0)
})

test('a rebirth is asked for at QoS 0, not retained, and by the alias of the birth', async () => {
  await edge.nodeBirth([announced('Node Control/Rebirth', 3, DataType.Boolean, false)])
  await edge.publish(edge.dataTopic, edge.dataBytes({ values: { residual: 1 }, skip: 3 }))
  const { topic, qos, retain, metrics } = await received()
  expect([topic, qos, retain, brief(metrics)]).toEqual([edgeTopic(group, 'NCMD', 'G1'), 0, false, [[3, DataType.Boolean, true]]])
})

test('a breaker that is born without a line is set aside', async () => {
  await edge.nodeBirth()
  const model = metric({ name: 'info/model', type: DataType.String, value: '3P' })
  await edge.publish(
    deviceTopic(group, 'DBIRTH', 'G1', 'bare'),
    encodePayload({ timestampMs: plant.now, seq: edge.nextSeq(), metrics: [model] }),
  )
  expect([await plant.quarantined(), plant.plant.deviceByControllerId.has('bare')]).toEqual([['device_birth'], false])
})

test('a JSON gateway is written its settings among the values of the command, each by its line and key', async () => {
  await edge.client.subscribeAsync('linewarden/v1/G1/command', { qos: 1 })
  const values = { 'info/model': '3P', '1/residual': 1, 'settings/1/leakage.trip': 300 }
  await edge.publish('linewarden/v1/G1/birth', JSON.stringify({ devices: [{ id: edge.device, values }] }))
  expect(plant.ingest.send(command(150))).toBe('sent')
  await vi.waitFor(() => expect(packets).toHaveLength(1))
  const [{ topic, qos, retain, payload } = {} as IPublishPacket] = packets
  expect([topic, qos, retain]).toEqual(['linewarden/v1/G1/command', 1, false])
  expect(JSON.parse(String(payload))).toEqual({
    device: edge.device,
    line: 1,
    id: command(0).commandId,
    action: 'set',
    issuedAt: plant.now,
    deadline: plant.now + 10_000,
    fence: 4,
    values: { 'settings/1/leakage.trip': 150 },
  })
})
