import {
  closePermit,
  gatewayDetails,
  ingestStatus,
  isNewMessage,
  lineReadings,
  listEvents,
  operateLine,
  quarantine,
  snapshot,
} from '@linewarden/contract'
import { loadPlant } from '@linewarden/server/plant'
import { DataType, deviceTopic, edgeTopic, encodePayload, metric, stateTopic } from '@linewarden/sparkplug'
import fc from 'fast-check'
import type { MqttClient } from 'mqtt'
import mqtt from 'mqtt'
import sparkplug from 'sparkplug-client'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'

let stack: Stack
let ahead = 0
let projectId = 0
const open: MqttClient[] = []

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => Date.now() + ahead, fleet: { now: () => Date.now() + ahead } })
  projectId = [...stack.server.plant.projects.values()].find(({ name }) => name === '项目A')?.id ?? 0
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.endAsync(true)))
})
afterAll(() => stack?.close())

const enrol = (number: string) => stack.server.site.enrolGateway({ projectId, number, name: number, reportingPeriodMs: 1_000 })

/** A connection made by hand; rejects when the broker refuses it. */
async function connect(number: string, secret: string, more: mqtt.IClientOptions = {}): Promise<MqttClient> {
  const client = mqtt.connect(`mqtt://127.0.0.1:${stack.server.mqttPort}`, {
    username: number,
    password: secret,
    reconnectPeriod: 0,
    ...more,
  })
  open.push(client)
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve())
    client.once('close', () => reject(new Error('the connection was closed')))
    client.on('error', reject)
  })
  return client
}

const birth = (bdSeq = 0) =>
  Buffer.from(
    encodePayload({ timestampMs: Date.now(), seq: 0, metrics: [metric({ name: 'bdSeq', type: DataType.Int64, value: bdSeq })] }),
  )

function deviceBirth(seq: number, values: Readonly<Record<string, number>> = {}): Buffer {
  const metrics = [
    metric({ name: 'info/model', type: DataType.String, value: '3PN' }),
    metric({ name: '1/info/name', type: DataType.String, value: '试验线' }),
    metric({ name: '1/info/ratedCurrent', type: DataType.Float, value: 63 }),
    metric({ name: '1/position', type: DataType.Int32, value: 1, alias: 100 }),
    ...['current.a', 'voltage.a', 'residual'].map((key, i) =>
      metric({ name: `1/${key}`, type: DataType.Float, value: values[key] ?? 10, alias: i + 1 }),
    ),
  ]
  return Buffer.from(encodePayload({ timestampMs: Date.now(), seq, metrics }))
}

const data = (seq: number, alias: number, value: number, more: { at?: number; historical?: boolean } = {}) =>
  Buffer.from(
    encodePayload({
      timestampMs: more.at ?? Date.now() + ahead,
      seq,
      metrics: [metric({ alias, type: DataType.Float, value, isHistorical: more.historical ?? false })],
    }),
  )

/** A gateway made by hand that has been born with one line. */
async function born(number: string) {
  const client = await connect(number, await enrol(number))
  const device = `${number}-D`
  let seq = 1
  await client.publishAsync(edgeTopic('g', 'NBIRTH', number), birth(), { qos: 1 })
  await client.publishAsync(deviceTopic('g', 'DBIRTH', number, device), deviceBirth(seq), { qos: 1 })
  const lineId = stack.server.plant.lineAt(device, 1)?.id ?? 0
  return {
    client,
    device,
    lineId,
    send: (alias: number, value: number, more?: { at?: number; historical?: boolean }) => {
      seq = (seq + 1) % 256
      return client.publishAsync(deviceTopic('g', 'DDATA', number, device), data(seq, alias, value, more), { qos: 1 })
    },
    raw: (bytes: Uint8Array) => {
      return client.publishAsync(deviceTopic('g', 'DDATA', number, device), Buffer.from(bytes), { qos: 1 })
    },
    skip: () => {
      seq = (seq + 1) % 256
    },
  }
}

const stored = async (device: string, from = 0, to = Date.now() + ahead + 60_000) =>
  (
    await stack.client.call(lineReadings, {
      params: { ControllerID: device, LineNo: 1 },
      query: { From: Math.max(from, to - 86_400_000), To: to },
    })
  ).Rows
const live = async (lineId: number) =>
  (await stack.client.call(snapshot, { query: {} })).items.find(({ LineID }) => LineID === lineId)
