import { DataType, decodePayload, deviceTopic, encodePayload, metric } from '@linewarden/sparkplug'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { topicsOf } from '../../plant/test-topics.ts'
import type { TestEdge } from '../test-ingest.ts'
import { group, TestIngest } from '../test-ingest.ts'

let plant: TestIngest
let edge: TestEdge

beforeEach(async () => {
  plant = await TestIngest.start()
  edge = await plant.edge()
})

afterEach(() => plant.close())

const gateway = () => plant.plant.gatewayByNumber.get('G1')
const rebirths = () =>
  edge.received.filter(({ payload }) =>
    decodePayload(payload).metrics.some((each) => each.name === 'Node Control/Rebirth' && each.value === true),
  )

test('a birth registers the device and its lines, with what it says of them', async () => {
  await edge.birth({ values: { residual: 12 } })
  const line = plant.line()
  expect(line.name).toBe('Lift')
  expect(line.ratedCurrentA).toBe(63)
  expect(line.device.model).toBe('3P')
  expect(line.states.get('position')).toBe('closed')
  expect(line.reported.get('leakage.trip')).toBe(300)
  expect(gateway()?.link).toBe('online')
  expect(plant.value('residual')).toBe(12)
  expect(topicsOf('tree', ...plant.committed).map(({ to }) => to)).toEqual([{ partOf: gateway()?.project.id }])
})

test('a second birth keeps the name a person gave and registers nothing twice', async () => {
  await edge.birth()
  await plant.rows("update line set name = 'Lift 2'")
  await plant.restart()
  edge = await plant.edge()
  await edge.birth()
  expect(plant.line().name).toBe('Lift 2')
  expect(await plant.rows('select 1 from line')).toHaveLength(1)
})

test('a device that comes back with nothing new but its firmware is stored with that, also by a server that was started since', async () => {
  const born = async (version: string) => {
    await edge.nodeBirth()
    const firmware = metric({ name: 'info/firmware', type: DataType.String, value: version })
    await edge.deviceBirth('C-G1', {}, [firmware])
    return plant.rows('select firmware from device')
  }
  expect(await born('1.2')).toEqual([{ firmware: '1.2' }])
  expect(await born('1.3')).toEqual([{ firmware: '1.3' }])
  await plant.restart()
  edge = await plant.edge()
  expect(await born('1.3')).toEqual([{ firmware: '1.3' }])
  expect(await born('1.4')).toEqual([{ firmware: '1.4' }])
  expect(plant.line().device.firmware).toBe('1.4')
})

test('a device of no known family is kept aside with the reason, the next one is taken', async () => {
  await edge.nodeBirth()
  await edge.deviceBirth('C-odd', {}, [metric({ name: 'info/model', type: DataType.String, value: 'TOASTER' })])
  await edge.deviceBirth('C-G1')
  const [row] = await plant.rows<{ reason: string; detail: string }>('select reason, detail from quarantine')
  expect(row?.reason).toBe('device_birth')
  expect(row?.detail).toContain('TOASTER')
  expect(plant.line().name).toBe('Lift')
})

test('a device that died is out of reach while its gateway and the others on it are not', async () => {
  await edge.birth()
  await edge.deviceBirth('C-other')
  const { device } = plant.line()
  const { gateway: its } = device
  const other = plant.plant.deviceByControllerId.get('C-other') ?? null
  const reach = () => [null, device, other].map((each) => plant.ingest.reach(its, each))
  expect(reach()).toEqual(['yes', 'yes', 'yes'])
  const topic = deviceTopic('plant', 'DDEATH', 'G1', edge.device)
  await edge.publish(topic, encodePayload({ timestampMs: plant.now, seq: edge.nextSeq(), metrics: [] }))
  expect([its.link, ...reach()]).toEqual(['online', 'yes', 'device_gone', 'yes'])
  await edge.deviceBirth(edge.device)
  expect(reach()).toEqual(['yes', 'yes', 'yes'])
  edge.client.end(true)
  await vi.waitFor(() => expect(reach()).toEqual(['not_connected', 'not_connected', 'not_connected']))
})

test('a sequence gap asks for one rebirth, however many messages follow within five seconds', async () => {
  await edge.birth()
  await edge.data({ values: { residual: 1 }, skip: 3 })
  await edge.data({ values: { residual: 2 } })
  await vi.waitUntil(() => rebirths().length > 0)
  plant.now += 4_900
  await edge.data({ values: { residual: 3 } })
  expect(plant.ingest.status().Rebirths).toBe(1)
  plant.now += 200
  await edge.data({ values: { residual: 4 } })
  expect(plant.ingest.status().Rebirths).toBe(2)
  // What could be read in spite of the gap is not thrown away.
  expect(plant.value('residual')).toBe(4)
})

test('data before the birth is kept aside and a birth asked for', async () => {
  await edge.data({ values: { residual: 1 } })
  await vi.waitUntil(() => rebirths().length > 0)
  expect(await plant.quarantined()).toEqual(['not_born'])
})

