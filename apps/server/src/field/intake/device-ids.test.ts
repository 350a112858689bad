import { aboutNothing } from '@linewarden/contract'
import { DataType, decodePayload, deviceTopic, encodePayload, metric } from '@linewarden/sparkplug'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PlantLine } from '../../plant/plant.ts'
import { removeGateway } from '../../store/site/gateway.ts'
import type { TestEdge } from '../test-ingest.ts'
import { group, TestIngest } from '../test-ingest.ts'

let plant: TestIngest
let edges: Record<'G1' | 'G2', TestEdge>

beforeEach(async () => {
  plant = await TestIngest.start()
  edges = { G1: await plant.edge('G1'), G2: await plant.edge('G2') }
  for (const edge of [edges.G1, edges.G2]) {
    await edge.nodeBirth()
    await edge.deviceBirth('BRK-7')
  }
})
afterEach(() => plant.close())

const lineOf = (controllerId: string): PlantLine => {
  const line = plant.plant.lineAt(controllerId, 1)
  if (!line) throw new Error(`no ${controllerId}`)
  return line
}
const residual = (controllerId: string) => {
  const line = lineOf(controllerId)
  return line.values[line.device.family.points.find(({ key }) => key === 'residual')?.slot ?? -1]
}
const report = (number: 'G1' | 'G2', value: number) =>
  edges[number].publish(
    deviceTopic(group, 'DDATA', number, 'BRK-7'),
    encodePayload({
      timestampMs: plant.now,
      seq: edges[number].nextSeq(),
      metrics: [metric({ name: '1/residual', type: DataType.Float, value })],
    }),
  )

test('two gateways may call a device the same: the first keeps the name, the other is told apart by its gateway', async () => {
  expect(await plant.quarantined()).toEqual([])
  expect(lineOf('BRK-7').device.gateway.number).toBe('G1')
  expect(lineOf('BRK-7@G2').device.gateway.number).toBe('G2')
})

test('their values, deaths and orders never cross, also after a restart', async () => {
  for (const restarted of [false, true]) {
    if (restarted) {
      await plant.restart()
      edges = { G1: await plant.edge('G1'), G2: await plant.edge('G2') }
      for (const edge of [edges.G1, edges.G2]) {
        await edge.nodeBirth()
        await edge.deviceBirth('BRK-7')
      }
    }
    await report('G1', 11)
    await report('G2', 22)
    expect([residual('BRK-7'), residual('BRK-7@G2')]).toEqual([11, 22])
    const { gateway, wireId } = lineOf('BRK-7@G2').device
    const issuedAt = plant.now
    const order = {
      lineNo: 1,
      commandId: 'c1',
      action: 'trip',
      settings: null,
      issuedAt,
      deadline: issuedAt + 30_000,
      fence: 1,
    } as const
    expect(plant.ingest.send({ gateway, wireId, ...order })).toBe('sent')
    await vi.waitUntil(() => edges.G2.received.length > 0)
    expect(edges.G2.received[0]?.topic).toBe(deviceTopic(group, 'DCMD', 'G2', 'BRK-7'))
    expect(decodePayload(edges.G2.received[0]?.payload ?? new Uint8Array()).metrics.map(({ value }) => value)).toContain('c1')
    expect(edges.G1.received).toEqual([])
    await edges.G1.publish(
      deviceTopic(group, 'DDEATH', 'G1', 'BRK-7'),
      encodePayload({ timestampMs: plant.now, seq: edges.G1.nextSeq(), metrics: [] }),
    )
    expect([lineOf('BRK-7').device.link, lineOf('BRK-7@G2').device.link]).toEqual(['offline', 'online'])
  }
})

test('a name that somebody took on purpose keeps nobody out, and one too long for a call is shortened', async () => {
  await edges.G1.deviceBirth('PUMP')
  await edges.G1.deviceBirth('PUMP@G2')
  await edges.G2.deviceBirth('PUMP')
  await edges.G2.deviceBirth('X'.repeat(100))
  const own = [...(plant.plant.gatewayByNumber.get('G2')?.devices.values() ?? [])]
  expect(own.map(({ wireId }) => wireId)).toEqual(['BRK-7', 'PUMP', 'X'.repeat(100)])
  for (const { controllerId } of own) expect(controllerId).toMatch(/^.{1,64}$/)
  expect(own[1]?.controllerId).toMatch(/^PUMP@[0-9a-f]{16}$/)
  expect(await plant.quarantined()).toEqual([])
})

test('a removed gateway sets its names free, and the other keeps its own', async () => {
  const gateway = plant.plant.gatewayByNumber.get('G1')
  if (!gateway) throw new Error('no G1')
  const entry = {
    at: plant.now,
    actor: 'me',
    address: '',
    action: 'gateway.delete',
    subject: aboutNothing,
    target: 'G1',
    outcome: 'done',
  } as const
  await plant.ingest.drained()
  expect((await removeGateway(plant.database, gateway.id, entry)).is).toBe('done')
  plant.plant.removeGateway(gateway)
  await edges.G2.deviceBirth('BRK-7')
  expect(lineOf('BRK-7@G2').device.gateway.number).toBe('G2')
  await plant.restart()
  expect([...plant.plant.deviceByControllerId.keys()]).toEqual(['BRK-7@G2'])
})
