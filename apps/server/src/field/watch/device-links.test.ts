import { DataType, decodePayload, deviceTopic, encodePayload, metric } from '@linewarden/sparkplug'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lineState } from '../../plant/line-state.ts'
import { linkOfDevice } from '../../plant/plant.ts'
import { liveMessages } from '../../plant/test-topics.ts'
import type { TestEdge } from '../test-ingest.ts'
import { group, TestIngest } from '../test-ingest.ts'

let plant: TestIngest
let edge: TestEdge

beforeEach(async () => {
  plant = await TestIngest.start({ linksEveryMs: 50 })
  edge = await plant.edge()
})
afterEach(() => plant.close())

const deviceOf = (id = edge.device) => {
  const device = plant.plant.deviceByControllerId.get(id)
  if (!device) throw new Error(`${id} has not been born`)
  return device
}
const linkOf = (id = edge.device): string => {
  const { link, linkReason } = linkOfDevice(deviceOf(id))
  return linkReason === null ? link : `${link} ${linkReason}`
}
/** Which alarms there are, and of which device. */
const alarms = async (): Promise<string[]> => {
  const rows = await plant.rows<{ key: string; state: string; controller_id: string | null }>(
    "select key, state, controller_id from event left join device using (device_id) where kind <> 'journal' order by event_id",
  )
  return rows.map(({ key, state, controller_id }) => [key, state, controller_id].filter((each) => each !== null).join(' '))
}
const becomes = (link: string, id = edge.device) => vi.waitFor(() => expect(linkOf(id)).toBe(link))
const dies = (id: string) =>
  edge.publish(
    deviceTopic(group, 'DDEATH', edge.number, id),
    encodePayload({ timestampMs: plant.now, seq: edge.nextSeq(), metrics: [] }),
  )
const period = (seconds: number) => metric({ name: 'info/reportingPeriod', type: DataType.Float, value: seconds })
/** Something about another device, so that the gateway lives. */
const otherSpeaks = (id = 'C-OTHER') =>
  edge.publish(
    deviceTopic(group, 'DDATA', edge.number, id),
    encodePayload({
      timestampMs: plant.now,
      seq: edge.nextSeq(),
      metrics: [metric({ name: '1/residual', type: DataType.Float, value: 5 })],
    }),
  )
const other = async () => {
  await edge.deviceBirth('C-OTHER')
}
/** So much later everything but the device under test has spoken, and the watch has evaluated it. In steps, so that the gateway is never silent. */
async function later(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 10_000) {
    plant.now += Math.min(left, 10_000)
    await otherSpeaks()
  }
  const { clockReads } = plant
  await vi.waitUntil(() => plant.clockReads >= clockReads + 4)
  await plant.ingest.drained()
}

test('a device whose gateway says that it died is offline at once, with its values marked, and only it', async () => {
  await edge.birth({ values: { residual: 12 } })
  await other()
  plant.committed.length = 0
  await dies(edge.device)
  expect([linkOf(), linkOf('C-OTHER')]).toEqual(['offline death', 'online'])
  expect(lineState(plant.line()).Quality).toBe('stale')
  expect(await alarms()).toEqual([`device.offline active ${edge.device}`])
  expect(
    liveMessages('devices', ...plant.committed).flatMap(({ links }) => links.map(({ ControllerID }) => ControllerID)),
  ).toEqual([edge.device])
  expect(plant.committed.flatMap(({ lines = [] }) => lines)).toEqual([plant.line()])
  expect(liveMessages('event', ...plant.committed)[0]?.event).toMatchObject({
    ControllerID: edge.device,
    LineID: null,
    Where: { HouseName: 'Site', GatewayName: 'G1', LineName: 'Board' },
  })
  await edge.deviceBirth(edge.device)
  expect(linkOf()).toBe('online')
  expect(lineState(plant.line()).Quality).toBe('good')
  expect(await alarms()).toEqual([`device.offline returned ${edge.device}`])
})

test('two dead devices of one gateway are two events', async () => {
  await edge.birth()
  await other()
  await dies(edge.device)
  await dies('C-OTHER')
  expect(await alarms()).toEqual([`device.offline active ${edge.device}`, 'device.offline active C-OTHER'])
})

test('a death and a birth that are committed together leave it alive', async () => {
  await edge.birth()
  await Promise.all([dies(edge.device), edge.deviceBirth(edge.device)])
  expect(linkOf()).toBe('online')
  expect(await alarms()).toEqual([`device.offline returned ${edge.device}`])
})

test('a device that is silent for three promised periods behind a living gateway is stale, and back with its next report', async () => {
  await edge.birth()
  await other()
  await later(30_000)
  expect(linkOf()).toBe('online')
  await later(1)
  expect([linkOf(), linkOf('C-OTHER')]).toEqual(['stale silence', 'online'])
  expect(lineState(plant.line()).Quality).toBe('stale')
  expect(plant.ingest.reach(deviceOf().gateway, deviceOf())).toBe('device_silent')
  expect(plant.committed.some(({ positionInvalidated }) => positionInvalidated?.has(deviceOf()))).toBe(true)
  expect(await alarms()).toEqual([`device.stale active ${edge.device}`])
  await edge.data({ values: { residual: 5 } })
  expect([linkOf(), plant.ingest.reach(deviceOf().gateway, deviceOf())]).toEqual(['online', 'yes'])
  expect(await alarms()).toEqual([`device.stale returned ${edge.device}`])
})

