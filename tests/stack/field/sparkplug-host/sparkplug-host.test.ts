import { randomUUID } from 'node:crypto'
import { lineDetails, listDevices, operateLine } from '@linewarden/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { smallPlan } from '../../../kit/small-plan.ts'
import type { Stack } from '../../../kit/stack.ts'
import { startStack } from '../../../kit/stack.ts'
import type { Received } from './edge.ts'
import { breakerBirth, StandardEdge } from './edge.ts'
import { notApplicable } from './not-applicable.ts'
import { Type } from './payload.ts'

/** Every assertion that the Sparkplug 3.0 test kit makes on hosts, and those of the standard beside it that a host must keep. */
let stack: Stack
let projectId = 0
const stateTopic = 'spBv1.0/STATE/linewarden'
const edges: StandardEdge[] = []
const asserted = new Set<string>()
const passed = new Set<string>()

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan })
  projectId = [...stack.server.plant.projects.values()][0]?.id ?? 0
})
afterEach(async () => {
  await Promise.all(edges.splice(0).map((edge) => edge.end()))
})
afterAll(() => stack?.close())

/** A test that stands for these assertions: all pass or all fail. */
function asserts(name: string, ids: readonly string[], work: () => Promise<void>): void {
  for (const id of ids) {
    if (asserted.has(id)) throw new Error(`${id} is asserted twice`)
    asserted.add(id)
  }
  test(name, async () => {
    await work()
    for (const id of ids) passed.add(id)
  })
}

let made = 0
async function edgeOf(
  more: { group?: string; bdSeq?: number; number?: string } = {},
): Promise<{ edge: StandardEdge; number: string; device: string }> {
  made += 1
  const number = more.number ?? `TCK-${made}`
  const secret = await stack.server.site.enrolGateway({
    projectId,
    number,
    name: number,
    reportingPeriodMs: 60_000,
  })
  const edge = await StandardEdge.connect(stack.server.mqttPort, number, secret, more)
  edges.push(edge)
  return { edge, number, device: `${number}-BRK` }
}

async function bornEdge(more: { group?: string; bdSeq?: number } = {}) {
  const { edge, number, device } = await edgeOf(more)
  await edge.birth()
  await edge.deviceBirth(device)
  return { edge, number, device }
}

const lineOf = (device: string) => stack.client.call(lineDetails, { params: { ControllerID: device, LineNo: 1 } })
const voltage = async (device: string) => (await lineOf(device)).State.Values[3]
const temperature = 'temperature.a'
const gatewayLink = (number: string) => stack.server.plant.gatewayByNumber.get(number)?.link
const trip = (device: string) =>
  stack.client.call(operateLine, {
    params: { ControllerID: device, LineNo: 1, attr: 'trip' },
    body: { CommandID: randomUUID(), Reason: 'test kit' },
  })
const ofKind = (kind: string) => (each: Received) => each.kind === kind
const metricOf = (each: Received, name: string, alias: number) =>
  (each.payload.metrics ?? []).find((metric) => metric.name === name || metric.alias === alias)

describe('STATE', () => {
  asserts(
    'the host says that it is there: retained, QoS 1, before an edge can be born, with a timestamp and nothing else',
    [
      'components-ph-state',
      'conformance-primary-host',
      'host-topic-phid-birth-message',
      'host-topic-phid-birth-payload',
      'host-topic-phid-birth-qos',
      'host-topic-phid-birth-required',
      'host-topic-phid-birth-retain',
      'host-topic-phid-birth-topic',
      'intro-sparkplug-host-state',
      'message-flow-phid-sparkplug-state-publish',
      'message-flow-phid-sparkplug-state-publish-payload',
      'operational-behavior-host-application-connect-birth',
      'operational-behavior-host-application-connect-birth-payload',
      'operational-behavior-host-application-connect-birth-qos',
      'operational-behavior-host-application-connect-birth-retained',
      'operational-behavior-host-application-connect-birth-topic',
      'operational-behavior-primary-application-state-with-multiple-servers-state',
      'payloads-state-birth',
      'payloads-state-birth-payload',
      'principles-birth-certificates-order',
      'conformance-mqtt-qos1',
    ],
    async () => {
      const { edge } = await edgeOf()
      await edge.listen(stateTopic, 2)
      const state = await edge.one(({ topic }) => topic === stateTopic)
      expect({ qos: state.qos, retain: state.retain }).toEqual({ qos: 1, retain: true })
      expect(state.text).toMatch(/^\{"online":true,"timestamp":\d{13}\}$/)
    },
  )

  asserts('nobody but the host can say STATE', ['message-flow-hid-sparkplug-state-message-delivered'], async () => {
    const { edge } = await edgeOf()
    const { edge: watcher } = await edgeOf()
    await watcher.listen(stateTopic, 1)
    await edge.publishRaw(stateTopic, Buffer.from('{"online":false,"timestamp":1}'))
    await edge.closed
    expect(watcher.received.filter(({ text }) => text.includes('false'))).toEqual([])
  })
})

