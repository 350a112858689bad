import net from 'node:net'
import { DataType, deviceTopic, encodePayload, metric } from '@linewarden/sparkplug'
import mqtt from 'mqtt'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { maxKeptPerHour } from '../commit/quarantine-book.ts'
import { connect, group, TestIngest } from '../test-ingest.ts'
import { ConnectionLimits, cutOffCounted, maxFailures, maxPending } from './connection-limits.ts'

let plant: TestIngest

beforeEach(async () => {
  plant = await TestIngest.start()
})
afterEach(() => plant.close())

const gateway = (number = 'G1') => {
  const found = plant.plant.gatewayByNumber.get(number)
  if (!found) throw new Error(number)
  return found
}

/** Sends bytes as somebody who has not been let in, and waits for the end of the connection. */
async function strange(bytes: readonly number[]): Promise<void> {
  const socket = net.connect(plant.ingest.port, '127.0.0.1')
  socket.on('error', () => {})
  const ended = new Promise((resolve) => socket.once('close', resolve))
  socket.write(Buffer.from(bytes))
  await ended
}

test.each([
  ['a packet that announces more than can be', [0x10, 0xff, 0xff, 0xff, 0x7f]],
  ['a CONNECT of 5,000 bytes', [0x10, 0x88, 0x27]],
  ['anything before a CONNECT', [0x30, 2, 0, 0]],
])('a stranger with %s is cut off, and nothing is kept of it', async (_, bytes) => {
  await strange(bytes)
  await plant.ingest.drained()
  expect(await plant.quarantined()).toEqual([])
})

test('a user name that is no number of a gateway is refused without asking the database', async () => {
  await plant.rows('alter table gateway rename to gateway_away')
  try {
    await expect(connect(plant, 'G\0', 'x')).rejects.toThrow('Not authorized')
    await expect(connect(plant, 'a/b', 'x')).rejects.toThrow('Not authorized')
  } finally {
    await plant.rows('alter table gateway_away rename to gateway')
  }
})

test('one network has so many connections waiting and so many that come to nothing; others and whoever was let in are not touched', async () => {
  let now = 0
  const cutOff = async () => (await cutOffCounted.get()).values[0]?.value ?? 0
  const before = await cutOff()
  const limits = new ConnectionLimits(() => now)
  const settles = Array.from({ length: maxPending }, () => limits.enter('10.0.0.9'))
  expect([settles.every(Boolean), limits.enter('10.0.0.9')]).toEqual([true, null])
  expect(limits.enter('10.0.0.8')).not.toBeNull()
  for (const settle of settles) settle?.(true)
  for (let i = 0; i < maxFailures; i++) limits.enter('2001:db8::1')?.(false)
  expect(limits.enter('2001:db8::2')).toBeNull()
  expect(await cutOff()).toBe(before + 2)
  expect([limits.enter('2001:db8:0:1::2'), limits.enter('10.0.0.9')].every(Boolean)).toBe(true)
  now += 1_000
  expect(limits.enter('2001:db8::2')).not.toBeNull()
})

test('of a gateway that sends nothing else the first of each hour are kept, and the others counted', async () => {
  const client = await connect(plant, 'G1', 'secret-of-G1')
  const send = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, i) => client.publishAsync('linewarden/v1/G1/data', `{${i}`, { qos: 1 })))
  const kept = () =>
    plant.rows<{ reason: string; rows: string; messages: string }>(
      'select reason, count(*) as rows, sum(messages) as messages from quarantine group by reason order by reason',
    )
  await send(maxKeptPerHour + 7)
  await plant.restart()
  expect(await kept()).toEqual([
    { reason: 'json', rows: String(maxKeptPerHour), messages: String(maxKeptPerHour) },
    { reason: 'over_limit', rows: '1', messages: '7' },
  ])
  client.end(true)
})

