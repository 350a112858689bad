import { families } from '@linewarden/equipment'
import type { MqttClient } from 'mqtt'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { connect, TestIngest } from '../test-ingest.ts'
import { readJsonMessage } from './json.ts'

const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))

const refusal = (reason: string, fault: string) => ({ kind: 'refused', reason, detail: expect.stringContaining(fault) })

describe('reading a message', () => {
  const data = { device: 'B1', values: { '1/residual': 12 } }

  test('without a time it is of now, without a mark it is live', () => {
    expect(readJsonMessage('data', bytes(data), 1_000)).toEqual({
      kind: 'data',
      wireId: 'B1',
      values: [{ name: '1/residual', alias: null, value: 12, at: 1_000, historical: false }],
    })
  })

  test('its time and mark go to every value', () => {
    const read = readJsonMessage('data', bytes({ ...data, time: 500.4, historical: true }), 1_000)
    expect(read).toMatchObject({ values: [{ at: 500, historical: true }] })
  })

  test('a birth is of its time, of the gateway as of each device, and is live whatever it says', () => {
    const birth = { time: 500.4, historical: true, values: { 'info/signal': -71 }, devices: [{ id: 'B1', values: { a: 'x' } }] }
    const of = { alias: null, at: 500, historical: false }
    expect(readJsonMessage('birth', bytes(birth), 1_000)).toEqual({
      kind: 'birth',
      values: [{ ...of, name: 'info/signal', value: -71 }],
      devices: [{ wireId: 'B1', values: [{ ...of, name: 'a', value: 'x' }] }],
    })
    expect(readJsonMessage('birth', bytes({ devices: [] }), 1_000)).toEqual({ kind: 'birth', values: [], devices: [] })
  })

  test('a value is a number, text, true, false or null', () => {
    const values = { a: 1.5, b: 'x', c: true, d: false, e: null }
    const read = readJsonMessage('data', bytes({ device: 'B1', values }), 0)
    expect(read).toMatchObject({ values: Object.values(values).map((value) => ({ value })) })
  })

  test('what names no device is of the gateway itself only where it says nothing but how well the gateway is received', () => {
    const values = { 'info/signal': -71 }
    const read = (kind: string, message: object) => readJsonMessage(kind, bytes(message), 0)
    expect(read('data', { values })).toMatchObject({ kind: 'own', values: [{ name: 'info/signal', value: -71 }] })
    expect(read('data', { device: 'B1', values })).toMatchObject({ kind: 'data', wireId: 'B1' })
    for (const other of [read('data', { values: { ...values, '1/residual': 1 } }), read('result', { values })])
      expect(other).toMatchObject(refusal('json', '"device"'))
  })

  test('a message has at most 5,000 values and 1 MiB', () => {
    const many = (count: number) => ({
      device: 'B1',
      values: Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}`, 1])),
    })
    expect(readJsonMessage('data', bytes(many(5_000)), 0)).toMatchObject({ kind: 'data' })
    expect(readJsonMessage('data', bytes(many(5_001)), 0)).toMatchObject(refusal('json', '5001 values'))
    const text = JSON.stringify(data)
    expect(readJsonMessage('data', bytes(text.padEnd(1_048_576)), 0)).toMatchObject({ kind: 'data' })
    expect(readJsonMessage('data', bytes(text.padEnd(1_048_577)), 0)).toMatchObject(refusal('json', '1048577 bytes'))
  })

  test('a death needs no words', () => expect(readJsonMessage('death', bytes('{'), 0)).toEqual({ kind: 'death' }))

  test.each([
    ['not JSON', '{'],
    ['an object is needed', []],
    ['an object is needed', 'null'],
    ['"time"', { ...data, time: 'noon' }],
    ['"historical"', { ...data, historical: 1 }],
    ['"device"', { values: {} }],
    ['"device"', { ...data, device: 'a/b' }],
    ['"device"', { ...data, device: 'a\u0000' }],
    ['"values"', { device: 'B1' }],
    ['"1/residual"', { device: 'B1', values: { '1/residual': [1] } }],
  ])('says %s', (fault, message) => expect(readJsonMessage('data', bytes(message), 0)).toMatchObject(refusal('json', fault)))

  test.each([
    ['"devices"', {}],
    ['"id"', { devices: [{ values: {} }] }],
    ['"id"', { devices: [7] }],
    ['"id"', { devices: [{ id: 'a/b', values: {} }] }],
    ['device B1', { devices: [{ id: 'B1' }] }],
    ['"values"', { values: 7, devices: [] }],
  ])('of a birth, says %s', (fault, message) =>
    expect(readJsonMessage('birth', bytes(message), 0)).toMatchObject(refusal('json', fault)),
  )

  test('text that is no UTF-8 is no JSON', () => {
    expect(readJsonMessage('data', Uint8Array.from([0x22, 0xff, 0x22]), 0)).toMatchObject(refusal('json', 'not JSON'))
  })
})

describe('what would pass an old value off as a new one is refused, and said', () => {
  const now = Date.UTC(2026, 0, 15)
  const data = { device: 'B1', values: { '1/residual': 12 } }
  const read = (message: unknown, kind = 'data') => readJsonMessage(kind, bytes(message), now)

  test.each(['ts', 'timestamp', 'Time', 'TIME', 'time_ms', '@timestamp', 'dateTime', 't', 'deviceTime', 'sampledAtTime'])(
    'a time called "%s"',
    (name) => {
      const refused = refusal('misspelt_field', `"${name}"`)
      expect(read({ ...data, [name]: now - 3_600_000 })).toMatchObject(refused)
      expect(read({ devices: [{ id: 'B1', values: {}, [name]: now }] }, 'birth')).toMatchObject(refused)
      expect(read({ ...data, time: now, [name]: 1 })).toMatchObject({ kind: 'data' })
    },
  )

  test.each(['ts', 'time', 'timestamp'])('a time among the values, called "%s"', (name) =>
    expect(read({ device: 'B1', values: { '1/residual': 12, [name]: now } })).toMatchObject(refusal('misspelt_field', name)),
  )

  test.each(['Historical', 'is_historical', 'isHistorical', 'history', 'backfill'])('a mark called "%s"', (name) => {
    expect(read({ ...data, [name]: true })).toMatchObject(refusal('misspelt_field', `"${name}"`))
    expect(read({ ...data, historical: true, [name]: true })).toMatchObject({ kind: 'data' })
  })

  test.each([
    ['seconds', 1_768_435_200],
    ['seconds', 1_600_000_000],
    ['microseconds', now * 1_000],
    ['nanoseconds', now * 1_000_000],
  ])('a time in %s', (unit, time) => {
    expect(read({ ...data, time })).toMatchObject(refusal('time_unit', unit))
    expect(read({ devices: [], time }, 'birth')).toMatchObject(refusal('time_unit', unit))
  })

  test.each(['id', 'line', 'firmware', 'name'])('and not whatever else stands beside: "%s"', (name) =>
    expect(read({ ...data, [name]: 1 })).toMatchObject({ kind: 'data' }),
  )

  test('no family has a name that is taken for a misspelt field', () => {
    const names = families.flatMap(({ points, states, recordings = [] }) => [...points, ...states, ...recordings])
    for (const { key } of names) expect(read({ device: 'B1', values: { [key]: 1 } })).toMatchObject({ kind: 'data' })
  })
})

describe('a simple gateway', () => {
  let plant: TestIngest
  const opened: MqttClient[] = []

  beforeEach(async () => {
    plant = await TestIngest.start()
  })
  afterEach(async () => {
    for (const client of opened.splice(0)) client.end(true)
    await plant.close()
  })

  const open = async () => {
    const client = await connect(plant, 'G1', 'secret-of-G1')
    opened.push(client)
    return client
  }

  /** As `mosquitto_pub` does: connects, publishes one message, goes. */
  async function publishOnce(kind: string, message: unknown): Promise<void> {
    const client = await open()
    await client.publishAsync(`linewarden/v1/G1/${kind}`, bytes(message), { qos: 1 })
    await client.endAsync()
  }

  const birth = {
    values: { 'info/reportingPeriod': 60 },
    devices: [{ id: 'C-G1', values: { 'info/model': '3P', '1/residual': 5 } }],
  }
  const gateway = () => plant.plant.gatewayByNumber.get('G1')

  test('may connect for each message', async () => {
    await publishOnce('birth', birth)
    plant.now += 1_000
    await publishOnce('data', { device: 'C-G1', values: { '1/residual': 12, '1/position': 'closed' } })
    expect(plant.value('residual')).toBe(12)
    expect(plant.line().states.get('position')).toBe('closed')
    expect(gateway()?.link).toBe('online')
    expect(await plant.quarantined()).toEqual([])
    expect(await plant.alarms()).toEqual([])
  })

  test('is online and out of reach between two messages, and until it listens for orders', async () => {
    await publishOnce('birth', birth)
    const { device } = plant.line()
    await vi.waitFor(() => expect(plant.ingest.isConnected(device.gateway)).toBe(false))
    expect([gateway()?.link, plant.ingest.reach(device.gateway, device)]).toEqual(['online', 'not_connected'])
    const client = await open()
    expect(plant.ingest.reach(device.gateway, device)).toBe('not_listening')
    await client.subscribeAsync('linewarden/v1/G1/command')
    expect(plant.ingest.reach(device.gateway, device)).toBe('yes')
  })

  test('hears how often it is to report, and proves it with a birth', async () => {
    const client = await open()
    const arrived: string[] = []
    client.on('message', (_topic, payload) => arrived.push(payload.toString()))
    await client.subscribeAsync('linewarden/v1/G1/command', { qos: 1 })
    await client.publishAsync('linewarden/v1/G1/birth', bytes(birth), { qos: 1 })
    const at = gateway()
    if (!at) throw new Error('no gateway')
    const proofs = () =>
      plant.committed.flatMap(({ readBacks = [] }) => readBacks).flatMap(({ line, key, value }) => (line ? [] : [[key, value]]))
    const order = { gateway: at, commandId: 'c1', seconds: 30, issuedAt: plant.now, deadline: plant.now + 10_000, fence: 4 }
    expect(plant.ingest.sendInterval(order)).toBe('sent')
    await vi.waitUntil(() => arrived.length > 0)
    const { issuedAt, deadline } = order
    const values = { 'info/reportingPeriod': 30 }
    expect(JSON.parse(arrived[0] ?? '')).toEqual({ id: 'c1', action: 'set', issuedAt, deadline, fence: 4, values })
    await client.publishAsync('linewarden/v1/G1/birth', bytes({ ...birth, values }), { qos: 1 })
    await vi.waitFor(() => expect(proofs().at(-1)).toEqual(['reportingPeriod', 30]))
    expect(at.reportingPeriodMs).toBe(30_000)
  })

  test('is stale after three silent periods, then offline because it is not connected, and back with its next report', async () => {
    await plant.restart({ linksEveryMs: 100 })
    await publishOnce('birth', birth)
    plant.now += 180_001
    await vi.waitUntil(() => gateway()?.link === 'offline')
    await publishOnce('data', { device: 'C-G1', values: { '1/residual': 13 } })
    expect(gateway()?.link).toBe('online')
    expect(await plant.alarms()).toEqual(['gateway.stale returned', 'gateway.offline returned'])
  })

  test('goes on after a restart of the server without a new birth', async () => {
    await publishOnce('birth', birth)
    await plant.restart()
    plant.now += 1_000
    await publishOnce('data', { device: 'C-G1', values: { '1/residual': 14 } })
    expect(plant.value('residual')).toBe(14)
    expect(gateway()?.link).toBe('online')
  })

  test('after a restart of the server what it says of itself is enough for it to be reached', async () => {
    await publishOnce('birth', birth)
    await plant.restart()
    const { device } = plant.line()
    const client = await open()
    await client.subscribeAsync('linewarden/v1/G1/command')
    expect(plant.ingest.reach(device.gateway, null)).toBe('not_born')
    await client.publishAsync('linewarden/v1/G1/data', bytes({ values: { 'info/signal': -71 } }), { qos: 1 })
    expect(plant.ingest.reach(device.gateway, null)).toBe('yes')
    // Of its devices nothing has come yet.
    expect(plant.ingest.reach(device.gateway, device)).toBe('device_gone')
  })

  test('tells first after it was away what nobody saw come to be so, also without a birth, and in one batch', async () => {
    const position = (value: string) => ({ device: 'C-G1', values: { '1/position': value } })
    const positions = () =>
      plant.committed
        .flatMap(({ reports = [] }) => reports)
        .filter(({ state }) => state === 'position')
        .map(({ value, first }) => `${value}${first ? ' first' : ''}`)
    await publishOnce('birth', birth)
    for (const value of ['closed', 'open', 'closed']) await publishOnce('data', position(value))
    expect(positions()).toEqual(['closed first', 'open', 'closed'])
    const client = await open()
    const publish = (kind: string, message: unknown) =>
      client.publishAsync(`linewarden/v1/G1/${kind}`, bytes(message), { qos: 1 })
    await Promise.all([publish('death', ''), publish('data', position('open')), publish('data', position('closed'))])
    expect(positions().slice(3)).toEqual(['open first', 'closed'])
  })

  test('says itself that it goes', async () => {
    await publishOnce('birth', birth)
    await publishOnce('death', '')
    expect(gateway()?.link).toBe('offline')
    expect(await plant.alarms()).toEqual(['gateway.offline active'])
  })

  test('reports nothing for a device that was never born, nor for one of another gateway', async () => {
    const other = await plant.edge('G2')
    await other.birth()
    await publishOnce('data', { device: 'C-G1', values: { '1/residual': 1 } })
    await publishOnce('data', { device: 'C-G2', values: { '1/residual': 1 } })
    expect(await plant.quarantined()).toEqual(['not_born', 'not_born'])
    expect(plant.value('residual', 'G2')).toBeNull()
  })

  test('sends a recording, which is kept once; one that is no recording is set aside and the rest is taken', async () => {
    const arc = { id: 'A1', values: { 'info/model': 'ARCM620', 'current.a': 1 } }
    await publishOnce('birth', { ...birth, devices: [arc] })
    const samples = Buffer.from(Int16Array.from([0, 150, -150]).buffer)
    const data = { device: 'A1', time: plant.now, values: { 'arc.waveform': samples.toString('base64') } }
    await publishOnce('data', data)
    await publishOnce('data', data)
    // Without a value there is none, and nothing to complain of.
    for (const bad of ['not base64!', null, 'QQ==', 'A'.repeat(50_000), 3])
      await publishOnce('data', { device: 'A1', values: { 'arc.waveform': bad, 'current.a': 2 } })
    const rows = await plant.database.general.selectFrom('recording').select(['key', 'samples']).execute()
    expect(rows).toEqual([{ key: 'arc.waveform', samples }])
    expect(await plant.quarantined()).toEqual(Array(4).fill('bad_recording'))
    expect(plant.plant.lineAt('A1', 0)?.values[0]).toBe(2)
  })

  test('takes a command while it is connected, and none when it is not', async () => {
    await publishOnce('birth', birth)
    const command = {
      gateway: plant.line().device.gateway,
      wireId: 'C-G1',
      lineNo: 1,
      commandId: '6b0e0f8c-0000-4000-8000-000000000001',
      action: 'close' as const,
      settings: null,
      issuedAt: plant.now,
      deadline: plant.now + 5_000,
      fence: 3,
    }
    expect(plant.ingest.send(command)).toBe('no_session')
    const client = await open()
    const received: string[] = []
    client.on('message', (_topic, payload) => received.push(payload.toString()))
    await client.subscribeAsync('linewarden/v1/G1/command', { qos: 1 })
    expect(plant.ingest.send(command)).toBe('sent')
    await vi.waitUntil(() => received.length > 0)
    expect(JSON.parse(received[0] ?? '')).toEqual({
      device: 'C-G1',
      line: 1,
      id: command.commandId,
      action: 'close',
      issuedAt: plant.now,
      deadline: plant.now + 5_000,
      fence: 3,
    })
    const values = {
      'command/result/id': command.commandId,
      'command/result/status': 'refused',
      'command/result/reason': 'local_lock',
    }
    await client.publishAsync('linewarden/v1/G1/result', bytes({ device: 'C-G1', values }), { qos: 1 })
    expect(plant.committed.flatMap((each) => each.results ?? [])).toMatchObject([
      { commandId: command.commandId, status: 'refused', reason: 'local_lock' },
    ])
  })
})