describe('orders', () => {
  const rebirthIds = ['rebirth-name', 'rebirth-value', 'rebirth-verb', 'verb', 'metric-name', 'metric-value'] as const
  asserts(
    'a lost message asks for a rebirth: NCMD at QoS 0, not retained, without a sequence number, with the name and type of the birth',
    [
      ...rebirthIds.map((each) => `operational-behavior-data-commands-ncmd-${each}`),
      'payloads-ncmd-qos',
      'payloads-ncmd-retain',
      'payloads-ncmd-seq',
      'payloads-ncmd-timestamp',
      'topics-ncmd-mqtt',
      'topics-ncmd-payload',
      'topics-ncmd-timestamp',
      'topics-ncmd-topic',
      'conformance-mqtt-qos0',
      'operational-behavior-host-reordering-rebirth',
    ],
    async () => {
      const { edge, number, device } = await bornEdge()
      edge.skip()
      await edge.data(device, [{ alias: 4, float_value: 231 }])
      const order = await edge.one(ofKind('NCMD'))
      expect(order).toMatchObject({ topic: `spBv1.0/Plant 7/NCMD/${number}`, qos: 0, retain: false })
      expect(order.payload.metrics?.map(({ name, boolean_value }) => [name, boolean_value])).toEqual([
        ['Node Control/Rebirth', true],
      ])
      expect(order.payload).not.toHaveProperty('seq')
      expect(Math.abs((order.payload.timestamp ?? 0) - order.at)).toBeLessThan(60_000)
    },
  )

  asserts(
    'a command is a DCMD at QoS 0, not retained, without a sequence number, by the aliases and types of the birth',
    [
      'operational-behavior-data-commands-dcmd-metric-name',
      'operational-behavior-data-commands-dcmd-metric-value',
      'operational-behavior-data-commands-dcmd-verb',
      'payloads-dcmd-qos',
      'payloads-dcmd-retain',
      'payloads-dcmd-seq',
      'payloads-dcmd-timestamp',
      'payloads-name-cmd-requirement',
      'payloads-alias-data-cmd-requirement',
      'payloads-metric-datatype-not-req',
      'topics-dcmd-mqtt',
      'topics-dcmd-payload',
      'topics-dcmd-timestamp',
      'topics-dcmd-topic',
    ],
    async () => {
      const { edge, number, device } = await bornEdge()
      await edge.data(device, [{ alias: 4, float_value: 233 }])
      await vi.waitFor(async () => expect(await voltage(device)).toBe(233))
      const command = await trip(device)
      const order = await edge.one(ofKind('DCMD'))
      expect(order).toMatchObject({ topic: `spBv1.0/Plant 7/DCMD/${number}/${device}`, qos: 0, retain: false })
      expect(order.payload).not.toHaveProperty('seq')
      expect(Math.abs((order.payload.timestamp ?? 0) - order.at)).toBeLessThan(60_000)
      const metrics = order.payload.metrics ?? []
      const announced = new Set(breakerBirth.map(({ alias }) => alias))
      expect(
        metrics.every(({ alias, name, datatype }) => announced.has(alias) && name === undefined && datatype === undefined),
      ).toBe(true)
      expect(metricOf(order, 'command/id', 20)?.string_value).toBe(command.CommandID)
      expect(metricOf(order, 'command/line', 21)?.int_value).toBe(1)
      expect(metricOf(order, 'command/action', 22)?.string_value).toBe('trip')
      expect(metricOf(order, 'command/deadline', 24)?.long_value).toBe(command.Deadline)
    },
  )
})