test('MQTT 5 is told of a known gateway and of a number that waits to be claimed', async () => {
  const modern = (username: string) =>
    mqtt.connectAsync(`mqtt://127.0.0.1:${plant.ingest.port}`, {
      username,
      password: 'x',
      protocolVersion: 5,
      reconnectPeriod: 0,
    })
  await expect(modern('G1')).rejects.toThrow()
  await expect(modern('NEW-5')).rejects.toThrow()
  const { attempts } = plant.ingest
  expect(attempts.refusalOf(gateway())).toMatchObject({ reason: 'mqtt5', address: '127.0.0.1' })
  expect(attempts.unknownGateways().map(({ number }) => [number, attempts.speaksMqtt5(number)])).toEqual([['NEW-5', true]])
  const edge = await plant.edge()
  expect([edge.client.connected, attempts.refusalOf(gateway())]).toEqual([true, null])
  await expect(connect(plant, 'NEW-5', 'x')).rejects.toThrow()
  expect(attempts.speaksMqtt5('NEW-5')).toBe(false)
})

test('two that push each other out under one number are told as that, and raise no event each time', async () => {
  const { attempts } = plant.ingest
  const edges = [await plant.edge()]
  await edges[0]?.birth()
  for (let i = 0; i < 4; i++) {
    const before = edges.at(-1)
    const gone = new Promise<void>((resolve) => before?.client.once('close', () => resolve()))
    edges.push(await plant.edge())
    await gone
    expect(plant.ingest.reach(gateway(), plant.line().device)).toBe('not_born')
    await edges.at(-1)?.birth()
  }
  expect([attempts.refusalOf(gateway())?.reason, await plant.alarms(), gateway().link]).toEqual(['shared', [], 'online'])
  plant.now += 600_000
  expect(attempts.refusalOf(gateway())).toBeNull()
})

test('a device that is not recognised troubles nobody else: no rebirth for it, its data is counted, and it is listed', async () => {
  const edge = await plant.edge()
  await edge.birth()
  const foreign = [metric({ name: 'Temperature', alias: 900, type: DataType.Float, value: 20 })]
  const publish = (kind: 'DBIRTH' | 'DDATA') =>
    edge.publish(
      deviceTopic(group, kind, 'G1', 'odd'),
      encodePayload({ timestampMs: plant.now, seq: edge.nextSeq(), metrics: foreign }),
    )
  await publish('DBIRTH')
  plant.now += 6_000
  await publish('DDATA')
  await publish('DDATA')
  await edge.data({ values: { residual: 5 } })
  expect([await plant.quarantined(), edge.received, plant.ingest.hasValidPosition(plant.line())]).toEqual([
    ['device_birth'],
    [],
    true,
  ])
  const since = plant.now - 6_000
  expect(plant.ingest.refusedDevices(gateway())).toEqual([
    expect.objectContaining({ controllerId: 'odd', reason: 'device_birth', since, messages: 2 }),
  ])
  await edge.nodeBirth()
  await edge.deviceBirth(edge.device)
  expect(plant.ingest.refusedDevices(gateway())).toEqual([])
  await publish('DBIRTH')
  expect(plant.ingest.refusedDevices(gateway())).toMatchObject([{ since, messages: 0 }])
  await edge.deviceBirth('odd')
  expect(plant.ingest.refusedDevices(gateway())).toEqual([])
})

test('an exception in a message ends its connection, and neither the process nor anybody else', async () => {
  const edge = await plant.edge('G2')
  await edge.birth()
  const client = await connect(plant, 'G1', 'secret-of-G1')
  const gone = new Promise<void>((resolve) => client.once('close', () => resolve()))
  const gateway = plant.plant.gatewayByNumber.get('G1')
  if (!gateway) throw new Error('no gateway G1')
  const bug = vi.spyOn(gateway.devices, 'get').mockImplementationOnce(() => {
    throw new TypeError('a bug')
  })
  client.publish('linewarden/v1/G1/data', '{"device":"C-G1","values":{}}', { qos: 1 })
  await gone
  expect(bug).toHaveBeenCalledOnce()
  await edge.data({ values: { residual: 5 } })
  expect(plant.value('residual', 'G2')).toBe(5)
})
