import { aboutNothing } from '@linewarden/contract'
import { DataType, deviceTopic, encodePayload, metric } from '@linewarden/sparkplug'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { TestEdge } from '../../field/test-ingest.ts'
import { connect, group, TestIngest } from '../../field/test-ingest.ts'
import type { PlantLine } from '../../plant/plant.ts'
import { insertAccount } from '../../store/account/account.ts'
import * as stored from '../../store/control/command.ts'
import { startExecution } from './execution.ts'
import { watchTests } from './watched-tests.ts'

// What the equipment sends, and what it says of a self-test: the real ingest and the real dispatcher under a clock of ours.
describe('a self-test that reported its trip time, of a line that reports only what changes', () => {
  let plant: TestIngest
  let accountId = ''
  let execution: Awaited<ReturnType<typeof startExecution>>

  beforeEach(async () => {
    plant = await TestIngest.start({ linksEveryMs: 100 })
    const account = { userName: 'a', nickName: '', roleId: null, passwordHash: 'x', controlHash: null, projectIds: [] }
    accountId = (await insertAccount(plant.database.general, { ...account, kind: 'platform' }, null)) ?? ''
    execution = await startExecution({
      database: plant.database,
      plant: plant.plant,
      hub: plant.hub,
      ingest: plant.ingest,
      quietUntil: () => null,
      clock: () => plant.now,
      log: pino({ level: 'silent' }),
      onSettled() {},
    })
  })
  afterEach(async () => {
    await execution.close()
    await plant.close()
  })

  const begun = async () => {
    const [commandId, issuedAt] = [crypto.randomUUID(), plant.now]
    const result = await stored.authorise(
      plant.database,
      {
        commandId,
        lineId: plant.line().id,
        action: 'selfTest',
        accountId,
        actor: 'a',
        source: 'console',
        reason: '',
        issuedAt,
        deadline: issuedAt + 5_000,
        operationId: null,
      },
      {
        at: issuedAt,
        actor: 'a',
        address: '',
        action: 'line.selfTest',
        subject: aboutNothing,
        target: '',
        outcome: 'authorised',
      },
    )
    if (result.is !== 'new') throw new Error(result.is)
    await execution.begin(result.command)
    return commandId
  }
  const outcome = async (id: string) => {
    await plant.ingest.drained()
    await execution.tick()
    await execution.tick()
    const command = await stored.commandById(plant.database.control, id)
    return [command?.state, command?.outcome, command?.tripMs]
  }
  /** Metrics by name. */
  const report = (edge: TestEdge, metrics: Parameters<typeof metric>[0][]) =>
    edge.publish(
      edge.dataTopic,
      encodePayload({ timestampMs: plant.now, seq: edge.nextSeq(), metrics: metrics.map((each) => metric(each)) }),
    )
  const position = (value: number | null) => ({ name: '1/position', type: DataType.Int32, value })
  const failed = ['failed', 'not_done', 45]
  const worthless = ['unknown', 'not_watched', 45]

  test.each<[string, unknown[], (edge: TestEdge) => Promise<unknown>]>([
    ['has failed when nothing was missed', failed, async () => {}],
    ['has failed when another value could not be read', failed, (edge) => edge.data({ states: { 'trip.cause': 99 } })],
    ['is worth nothing after a gap', worthless, (edge) => edge.data({ skip: 1, values: { residual: 4 } })],
    ['after a position that was kept', worthless, (edge) => edge.data({ states: { position: 0 }, historical: true })],
    [
      'after one by a clock that stepped back',
      worthless,
      (edge) => edge.data({ states: { position: 0 }, at: plant.now - 60_000 }),
    ],
    ['after one of no possible time', worthless, (edge) => edge.data({ states: { position: 0 }, at: Date.UTC(2110, 0) })],
    ['after one of no known value', worthless, (edge) => edge.data({ states: { position: 9 } })],
    ['after one without a value', worthless, (edge) => report(edge, [position(null)])],
    [
      'after an alias that was not announced',
      worthless,
      (edge) => report(edge, [{ alias: 999, type: DataType.Int32, value: 0 }]),
    ],
    ['after what cannot be decoded', worthless, (edge) => edge.publish(edge.dataTopic, 'no payload')],
    [
      'after its device died and was born without a position',
      worthless,
      async (edge) => {
        const dead = encodePayload({ timestampMs: plant.now, seq: edge.nextSeq(), metrics: [] })
        await edge.publish(deviceTopic(group, 'DDEATH', edge.number, edge.device), dead)
        await edge.deviceBirth(edge.device, {}, [metric(position(null))])
      },
    ],
  ])('%s', async (_, expected, happens) => {
    const edge = await plant.edge()
    await edge.birth()
    const id = await begun()
    await report(edge, [
      { name: 'command/result/id', type: DataType.String, value: id },
      { name: 'command/result/status', type: DataType.String, value: 'accepted' },
      { name: 'command/result/tripMs', type: DataType.Float, value: 45 },
    ])
    plant.now += 12_000
    expect(await outcome(id)).toEqual(['unknown', 'no_answer', 45])
    await happens(edge)
    plant.now += 1_000
    await edge.data({ values: { residual: 5 } })
    expect(await outcome(id)).toEqual(expected === failed ? failed : ['unknown', 'no_answer', 45])
    await report(edge, [position(1)])
    expect(await outcome(id)).toEqual(expected)
  })

  test.each<[string, unknown[], (client: Awaited<ReturnType<typeof connect>>) => Promise<unknown>]>([
    ['has failed when its JSON gateway never went', failed, async () => {}],
    [
      'is worth nothing when its JSON gateway was silent',
      worthless,
      async () => {
        plant.now += 180_001
        await vi.waitUntil(() => plant.line().device.gateway.link === 'stale')
      },
    ],
    [
      'is worth nothing when its JSON gateway lost its connection',
      worthless,
      async (client) => {
        await client.endAsync()
        await vi.waitUntil(() => !plant.ingest.isConnected(plant.line().device.gateway))
      },
    ],
  ])('%s', async (_, expected, happens) => {
    /** It connects as it does each time, and listens for orders. */
    const come = async () => {
      const client = await connect(plant, 'G1', 'secret-of-G1')
      await client.subscribeAsync('linewarden/v1/G1/command', { qos: 1 })
      return client
    }
    const client = await come()
    const clients = [client]
    const publish = async (kind: string, message: unknown) => {
      if (!clients[0]?.connected) clients.unshift(await come())
      await clients[0]?.publishAsync(`linewarden/v1/G1/${kind}`, JSON.stringify(message), { qos: 1 })
    }
    await publish('birth', {
      values: { 'info/reportingPeriod': 60 },
      devices: [{ id: 'C-G1', values: { 'info/model': '3P', '1/position': 'closed', '1/lock.local': 'off', '1/residual': 5 } }],
    })
    const id = await begun()
    const values = { 'command/result/id': id, 'command/result/status': 'accepted', 'command/result/tripMs': 45 }
    await publish('result', { device: 'C-G1', values })
    plant.now += 12_000
    await happens(client)
    plant.now += 1_000
    await publish('data', { device: 'C-G1', values: { '1/residual': 5 } })
    expect(await outcome(id)).toEqual(expected === failed ? failed : ['unknown', 'no_answer', 45])
    await publish('data', { device: 'C-G1', values: { '1/position': 'closed' } })
    expect(await outcome(id)).toEqual(expected)
    for (const each of clients) each.end(true)
  })
})