describe('deaths', () => {
  asserts(
    'a device that died is offline and its values are not current; born again it is online',
    [
      'operational-behavior-edge-node-termination-host-action-ddeath-devices-offline',
      'operational-behavior-edge-node-termination-host-action-ddeath-devices-tags-stale',
    ],
    async () => {
      const { edge, number, device } = await bornEdge()
      const other = `${number}-2`
      await edge.deviceBirth(other)
      await edge.deviceDeath(device)
      await vi.waitFor(async () => expect((await lineOf(device)).Link.Link).toBe('offline'))
      expect((await lineOf(device)).State.Quality).not.toBe('good')
      expect((await lineOf(other)).Link.Link).toBe('online')
      const { items } = await stack.client.call(listDevices, { body: { HouseID: projectId, Size: 100 } })
      expect(items.find(({ ControllerID }) => ControllerID === device)?.Link).toBe('offline')
      await edge.deviceBirth(device)
      await vi.waitFor(async () => expect((await lineOf(device)).Link.Link).toBe('online'))
      expect((await lineOf(device)).State.Quality).toBe('good')
    },
  )

  asserts(
    'a gateway that died takes its devices along: offline, and their values are not current',
    [
      'operational-behavior-edge-node-termination-host-action-ndeath-devices-offline',
      'operational-behavior-edge-node-termination-host-action-ndeath-devices-tags-stale',
      'operational-behavior-edge-node-termination-host-action-ndeath-node-offline',
      'operational-behavior-edge-node-termination-host-action-ndeath-node-tags-stale',
    ],
    async () => {
      const { edge, number, device } = await bornEdge({ bdSeq: 3 })
      await edge.die(3)
      await vi.waitFor(() => expect(gatewayLink(number)).toBe('offline'))
      const line = await lineOf(device)
      expect([line.Link.Link, line.State.Quality]).toEqual(['offline', 'stale'])
    },
  )

  asserts('the death of an earlier session changes nothing', ['topics-nbirth-bdseq-matching'], async () => {
    const { edge, number, device } = await bornEdge({ bdSeq: 9 })
    await edge.die(8)
    await edge.data(device, [{ alias: 4, float_value: 232 }])
    await vi.waitFor(async () => expect(await voltage(device)).toBe(232))
    expect(gatewayLink(number)).toBe('online')
  })

  asserts('a broken connection is told by the will', ['conformance-mqtt-will-messages'], async () => {
    const { edge, number } = await bornEdge()
    edge.destroy()
    await vi.waitFor(() => expect(gatewayLink(number)).toBe('offline'))
  })
})