const reasons = async () => (await stack.client.call(quarantine, { query: { Size: 200 } })).items.map(({ Reason }) => Reason)
const openEvents = async (lineId: number) =>
  (await stack.client.call(listEvents, { body: { LineID: lineId, Size: 50 } })).items.filter(({ Kind }) => Kind !== 'journal')

describe('at the door', () => {
  test('a wrong secret and an unknown gateway are refused', async () => {
    await enrol('GW-DOOR')
    await expect(connect('GW-DOOR', 'wrong')).rejects.toThrow()
    await expect(connect('GW-NOBODY', 'wrong')).rejects.toThrow()
  })

  test('a new secret ends the old connection', async () => {
    const client = await connect('GW-ROTATE', await enrol('GW-ROTATE'))
    const ended = new Promise<void>((resolve) => client.once('close', () => resolve()))
    await enrol('GW-ROTATE')
    await ended
  })

  test.each([
    ["another gateway's topic", edgeTopic('g', 'NBIRTH', 'GW-A'), false],
    ['a command', deviceTopic('g', 'DCMD', 'GW-TOPIC', 'x'), false],
    ["the host's state", stateTopic('linewarden'), false],
    ['a retained message', edgeTopic('g', 'NDATA', 'GW-TOPIC'), true],
  ])('%s may not be published', async (_, topic, retain) => {
    const client = await connect('GW-TOPIC', await enrol('GW-TOPIC'))
    const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
    client.publish(topic, Buffer.from('x'), { qos: 1, retain })
    await closed
  })

  test.each([
    '#',
    'spBv1.0/#',
    '+/+/DCMD/GW-A/#',
    'spBv1.0/g/DCMD/GW-A/+',
    '$share/x/spBv1.0/g/NCMD/GW-SUB',
    'spBv1.0/+/DDATA/+/+',
  ])('%s may not be listened to', async (filter) => {
    const client = await connect('GW-SUB', await enrol('GW-SUB'))
    const [granted] = await client.subscribeAsync(filter, { qos: 1 }).catch(() => [])
    expect(granted?.qos ?? 128).toBe(128)
  })

  test("its own commands and the host's state may", async () => {
    const client = await connect('GW-SUB2', await enrol('GW-SUB2'))
    const granted = await client.subscribeAsync(
      [stateTopic('linewarden'), 'spBv1.0/g/NCMD/GW-SUB2', 'spBv1.0/g/DCMD/GW-SUB2/+'],
      { qos: 1 },
    )
    expect(granted.map(({ qos }) => qos)).toEqual([1, 1, 1])
  })

  test('ten megabytes are cut off at once, and said', async () => {
    const client = await connect('GW-BIG', await enrol('GW-BIG'))
    const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
    client.publish(edgeTopic('g', 'NDATA', 'GW-BIG'), Buffer.alloc(10_000_000), { qos: 1 })
    await closed
    await vi.waitFor(async () => expect(await reasons()).toContain('too_large'))
  })
})