test('a test is watched until its line is out of sight, whatever happens elsewhere', () => {
  const lineOf = () => ({ device: { gateway: { disabled: false } } }) as unknown as PlantLine
  const [line, other, unwatched] = [lineOf(), lineOf(), lineOf()]
  const watched = watchTests()
  const stillWatched = () => watched.of([line, other, unwatched]).map(({ commandId }) => commandId)
  expect(stillWatched()).toEqual([])
  watched.begin('a', line)
  watched.begin('b', other)
  expect(stillWatched()).toEqual(['a', 'b'])
  expect(watched.evidenceIn({ positionInvalidated: new Set([unwatched]) })).toEqual([])
  expect(watched.evidenceIn({ positionInvalidated: new Set([line]) })).toEqual(['a'])
  expect(stillWatched()).toEqual(['b'])
})

test('a newer test of the line ends the watch of the one before', () => {
  const line = { states: new Map([['position', 'closed']]), device: { gateway: {} } } as unknown as PlantLine
  const watched = watchTests()
  watched.begin('a', line)
  watched.measured('a', line, 1)
  watched.begin('b', line)
  watched.measured('b', line, 2)
  watched.measured('b', line, 3)
  watched.end('a', line)
  expect([watched.measuredAt('a', line), watched.measuredAt('b', line)]).toEqual([null, 2])
})
