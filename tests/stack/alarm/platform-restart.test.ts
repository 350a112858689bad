import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@linewarden/client'
import { isNewMessage, listEvents, listIncidents } from '@linewarden/contract'
import type { Server } from '@linewarden/server/compose'
import { compose } from '@linewarden/server/compose'
import { readConfig } from '@linewarden/server/config'
import { ownDatabase } from '@linewarden/server/test-database'
import type { Fleet, GatewayPlan } from '@linewarden/simulator'
import { startFleet } from '@linewarden/simulator'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { fieldDoor } from '../../../scripts/demo/field-door.ts'
import { seedPlan } from '../../../scripts/demo/seed.ts'
import { peopleChosePasswords } from '../../kit/chosen-passwords.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import { signedIn } from '../../kit/stack.ts'

// The server stops and starts again, on the same database: of three gateways of a project one comes back at once. Time moves only here.
const secondMs = 1_000
let now = Date.now()
let database: Awaited<ReturnType<typeof ownDatabase>>
let dataDir: string
let server: Server
let fleet: Fleet
let gateways: readonly GatewayPlan[]

const start = () =>
  compose(
    readConfig({
      ...{ LINEWARDEN_PORT: '0', LINEWARDEN_MQTT_PORT: '0', LINEWARDEN_LOG: 'error' },
      ...{ LINEWARDEN_DATA: dataDir, DATABASE_URL: database.url },
    }),
    { log: pino({ level: 'error' }, process.stderr), clock: () => now, env: {} },
  )
const connect = async (numbers: readonly string[]) => {
  fleet = startFleet(
    gateways.filter(({ number }) => numbers.includes(number)),
    { ...fieldDoor(server), now: () => now },
  )
  await fleet.ready
  const { plant, ingest } = server
  await vi.waitFor(() =>
    expect(numbers.map((number) => plant.gatewayByNumber.get(number)?.link)).toEqual(numbers.map(() => 'online')),
  )
  await ingest.drained()
}

beforeAll(async () => {
  const [project] = smallPlan
  const [gateway] = project?.gateways ?? []
  if (!project || !gateway) throw new Error('the small plan has a gateway')
  database = await ownDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'linewarden-platform-'))
  server = await start()
  await peopleChosePasswords(server)
  const named = (letter: string) => ({
    ...{ ...gateway, number: `GW-${letter}`, reportingPeriodMs: 10 * secondMs },
    devices: gateway.devices.map((device) => ({ ...device, controllerId: device.controllerId.replace('A-', `${letter}-`) })),
  })
  gateways = await seedPlan(server, [{ ...project, gateways: ['A', 'B', 'C'].map(named) }])
  await connect(['GW-A', 'GW-B', 'GW-C'])
})
afterAll(async () => {
  await fleet?.close()
  await server?.close()
  await database?.drop()
  if (dataDir) await rm(dataDir, { recursive: true, force: true })
})

test('what does not come back with a platform that was restarted is one row and one pop-up, and a fire another', async () => {
  const password = server.accounts.firstPassword ?? expect.fail('the first start has a password')
  const stoppedAt = now
  // As a machine that loses its network and its power: no gateway says that it goes.
  await server.close()
  await fleet.close()
  now += 600 * secondMs
  server = await start()
  const backAt = now
  await connect(['GW-A'])
  const admin: Client = await signedIn(server.url, password, () => now)
  await admin.call(isNewMessage, { query: {} })
  const rows = async () =>
    (await admin.call(listEvents, { body: { Folded: false, Open: true, Sort: 'EventID', Size: 50 } })).items
      .map(({ Key, Incident }) => `${Key} ${Incident?.Children ?? 0}`)
      .toSorted()
  // Silence counts from the return: 29 s after it nothing is known of anybody.
  for (const gateway of server.plant.gateways.values())
    if (gateway.number === 'GW-A') gateway.reportingPeriodMs = 3_600 * secondMs
  now = backAt + 29 * secondMs
  expect(await rows()).toEqual([])
  // Half a minute more, for what commits of a slow machine take is no silence.
  now = backAt + 60 * secondMs
  await vi.waitFor(async () => expect(await rows()).toEqual(['platform.away 2']))
  const smoke = server.plant.deviceByControllerId.get('A-Y1') ?? expect.fail('there is a smoke detector')
  server.ingest.note({
    ...{ act: 'raise', kind: 'alarm', priority: 'critical', key: 'smoke.alarm', label: { zh: '烟雾', en: 'Smoke' }, point: null },
    ...{ value: null, limit: null, unit: '', gateway: smoke.gateway, device: smoke, line: null, at: now, historical: false },
  })
  await server.ingest.drained()
  expect(await rows()).toEqual(['platform.away 2', 'smoke.alarm 0'])
  expect((await admin.call(isNewMessage, { query: {} })).Events.map(({ Key }) => Key).toSorted()).toEqual([
    'platform.away',
    'smoke.alarm',
  ])
  const [incident] = (await admin.call(listIncidents, { body: {} })).items
  expect(incident).toMatchObject({ Kind: 'platform', Present: 2, EndedAt: null, Priority: 'high' })
  expect(incident?.OpenedAt).toBeGreaterThanOrEqual(stoppedAt - 10 * secondMs)
  expect(incident?.OpenedAt).toBeLessThanOrEqual(stoppedAt)
  // All is noticed; two minutes later what is still away stands by itself.
  now = backAt + 90 * secondMs
  await vi.waitFor(async () => expect((await admin.call(listIncidents, { body: { Open: false } })).total).toBe(1))
  now = backAt + 211 * secondMs
  await vi.waitFor(async () => expect(await rows()).toContain('gateway.offline 0'))
  expect((await rows()).filter((row) => row === 'gateway.offline 0')).toHaveLength(2)
})
