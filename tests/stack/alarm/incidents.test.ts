import type { Client } from '@linewarden/client'
import { acknowledgeIncident, isNewMessage, listEvents, listIncidents, listUnacknowledged } from '@linewarden/contract'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'

// What the house makes of what equipment does: three gateways of one project. Time moves only here.
const secondMs = 1_000
let stack: Stack
let now = Date.now()
let admin: Client
beforeAll(async () => {
  const [project] = smallPlan
  const [gateway] = project?.gateways ?? []
  if (!project || !gateway) throw new Error('the small plan has a gateway')
  const gateways = ['A', 'B', 'C'].map((letter) => ({
    ...gateway,
    number: `GW-${letter}`,
    devices: gateway.devices.map((device) => ({ ...device, controllerId: device.controllerId.replace('A-', `${letter}-`) })),
  }))
  stack = await startStack({ plan: [{ ...project, gateways }], clock: () => now, fleet: { now: () => now } })
})
afterAll(() => stack?.close())
beforeEach(async () => {
  for (const each of stack.fleet.gateways.values()) if (!each.isBorn) await each.reconnect()
  await vi.waitFor(() => expect([...stack.server.plant.gateways.values()].every(({ link }) => link === 'online')).toBe(true))
  await stack.server.ingest.drained()
  const db = await stack.server.database.connect()
  await db.query('delete from event; delete from incident; update line set fed_by = null')
  await db.end()
  for (const line of stack.server.plant.lines.values()) line.alarms.clear()
  calm(stack)
  admin = await signedIn(stack.url, stack.admin, () => now)
  await admin.call(isNewMessage, { query: {} })
})

const deviceOf = (controllerId: string) => {
  const device = stack.server.plant.deviceByControllerId.get(controllerId)
  if (!device) throw new Error(`there is no device ${controllerId}`)
  return device
}

/** An alarm of a device as a whole, or of a line of it, comes or goes. */
async function happens(act: 'raise' | 'return', controllerId: string, key: string, lineNo?: number): Promise<void> {
  const device = deviceOf(controllerId)
  const place = lineNo === undefined ? { device, line: null } : { line: device.lines.get(lineNo) ?? null }
  const draft: Parameters<typeof stack.server.ingest.note>[0] = {
    ...{ act, kind: 'fault', priority: 'medium', key, label: { zh: key, en: key }, point: null, value: null, limit: null },
    ...{ unit: '', gateway: device.gateway, at: now, historical: false, ...place },
  }
  stack.server.ingest.note(draft)
  await stack.server.ingest.drained()
}

/** What the list of roots shows: the key of each, and how many it shows for. */
const roots = async () =>
  (await admin.call(listEvents, { body: { Folded: false, Open: true, Sort: 'EventID', Size: 50 } })).items
    .map(({ Key, Incident }) => `${Key} ${Incident?.Children ?? 0}`)
    .toSorted()
const shows = (...expected: string[]) => vi.waitFor(async () => expect(await roots()).toEqual(expected))
const polled = async () => (await admin.call(isNewMessage, { query: {} })).Events.map(({ Key }) => Key).toSorted()

test('a gateway that dies with its devices is one row and one pop-up; the fire behind it is another', async () => {
  await happens('raise', 'A-T1', 'device.stale')
  stack.fleet.run('gatewayOffline', { gateway: 'GW-A' })
  await shows('gateway.offline 1')
  await happens('raise', 'A-Y1', 'device.offline')
  await happens('raise', 'A-Y1', 'smoke.alarm')
  await shows('gateway.offline 2', 'smoke.alarm 0')
  const { items, total } = await admin.call(listUnacknowledged, { body: {} })
  expect(new Map(items.map(({ Key, Incident }) => [Key, Incident?.Children]))).toEqual(
    new Map([
      ['gateway.offline', 2],
      ['smoke.alarm', undefined],
    ]),
  )
  expect(total).toBe(2)
  expect(await polled()).toEqual(['gateway.offline', 'smoke.alarm'])
})

test('the root returns: what is still there after two minutes stands alone and calls', async () => {
  stack.fleet.run('gatewayOffline', { gateway: 'GW-A' })
  await shows('gateway.offline 0')
  await happens('raise', 'A-T1', 'device.offline')
  await happens('raise', 'A-Y1', 'device.stale')
  await shows('gateway.offline 2')
  const [incident] = (await admin.call(listIncidents, { body: {} })).items
  await admin.call(acknowledgeIncident, { params: { IncidentID: incident?.IncidentID ?? '' }, query: {} })
  stack.fleet.run('gatewayBack', { gateway: 'GW-A' })
  await vi.waitFor(async () => expect((await admin.call(listIncidents, { body: { Open: false } })).total).toBe(1))
  await happens('return', 'A-T1', 'device.offline')
  await polled()
  // It was born anew, with its own reporting period.
  calm(stack)
  now += 121 * secondMs
  await shows('device.stale 0')
  expect(await polled()).toEqual(['device.stale'])
  const { items } = await admin.call(listEvents, { body: { Keys: ['device.stale'] } })
  expect(items).toMatchObject([{ State: 'active', Role: null, Suppressed: null, AcknowledgedBy: null }])
})

test('a line that trips explains the undervoltages below it', async () => {
  const db = await stack.server.database.connect()
  const feeder = deviceOf('A-T1').lines.get(1)?.id
  await db.query('update line set fed_by = $1 where line_id <> $1 and device_id = $2', [feeder, deviceOf('A-T1').id])
  await db.end()
  stack.fleet.run('shortCircuit', { controllerId: 'A-T1', lineNo: 1 })
  await vi.waitFor(async () => expect((await roots()).join()).toContain('trip.short'))
  for (const lineNo of [2, 3, 4]) await happens('raise', 'A-T1', 'voltage.under', lineNo)
  await happens('raise', 'B-T1', 'voltage.under', 2)
  await vi.waitFor(async () =>
    expect((await roots()).filter((row) => !row.startsWith('trip.under'))).toEqual(['trip.short 3', 'voltage.under 0']),
  )
})

test('three gateways of a project that go within a minute are one outage', async () => {
  for (const number of ['GW-A', 'GW-B', 'GW-C']) stack.fleet.run('gatewayOffline', { gateway: number })
  await shows('project.outage 3')
  expect((await polled()).filter((key) => key === 'project.outage')).toHaveLength(1)
})