describe('a gateway', () => {
  test('brings its devices and lines into the plant by its birth', async () => {
    const { device, lineId } = await born('GW-BIRTH')
    expect(stack.server.plant.lineAt(device, 1)).toMatchObject({ name: '试验线', ratedCurrentA: 63 })
    expect(await live(lineId)).toMatchObject({ Quality: 'good', States: { position: 'closed', 'trip.cause': null } })
  })

  test('is acknowledged only when its reading is in the table', async () => {
    const { device, send } = await born('GW-ACK')
    await send(1, 42.5)
    expect((await stored(device)).at(-1)?.[1][0]).toBe(42.5)
  })

  test('is not acknowledged while the database refuses to take', async () => {
    const { device, send } = await born('GW-HELD')
    const blocker = await stack.server.database.connect()
    await blocker.query('begin; lock table reading in access exclusive mode')
    let acknowledged = false
    const sending = send(1, 77).then(() => {
      acknowledged = true
    })
    const { rows } = await vi.waitFor(async () => {
      const waiting = await blocker.query("select 1 from pg_locks where relation = 'reading'::regclass and not granted")
      expect(waiting.rows).not.toEqual([])
      return waiting
    })
    expect(rows.length).toBeGreaterThan(0)
    expect(acknowledged).toBe(false)
    await blocker.query('rollback')
    await sending
    await blocker.end()
    expect((await stored(device)).at(-1)?.[1][0]).toBe(77)
  })

  test('that sends the same again changes nothing', async () => {
    const { device, send } = await born('GW-TWICE')
    const at = Date.now() + ahead
    await send(1, 5, { at })
    const before = await stored(device)
    await send(1, 5, { at })
    expect(await stored(device)).toEqual(before)
  })

  test('may bring the values of one time in several messages', async () => {
    const { device, send } = await born('GW-PARTS')
    const at = Date.now() + ahead + 5
    await send(1, 11, { at })
    await send(2, 231, { at })
    const row = (await stored(device)).find(([time]) => time === at)
    expect([row?.[1][0], row?.[1][3]]).toEqual([11, 231])
  })

  test('that loses a message is asked to be born again, not at every message', async () => {
    const { client, send, skip } = await born('GW-GAP')
    const asked: string[] = []
    client.on('message', (topic) => asked.push(topic))
    await client.subscribeAsync('spBv1.0/g/NCMD/GW-GAP', { qos: 1 })
    for (let i = 0; i < 5; i++) {
      skip()
      await send(1, i)
    }
    await vi.waitFor(() => expect(asked).toEqual(['spBv1.0/g/NCMD/GW-GAP']))
  })

  test('that was never born has its data put aside, with the reason', async () => {
    const client = await connect('GW-UNBORN', await enrol('GW-UNBORN'))
    await client.publishAsync(deviceTopic('g', 'DDATA', 'GW-UNBORN', 'X'), data(1, 1, 1), { qos: 1 })
    expect(await reasons()).toContain('not_born')
  })

  test('may have a device that is called as that of another, and both go by names of their own', async () => {
    const client = await connect('GW-ALIKE', await enrol('GW-ALIKE'))
    await client.publishAsync(edgeTopic('g', 'NBIRTH', 'GW-ALIKE'), birth(), { qos: 1 })
    await client.publishAsync(deviceTopic('g', 'DBIRTH', 'GW-ALIKE', 'A-T1'), deviceBirth(1), { qos: 1 })
    const { deviceByControllerId } = stack.server.plant
    expect(deviceByControllerId.get('A-T1')?.gateway.number).toBe('GW-A')
    expect(deviceByControllerId.get('A-T1@GW-ALIKE')?.gateway.number).toBe('GW-ALIKE')
  })

  test('that dies is offline at once; an old death is ignored', async () => {
    const will = {
      topic: edgeTopic('g', 'NDEATH', 'GW-DIES'),
      payload: Buffer.from(encodePayload({ metrics: [metric({ name: 'bdSeq', type: DataType.Int64, value: 3 })] })),
      qos: 1,
      retain: false,
    } as const
    const client = await connect('GW-DIES', await enrol('GW-DIES'), { will })
    const link = () => stack.server.plant.gatewayByNumber.get('GW-DIES')?.link
    await client.publishAsync(edgeTopic('g', 'NBIRTH', 'GW-DIES'), birth(3), { qos: 1 })
    expect(link()).toBe('online')
    const old = Buffer.from(encodePayload({ metrics: [metric({ name: 'bdSeq', type: DataType.Int64, value: 2 })] }))
    await client.publishAsync(edgeTopic('g', 'NDEATH', 'GW-DIES'), old, { qos: 1 })
    expect(link()).toBe('online')
    client.stream.destroy()
    await vi.waitFor(() => expect(link()).toBe('offline'))
    const { items } = await stack.client.call(listEvents, { body: { Open: true, Size: 100 } })
    expect(items.map(({ Key, Where }) => ({ Key, Where }))).toContainEqual({
      Key: 'gateway.offline',
      Where: { HouseName: '项目A', GatewayName: 'GW-DIES', LineName: null },
    })
  })

  test('that falls silent for three periods is stale, and online when it speaks', async () => {
    const { send } = await born('GW-SILENT')
    const link = () => stack.server.plant.gatewayByNumber.get('GW-SILENT')?.link
    expect(link()).toBe('online')
    ahead += 4_000
    await vi.waitFor(() => expect(link()).toBe('stale'), { timeout: 5_000 })
    await send(1, 1)
    await vi.waitFor(() => expect(link()).toBe('online'), { timeout: 5_000 })
  })
})