test('a gateway is asked to be born again when a device of it was silent: until then nobody knows how its lines stand; at most once a minute', async () => {
  const rebirths = () =>
    edge.received.filter(({ payload }) => decodePayload(payload).metrics.some(({ name }) => name === 'Node Control/Rebirth'))
      .length
  await edge.birth()
  await other()
  expect(plant.ingest.hasValidPosition(plant.line())).toBe(true)
  await later(30_001)
  expect(plant.ingest.hasValidPosition(plant.line())).toBe(false)
  await edge.data({ values: { residual: 5 } })
  await edge.data({ values: { residual: 6 } })
  await vi.waitFor(() => expect(rebirths()).toBe(1))
  expect(plant.ingest.hasValidPosition(plant.line())).toBe(false)
  await edge.birth()
  await other()
  expect(plant.ingest.hasValidPosition(plant.line())).toBe(true)
  await later(30_001)
  await edge.data({ values: { residual: 5 } })
  expect(linkOf()).toBe('online')
  expect(rebirths()).toBe(1)
  // It is not forgotten: whatever comes once the minute is over brings it about.
  await later(30_001)
  await vi.waitFor(() => expect(rebirths()).toBe(2))
})

test('what was kept during an outage does not bring a silent device back, nor keep one from falling silent', async () => {
  await edge.birth()
  await other()
  await later(20_000)
  await edge.data({ values: { residual: 5 }, at: plant.now - 60_000, historical: true })
  await later(10_001)
  expect(linkOf()).toBe('stale silence')
  await edge.data({ values: { residual: 5 }, at: plant.now - 60_000, historical: true })
  expect(linkOf()).toBe('stale silence')
})

test('a gateway that promised no period reports when something changes: silence says nothing', async () => {
  await edge.nodeBirth([metric({ name: 'info/reportingPeriod', type: DataType.Float, value: null })])
  await edge.deviceBirth(edge.device)
  await other()
  await later(25_000)
  await later(25_000)
  expect(linkOf()).toBe('online')
  expect(await alarms()).toEqual([])
})

test.each([
  [0, 'reports when something changes', 'online'],
  [3_600, 'promised a longer period', 'online'],
  [2, 'promised a shorter period', 'stale silence'],
])('what the device says itself counts more than its gateway: %i s (%s)', async (seconds, _, link) => {
  await edge.nodeBirth()
  await edge.deviceBirth(edge.device, {}, [period(seconds)])
  await other()
  await later(seconds === 2 ? 6_001 : 30_001)
  expect(linkOf()).toBe(link)
  await plant.restart()
  expect(deviceOf().reportingPeriodMs).toBe(seconds * 1_000)
})

test('a dead gateway raises one event, and what is behind it is offline until it is born again', async () => {
  await edge.birth()
  await other()
  await edge.death()
  expect([deviceOf().link, deviceOf('C-OTHER').link]).toEqual(['offline', 'offline'])
  expect(await alarms()).toEqual(['gateway.offline active'])
  await edge.nodeBirth()
  await other()
  expect([linkOf(), linkOf('C-OTHER')]).toEqual(['offline death', 'online'])
  expect(await alarms()).toEqual(['gateway.offline returned'])
})

test('a device that its gateway does not bring along is told three periods later, once', async () => {
  await edge.birth()
  await other()
  await edge.death()
  await edge.nodeBirth()
  await other()
  await later(30_000)
  expect(await alarms()).toEqual(['gateway.offline returned'])
  await later(1)
  await later(1)
  expect(await alarms()).toEqual(['gateway.offline returned', `device.offline active ${edge.device}`])
  await edge.deviceBirth(edge.device)
  expect(await alarms()).toEqual(['gateway.offline returned', `device.offline returned ${edge.device}`])
})

test('a rebirth that lacks a device takes it away three periods later', async () => {
  await edge.birth()
  await other()
  await edge.nodeBirth()
  await other()
  expect(linkOf()).toBe('online')
  await later(30_001)
  expect(linkOf()).toBe('offline absent')
  expect(await alarms()).toEqual([`device.offline active ${edge.device}`])
})

test('a gateway that falls silent is one event and none of its devices', async () => {
  await edge.birth()
  await other()
  plant.now += 30_001
  await vi.waitFor(() => expect(linkOf()).toBe('stale silence'))
  await plant.ingest.drained()
  expect(await alarms()).toEqual(['gateway.stale active'])
  await edge.data({ values: { residual: 5 } })
  await becomes('online')
  // The other has not spoken since: it is not shown as present, and has its time before anybody is told.
  await becomes('stale silence', 'C-OTHER')
  expect(await alarms()).toEqual(['gateway.stale returned'])
})

test('after a restart what was online is not known, what died stays dead, and nothing is raised twice', async () => {
  await edge.birth()
  await other()
  await dies('C-OTHER')
  await plant.restart()
  expect([deviceOf().link, deviceOf().linkReason]).toEqual(['stale', 'restart'])
  expect([deviceOf('C-OTHER').link, deviceOf('C-OTHER').linkReason]).toEqual(['offline', 'death'])
  edge = await plant.edge()
  await edge.birth()
  expect([linkOf(), linkOf('C-OTHER')]).toEqual(['online', 'offline death'])
  plant.now += 30_001
  await edge.data({ values: { residual: 5 } })
  const { clockReads } = plant
  await vi.waitUntil(() => plant.clockReads >= clockReads + 4)
  await plant.ingest.drained()
  expect(await alarms()).toEqual(['device.offline active C-OTHER'])
  await other()
  expect(await alarms()).toEqual(['device.offline returned C-OTHER'])
})