describe('what an edge may say', () => {
  asserts(
    'an NBIRTH begins at 0, and a sequence runs round from 255 to 0',
    ['topics-nbirth-seq-num', 'payloads-sequence-num-incrementing'],
    async () => {
      const { edge, device } = await bornEdge()
      for (let i = 0; i < 300; i += 1) await edge.data(device, [{ alias: 4, float_value: 200 + i }])
      await vi.waitFor(async () => expect(await voltage(device)).toBe(499))
      expect(edge.received.filter(ofKind('NCMD'))).toEqual([])
    },
  )

  test('negative integers by alias without a data type are what was measured', async () => {
    const { edge, device } = await bornEdge()
    await edge.data(device, [{ alias: 5, int_value: 0xfffffffa }])
    const lineId = stack.server.plant.lineAt(device, 1)?.id ?? 0
    await vi.waitFor(() => expect(measured(lineId, temperature)).toBe(-6))
  })

  asserts('every data type of the standard may stand in a birth', ['payloads-metric-datatype-value'], async () => {
    const { edge, number } = await edgeOf()
    const whole = ['Int8', 'Int16', 'Int32', 'UInt8', 'UInt16', 'UInt32'] as const
    const long = ['Int64', 'UInt64', 'DateTime'] as const
    const text = ['String', 'Text', 'UUID'] as const
    await edge.birth([
      ...whole.map((type) => ({ name: `own/${type}`, datatype: Type[type], int_value: 1 })),
      ...long.map((type) => ({ name: `own/${type}`, datatype: Type[type], long_value: 1 })),
      ...text.map((type) => ({ name: `own/${type}`, datatype: Type[type], string_value: 'x' })),
      { name: 'own/Float', datatype: Type.Float, float_value: 1 },
      { name: 'own/Double', datatype: Type.Double, double_value: 1 },
      { name: 'own/Boolean', datatype: Type.Boolean, boolean_value: true },
      { name: 'own/Bytes', datatype: Type.Bytes, bytes_value: new Uint8Array([1]) },
      { name: 'own/File', datatype: Type.File, bytes_value: new Uint8Array([1]) },
      { name: 'own/DataSet', datatype: Type.DataSet, dataset_value: { num_of_columns: 1, columns: ['a'], types: [3] } },
      {
        name: 'own/Template',
        datatype: Type.Template,
        template_value: { version: '1', is_definition: false, template_ref: 'a' },
      },
      ...Array.from({ length: 13 }, (_, i) => ({ name: `own/array${i}`, datatype: 22 + i, bytes_value: new Uint8Array(8) })),
    ])
    await vi.waitFor(() => expect(gatewayLink(number)).toBe('online'))
  })

  asserts(
    'a group id is free; device ids with spaces, percent signs and Chinese are read and operated',
    ['topic-structure-namespace-valid-group-id', 'topic-structure-namespace-valid-device-id'],
    async () => {
      const { edge } = await edgeOf({ group: 'Sparkplug Group 电 %' })
      await edge.birth()
      const device = '断路器 7 %?'
      await edge.deviceBirth(device)
      await vi.waitFor(async () => expect(await voltage(device)).toBe(230))
      await trip(device)
      expect((await edge.one(ofKind('DCMD'))).topic).toBe(`spBv1.0/Sparkplug Group 电 %/DCMD/${edge.number}/${device}`)
    },
  )

  asserts('edge node ids of the standard can be enrolled', ['topic-structure-namespace-valid-edge-node-id'], async () => {
    for (const number of ['Edge 1', 'gw.01', '网关 1号 %']) {
      const { edge } = await edgeOf({ number })
      await edge.birth()
      await vi.waitFor(() => expect(gatewayLink(number)).toBe('online'))
    }
  })

  asserts(
    'two edge nodes have a device of the same id each: values and orders do not cross',
    ['topic-structure-namespace-duplicate-device-id-across-edge-node'],
    async () => {
      const a = await edgeOf()
      const b = await edgeOf()
      for (const [i, { edge }] of [a, b].entries()) {
        await edge.birth()
        await edge.deviceBirth('BRK-7')
        await edge.data('BRK-7', [{ alias: 4, float_value: 220 + i }])
      }
      const devices = () =>
        [...new Set([...stack.server.plant.lines.values()].map(({ device }) => device))].filter(({ gateway }) =>
          [a.number, b.number].includes(gateway.number),
        )
      await vi.waitFor(() => expect(devices()).toHaveLength(2))
      for (const [i, { number, edge }] of [a, b].entries()) {
        const id = devices().find(({ gateway }) => gateway.number === number)?.controllerId ?? ''
        await vi.waitFor(async () => expect(await voltage(id)).toBe(220 + i))
        await trip(id)
        expect((await edge.one(ofKind('DCMD'))).topic).toBe(`spBv1.0/Plant 7/DCMD/${number}/BRK-7`)
      }
      expect([a, b].map(({ edge }) => edge.received.filter(ofKind('DCMD')).length)).toEqual([1, 1])
    },
  )
})

asserts(
  'a host that ends says so before its connections close',
  [
    'host-topic-phid-death-payload',
    'host-topic-phid-death-payload-timestamp-disconnect-clean',
    'host-topic-phid-death-payload-timestamp-disconnect-with-no-disconnect-packet',
    'host-topic-phid-death-qos',
    'host-topic-phid-death-topic',
    'operational-behavior-host-application-death-payload',
    'operational-behavior-host-application-death-qos',
    'operational-behavior-host-application-death-topic',
    'operational-behavior-host-application-disconnect-intentional',
    'operational-behavior-host-application-termination',
  ],
  async () => {
    const { edge } = await edgeOf()
    await edge.listen(stateTopic, 1)
    const before = Date.now()
    await stack.close()
    await edge.closed
    const last = edge.received.filter(({ topic }) => topic === stateTopic).at(-1)
    expect(last?.qos).toBe(1)
    const payload = JSON.parse(last?.text ?? '{}')
    expect(payload).toEqual({ online: false, timestamp: expect.any(Number) })
    expect(payload.timestamp).toBeGreaterThanOrEqual(before)
  },
)

test('every assertion on hosts passes or has the reason why it asks nothing of this one', () => {
  const both = [...asserted].filter((id) => id in notApplicable)
  const applies = asserted.size
  process.stdout.write(
    `Sparkplug 3.0 host assertions: ${passed.size} of ${applies} that apply pass; ${Object.keys(notApplicable).length} do not apply\n`,
  )
  expect(both).toEqual([])
  expect([...asserted].filter((id) => !passed.has(id))).toEqual([])
})

function measured(lineId: number, point: string): number | undefined {
  const line = stack.server.plant.lines.get(lineId)
  const slot = line?.device.family.points.findIndex(({ key }) => key === point) ?? -1
  return line?.values[line.device.family.points[slot]?.slot ?? -1]
}