describe('an alarm', () => {
  test('is raised once at its limit, returns below the dead-band and its delay, and not before', async () => {
    const { lineId, send } = await born('GW-ALARM')
    const residual = (value: number) => send(3, value)
    await residual(160)
    await residual(170)
    const keys = async () => (await openEvents(lineId)).map(({ Key, State }) => `${Key} ${State}`).sort()
    expect(await keys()).toEqual(['residual.notice active', 'residual.warning active'])
    await residual(140)
    ahead += 10_000
    await residual(140)
    expect(await keys()).toContain('residual.warning active')
    await residual(100)
    ahead += 6_000
    await residual(100)
    expect(await keys()).toEqual(['residual.notice active', 'residual.warning returned'])
  })

  test('of what was back-filled is not raised, and does not move the live value', async () => {
    const { device, lineId, send } = await born('GW-HISTORY')
    await send(3, 12)
    const at = Date.now() + ahead - 3_600_000
    await send(3, 290, { at, historical: true })
    expect((await live(lineId))?.Values[10]).toBe(12)
    expect(await openEvents(lineId)).toEqual([])
    expect((await stored(device, at - 1_000)).find(([time]) => time === at)?.[1][10]).toBe(290)
  })

  test('of a device whose clock is wrong is kept and its values are marked', async () => {
    const { lineId, send } = await born('GW-CLOCK')
    await send(1, 9, { at: Date.now() + ahead + 3_600_000 })
    expect((await live(lineId))?.Quality).toBe('clock')
    const { Conditions } = await stack.client.call(closePermit, { params: { ControllerID: 'GW-CLOCK-D', LineNo: 1 } })
    expect(Conditions.find(({ Key }) => Key === 'clock')?.Met).toBe(false)
    // Once it is set right, the value from the future does not stand in the way.
    await send(1, 8)
    expect(await live(lineId)).toMatchObject({ Quality: 'good', Values: expect.arrayContaining([8]) })
  })
})

describe('poison', () => {
  test('not a number is kept as missing and said; the rest of the message is taken', async () => {
    const { lineId, raw } = await born('GW-NAN')
    const metrics = [
      metric({ alias: 1, type: DataType.Float, value: Number.POSITIVE_INFINITY }),
      metric({ alias: 2, type: DataType.Float, value: 229 }),
    ]
    await raw(encodePayload({ timestampMs: Date.now() + ahead, seq: 2, metrics }))
    expect((await live(lineId))?.Values.slice(0, 4)).toEqual([null, null, null, 229])
    expect(await reasons()).toContain('not_finite')
    const DeviceID = stack.server.plant.gatewayByNumber.get('GW-NAN')?.id ?? 0
    expect((await stack.client.call(gatewayDetails, { params: { DeviceID } })).SetAside).toEqual([
      {
        Reason: 'not_finite',
        Text: { zh: expect.stringContaining('传感器'), en: expect.stringContaining('sensor') },
        Detail: expect.stringContaining('Infinity'),
        LastAt: expect.any(Number),
        Messages: 1,
      },
    ])
  })

  test('random bytes are put aside, and the gateway goes on', async () => {
    const { client, device, lineId, send } = await born('GW-FUZZ')
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), (bytes) =>
        client.publishAsync(deviceTopic('g', 'DDATA', 'GW-FUZZ', device), Buffer.from(bytes), { qos: 1 }).then(() => {}),
      ),
      { numRuns: 100 },
    )
    await client.publishAsync(edgeTopic('g', 'NBIRTH', 'GW-FUZZ'), birth(), { qos: 1 })
    await client.publishAsync(deviceTopic('g', 'DBIRTH', 'GW-FUZZ', device), deviceBirth(1, { 'current.a': 33 }), { qos: 1 })
    await send(2, 231)
    expect((await live(lineId))?.Values[0]).toBe(33)
    expect((await stack.client.call(ingestStatus)).Quarantined).toBeGreaterThan(50)
  })

  test('a metric that nobody understands is counted and stays visible', async () => {
    const { raw } = await born('GW-ODD')
    await raw(
      encodePayload({
        timestampMs: Date.now(),
        seq: 2,
        metrics: [metric({ name: '1/luminosity', type: DataType.Float, value: 1 })],
      }),
    )
    expect((await stack.client.call(ingestStatus)).UnknownMetrics).toContainEqual({
      Name: 'n/luminosity',
      Family: 'breaker3p',
      Count: 1,
    })
  })
})

