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
import { DataType, deviceTopic, edgeTopic, encodePayload, metric } from '@linewarden/sparkplug'
import fc from 'fast-check'
import sparkplug from 'sparkplug-client'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { birth, data, deviceBirth, HandMadeGateways } from '../../kit/hand-made-gateways.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'

let stack: Stack
let gateways: HandMadeGateways
let ahead = 0

beforeAll(async () => {
  const now = () => Date.now() + ahead
  stack = await startStack({ plan: smallPlan, clock: now, fleet: { now } })
  gateways = new HandMadeGateways(stack, '项目A', now)
})
afterEach(() => gateways.close())
afterAll(() => stack?.close())

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

describe('a gateway', () => {
  test('brings its devices and lines into the plant by its birth', async () => {
    const { device, lineId } = await gateways.born('GW-BIRTH')
    expect(stack.server.plant.lineAt(device, 1)).toMatchObject({ name: '试验线', ratedCurrentA: 63 })
    expect(await live(lineId)).toMatchObject({ Quality: 'good', States: { position: 'closed', 'trip.cause': null } })
  })

  test('is acknowledged only when its reading is in the table', async () => {
    const { device, send } = await gateways.born('GW-ACK')
    await send(1, 42.5)
    expect((await stored(device)).at(-1)?.[1][0]).toBe(42.5)
  })

  test('is not acknowledged while the database refuses to take', async () => {
    const { device, send } = await gateways.born('GW-HELD')
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
    const { device, send } = await gateways.born('GW-TWICE')
    const at = Date.now() + ahead
    await send(1, 5, { at })
    const before = await stored(device)
    await send(1, 5, { at })
    expect(await stored(device)).toEqual(before)
  })

  test('may bring the values of one time in several messages', async () => {
    const { device, send } = await gateways.born('GW-PARTS')
    const at = Date.now() + ahead + 5
    await send(1, 11, { at })
    await send(2, 231, { at })
    const row = (await stored(device)).find(([time]) => time === at)
    expect([row?.[1][0], row?.[1][3]]).toEqual([11, 231])
  })

  test('that loses a message is asked to be born again, not at every message', async () => {
    const { client, send, skip } = await gateways.born('GW-GAP')
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
    const client = await gateways.enrolAndConnect('GW-UNBORN')
    await client.publishAsync(deviceTopic('g', 'DDATA', 'GW-UNBORN', 'X'), data(1, 1, 1, Date.now() + ahead), { qos: 1 })
    expect(await reasons()).toContain('not_born')
  })

  test('may have a device that is called as that of another, and both go by names of their own', async () => {
    const client = await gateways.enrolAndConnect('GW-ALIKE')
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
    const client = await gateways.connect('GW-DIES', await gateways.enrol('GW-DIES'), { will })
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
    const { send } = await gateways.born('GW-SILENT')
    const link = () => stack.server.plant.gatewayByNumber.get('GW-SILENT')?.link
    expect(link()).toBe('online')
    ahead += 4_000
    await vi.waitFor(() => expect(link()).toBe('stale'))
    await send(1, 1)
    await vi.waitFor(() => expect(link()).toBe('online'))
  })
})

describe('an alarm', () => {
  test('is raised once at its limit, returns below the dead-band and its delay, and not before', async () => {
    const { lineId, send } = await gateways.born('GW-ALARM')
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
    const { device, lineId, send } = await gateways.born('GW-HISTORY')
    await send(3, 12)
    const at = Date.now() + ahead - 3_600_000
    await send(3, 290, { at, historical: true })
    expect((await live(lineId))?.Values[10]).toBe(12)
    expect(await openEvents(lineId)).toEqual([])
    expect((await stored(device, at - 1_000)).find(([time]) => time === at)?.[1][10]).toBe(290)
  })

  test('of a device whose clock is wrong is kept and its values are marked', async () => {
    const { lineId, send } = await gateways.born('GW-CLOCK')
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
    const { lineId, raw } = await gateways.born('GW-NAN')
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
    const { client, device, lineId, send } = await gateways.born('GW-FUZZ')
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
    const { raw } = await gateways.born('GW-ODD')
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
  const client = await gateways.enrolAndConnect('GW-JSON')
  const publish = (kind: string, body: object) =>
    client.publishAsync(`linewarden/v1/GW-JSON/${kind}`, JSON.stringify(body), { qos: 1 })
  const commands: { id: string; action: string; line: number }[] = []
  client.on('message', (_, payload) => commands.push(JSON.parse(String(payload))))
  await client.subscribeAsync('linewarden/v1/GW-JSON/command', { qos: 1 })
  await publish('birth', {
    devices: [
      { id: 'J-1', values: { 'info/model': '1PN', '1/info/ratedCurrent': 20, '1/position': 'closed', '1/current.a': 3.5 } },
    ],
  })
  await publish('data', { device: 'J-1', values: { '1/current.a': 4.5, '1/residual': 280 } })
  const line = stack.server.plant.lineAt('J-1', 1)
  expect((await live(line?.id ?? 0))?.Values[0]).toBe(4.5)
  expect((await openEvents(line?.id ?? 0)).map(({ Key }) => Key)).toContain('residual.alarm')
  await stack.client.call(operateLine, {
    params: { ControllerID: 'J-1', LineNo: 1, attr: 'trip' },
    body: { CommandID: crypto.randomUUID(), Reason: 'x' },
  })
  await vi.waitFor(() => expect(commands[0]).toMatchObject({ action: 'trip', line: 1 }))
  await publish('data', { device: 'J-1', values: { '1/position': 'open', '1/trip.cause': 'remote' } })
  expect(line?.states.get('position')).toBe('open')
  await publish('data', { device: 'J-1', values: 'nonsense' })
  expect(await reasons()).toContain('json')
  await publish('death', {})
  expect(stack.server.plant.gatewayByNumber.get('GW-JSON')?.link).toBe('offline')
})

test('a third-party Sparkplug edge is born, reports, takes a command and dies', async () => {
  const secret = await gateways.enrol('GW-THIRD')
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
  const { lineId, send } = await gateways.born('GW-AGAIN')
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