test('an alias nobody announced asks for a rebirth; the other values of the message count', async () => {
  await edge.birth()
  const metrics = [metric({ alias: 999, type: DataType.Float, value: 1 }), metric({ alias: 20, type: DataType.Float, value: 7 })]
  await edge.publish(edge.dataTopic, encodePayload({ timestampMs: plant.now, seq: edge.nextSeq(), metrics }))
  expect(await plant.quarantined()).toEqual(['unknown_alias'])
  expect(plant.value('residual')).toBe(7)
  await vi.waitUntil(() => rebirths().length > 0)
})

test('a metric nobody knows is counted by its name and family', async () => {
  await edge.nodeBirth()
  await edge.deviceBirth('C-G1', {}, [metric({ name: '1/humidity', type: DataType.Float, value: 40 })])
  expect(plant.ingest.status().UnknownMetrics).toEqual([{ Name: 'n/humidity', Family: 'breaker3p', Count: 1 }])
})

test('a death certificate makes the gateway offline at once and is an event', async () => {
  await edge.birth()
  await edge.death()
  expect(gateway()?.link).toBe('offline')
  expect(await plant.alarms()).toEqual(['gateway.offline active'])
  await edge.birth()
  expect(gateway()?.link).toBe('online')
  expect(await plant.alarms()).toEqual(['gateway.offline returned'])
})

test('the death certificate of an earlier session is ignored', async () => {
  edge.bdSeq = 7
  await edge.birth()
  await edge.death(6)
  expect(gateway()?.link).toBe('online')
  expect(await plant.alarms()).toEqual([])
})

test('a lost connection makes the gateway offline at once', async () => {
  await edge.birth()
  edge.client.stream.destroy()
  await vi.waitUntil(() => gateway()?.link === 'offline')
  expect(await plant.alarms()).toEqual(['gateway.offline active'])
})

test('a gateway that connects again before its old connection has ended stays online', async () => {
  await edge.birth()
  const again = await plant.edge('G1')
  await again.birth()
  await vi.waitUntil(() => edge.client.connected === false)
  await plant.ingest.drained()
  expect(gateway()?.link).toBe('online')
  await again.data({ values: { residual: 5 } })
  expect(plant.value('residual')).toBe(5)
})

test('after three silent periods the gateway is stale, and online again when it speaks', async () => {
  await plant.restart({ linksEveryMs: 100 })
  edge = await plant.edge()
  await edge.birth()
  plant.now += 30_000
  await plant.ingest.drained()
  expect(gateway()?.link).toBe('online')
  plant.now += 1
  await vi.waitUntil(() => gateway()?.link === 'stale')
  expect(await plant.alarms()).toEqual(['gateway.stale active'])
  await edge.data({ values: { residual: 5 } })
  await vi.waitUntil(() => gateway()?.link === 'online')
  expect(await plant.alarms()).toEqual(['gateway.stale returned'])
})

test('stopping the server cleanly is no fault of the gateways', async () => {
  await edge.birth()
  await plant.restart()
  expect(await plant.alarms()).toEqual([])
  expect(gateway()?.link).toBe('stale')
  edge = await plant.edge()
  await edge.birth()
  expect(gateway()?.link).toBe('online')
  expect(await plant.alarms()).toEqual([])
})

const tripOfLine1 = () => ({
  gateway: plant.line().device.gateway,
  wireId: 'C-G1',
  lineNo: 1,
  commandId: '6b0e0f8c-0000-4000-8000-000000000001',
  action: 'trip' as const,
  settings: null,
  issuedAt: plant.now,
  deadline: plant.now + 30_000,
  fence: 1,
})

test('an order that reaches a gateway is for now: not retained for a later session, and not said to be a second delivery', async () => {
  await edge.birth()
  const arrived = new Promise((resolve) => edge.client.once('message', (_topic, _payload, packet) => resolve(packet)))
  expect(plant.ingest.send(tripOfLine1())).toBe('sent')
  expect(await arrived).toMatchObject({ topic: deviceTopic('plant', 'DCMD', 'G1', 'C-G1'), qos: 1, retain: false, dup: false })
})

test('a command goes to the born device only, and says so when there is none', async () => {
  await edge.birth()
  const command = tripOfLine1()
  expect(plant.ingest.send(command)).toBe('sent')
  await vi.waitUntil(() => edge.received.some(({ topic }) => topic === deviceTopic('plant', 'DCMD', 'G1', 'C-G1')))
  expect(plant.ingest.send({ ...command, wireId: 'C-other' })).toBe('no_session')
  await edge.death()
  expect(plant.ingest.send(command)).toBe('no_session')
})

test('a breaker that is born without a line is set aside, and none is registered', async () => {
  await edge.nodeBirth()
  const metrics = [metric({ name: 'info/model', type: DataType.String, value: '3P' })]
  const payload = encodePayload({ timestampMs: plant.now, seq: edge.nextSeq(), metrics })
  await edge.publish(deviceTopic(group, 'DBIRTH', 'G1', 'C-bare'), payload)
  expect(await plant.rows('select reason, detail from quarantine')).toEqual([
    { reason: 'device_birth', detail: 'a device of this family must be born with at least one line' },
  ])
  expect(plant.plant.deviceByControllerId.has('C-bare')).toBe(false)
})