test('a simple gateway speaks JSON: born, reports, raises an alarm, takes a command, dies', async () => {
  const client = await connect('GW-JSON', await enrol('GW-JSON'))
  const say = (kind: string, body: object) =>
    client.publishAsync(`linewarden/v1/GW-JSON/${kind}`, JSON.stringify(body), { qos: 1 })
  const commands: { id: string; action: string; line: number }[] = []
  client.on('message', (_, payload) => commands.push(JSON.parse(String(payload))))
  await client.subscribeAsync('linewarden/v1/GW-JSON/command', { qos: 1 })
  await say('birth', {
    devices: [
      { id: 'J-1', values: { 'info/model': '1PN', '1/info/ratedCurrent': 20, '1/position': 'closed', '1/current.a': 3.5 } },
    ],
  })
  await say('data', { device: 'J-1', values: { '1/current.a': 4.5, '1/residual': 280 } })
  const line = stack.server.plant.lineAt('J-1', 1)
  expect((await live(line?.id ?? 0))?.Values[0]).toBe(4.5)
  expect((await openEvents(line?.id ?? 0)).map(({ Key }) => Key)).toContain('residual.alarm')
  await stack.client.call(operateLine, {
    params: { ControllerID: 'J-1', LineNo: 1, attr: 'trip' },
    body: { CommandID: crypto.randomUUID(), Reason: 'x' },
  })
  await vi.waitFor(() => expect(commands[0]).toMatchObject({ action: 'trip', line: 1 }))
  await say('data', { device: 'J-1', values: { '1/position': 'open', '1/trip.cause': 'remote' } })
  expect(line?.states.get('position')).toBe('open')
  await say('data', { device: 'J-1', values: 'nonsense' })
  expect(await reasons()).toContain('json')
  await say('death', {})
  expect(stack.server.plant.gatewayByNumber.get('GW-JSON')?.link).toBe('offline')
})

test('a third-party Sparkplug edge is born, reports, takes a command and dies', async () => {
  const secret = await enrol('GW-THIRD')
  const edge = sparkplug.newClient({
    serverUrl: `mqtt://127.0.0.1:${stack.server.mqttPort}`,
    username: 'GW-THIRD',
    password: secret,
    groupId: 'plant',
    edgeNode: 'GW-THIRD',
    clientId: 'third',
    version: 'spBv1.0',
  })
  const once = (event: string) =>
    new Promise<unknown[]>((resolve) => edge.once(event as 'birth', (...args: unknown[]) => resolve(args)))
  const commanded = once('dcmd')
  await once('birth')
  edge.publishNodeBirth({ timestamp: Date.now(), metrics: [{ name: 'info/reportingPeriod', type: 'Float', value: 10 }] })
  const metrics = [
    { name: 'info/model', type: 'String', value: '1PN' },
    { name: '1/info/ratedCurrent', type: 'Float', value: 32 },
    { name: '1/position', type: 'Int32', value: 1 },
    { name: '1/current.a', type: 'Float', value: 8 },
  ] as const
  edge.publishDeviceBirth('THIRD-1', { timestamp: Date.now(), metrics: metrics.map((each) => ({ ...each })) })
  await vi.waitFor(() => expect(stack.server.plant.lineAt('THIRD-1', 1)?.values[0]).toBe(8))
  edge.publishDeviceData('THIRD-1', {
    timestamp: Date.now() + ahead,
    metrics: [{ name: '1/current.a', type: 'Float', value: 9.5 }],
  })
  await vi.waitFor(() => expect(stack.server.plant.lineAt('THIRD-1', 1)?.values[0]).toBe(9.5))
  await stack.client.call(operateLine, {
    params: { ControllerID: 'THIRD-1', LineNo: 1, attr: 'trip' },
    body: { CommandID: crypto.randomUUID(), Reason: 'x' },
  })
  const [device, payload] = await commanded
  expect(device).toBe('THIRD-1')
  expect(JSON.stringify(payload)).toContain('command/action')
  edge.stop()
  await vi.waitFor(() => expect(stack.server.plant.gatewayByNumber.get('GW-THIRD')?.link).toBe('offline'))
})

test('what a restart finds is what was there: lines, values, open alarms; nothing is raised twice', async () => {
  const { lineId, send } = await born('GW-AGAIN')
  await send(3, 200)
  const again = await loadPlant(stack.server.database)
  const before = stack.server.plant.lines.get(lineId)
  const after = again.lines.get(lineId)
  expect([...(after?.alarms.keys() ?? [])].sort()).toEqual([...(before?.alarms.keys() ?? [])].sort())
  expect(after?.values).toEqual(before?.values)
  expect(after?.states).toEqual(before?.states)
  await send(3, 201)
  expect((await openEvents(lineId)).length).toBe(2)
  expect((await stack.client.call(isNewMessage, { query: {} })).IsNewMessage).toBe(true)
})
