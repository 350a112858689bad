import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import { deleteGateway, getLinkage, insertLinkage, insertScene, linkageLog, switchLinkage } from '@linewarden/contract'
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
import { above, at, does, eventually, linkagePlan } from '../../kit/linkage-house.ts'
import { signedIn } from '../../kit/stack.ts'

// The server stops and starts again on the same database, and equipment moves meanwhile. Time moves in steps only.
vi.setConfig({ testTimeout: 120_000 })
type Body = Request<typeof insertLinkage>['body']
let ahead = 0
const now = () => Date.now() + ahead
let database: Awaited<ReturnType<typeof ownDatabase>>
let dataDir: string
let server: Server
let fleet: Fleet
let client: Client
let gateways: readonly GatewayPlan[]
let admin: { userName: string; password: string } | null = null
/** What lines report, over restarts of the equipment's own connection. */
const amperes = new Map<number, number>()
const positions = new Map<number, 'open' | 'closed'>(
  [1, 2, 3, 4, 5, 6, 7, 8].map((lineNo) => [lineNo, lineNo >= 6 ? 'open' : 'closed']),
)

const start = async () => {
  const config = readConfig({
    ...{ LINEWARDEN_PORT: '0', LINEWARDEN_MQTT_PORT: '0', LINEWARDEN_LOG: 'error' },
    ...{ LINEWARDEN_DATA: dataDir, DATABASE_URL: database.url },
  })
  server = await compose(config, { log: pino({ level: 'error' }, process.stderr), clock: now, dueClock: now, env: {} })
}
const line = (lineNo: number) => fleet.gatewayOf('A-T1').line('A-T1', lineNo)
async function reported(byMs = 1_000): Promise<void> {
  ahead += byMs
  for (const each of fleet.gateways.values()) await each.report()
  await server.ingest.drained()
  await server.automation.linkageEngine.settled()
}
const connect = async (numbers: readonly string[] = ['GW-A', 'GW-B']) => {
  const own = gateways.filter(({ number }) => numbers.includes(number))
  fleet = startFleet(own, { ...fieldDoor(server), now })
  if (numbers.includes('GW-A'))
    for (const [lineNo, position] of positions) {
      line(lineNo).position = position
      line(lineNo).forced.set('current.a', amperes.get(lineNo) ?? 1)
    }
  await fleet.ready
  await eventually(() =>
    expect(numbers.map((number) => server.plant.gatewayByNumber.get(number)?.link)).toEqual(numbers.map(() => 'online')),
  )
  await server.ingest.drained()
}
/** The server is away for so long; what equipment says until then is there when it is back. */
async function restarted(awayMs: number, moved: () => void, numbers?: readonly string[]): Promise<void> {
  for (const lineNo of positions.keys()) positions.set(lineNo, line(lineNo).position as 'open' | 'closed')
  await fleet.close()
  await server.close()
  ahead += awayMs
  moved()
  await start()
  client = await signedIn(server.url, admin ?? { userName: '', password: '' }, now)
  await server.automation.linkageEngine.tick()
  await connect(numbers)
  await reported()
}

beforeAll(async () => {
  database = await ownDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'linewarden-linkages-'))
  await start()
  admin = server.accounts.firstPassword
  await peopleChosePasswords(server)
  gateways = await seedPlan(server, linkagePlan)
  await connect()
  client = await signedIn(server.url, admin ?? { userName: '', password: '' }, now)
  await reported()
})
afterAll(async () => {
  await fleet?.close()
  await server?.close()
  await database?.drop()
  if (dataDir) await rm(dataDir, { recursive: true, force: true })
})

const made = async (Name: string, own: Partial<Body>) => {
  const HouseID = server.plant.deviceByControllerId.get('A-T1')?.gateway.project.id ?? 0
  const body = {
    ...{ HouseID, Name, Enabled: true, Mode: 'live', Match: 'all', Conditions: [], ActiveHours: [], Actions: [] },
    ...{ CooldownS: 60, MaxPerHour: 20, MaxPerDay: 100, MayClose: false, ...own },
  } as Body
  const { LinkageID, Version, Mode } = await client.call(insertLinkage, { body })
  if (Mode === 'shadow') await client.call(switchLinkage, { body: { LinkageID, Version, Mode: 'live' } })
  return LinkageID
}
const logOf = async (LinkageID: number, Near = false) =>
  (await client.call(linkageLog, { body: { LinkageID, Near, Size: 50 } })).items
const set = async (lineNo: number, ampere: number, byMs = 1_000) => {
  amperes.set(lineNo, ampere)
  line(lineNo).forced.set('current.a', ampere)
  await reported(byMs)
}

test('over a restart: true stays true; what rose meanwhile trips in time and closes nothing, neither at once nor later', async () => {
  const stays = await made('真', { Conditions: [above(1)], Actions: [does('trip', 8)] })
  await reported()
  await set(1, 60)
  await eventually(() => expect(line(8).position).toBe('open'))
  const { SceneID } = await client.call(insertScene, {
    body: {
      ...{ HouseID: server.plant.deviceByControllerId.get('A-T1')?.gateway.project.id ?? 0, Name: '合七', Icon: 'scene' },
      ...{ IfRefused: 'goOn', Enabled: true, Items: [{ ...at(7), Action: 'close', Order: 0 }] },
    },
  })
  const rises = await made('升', {
    ...{ Conditions: [above(2)], MayClose: true },
    Actions: [does('trip', 4), does('close', 6), { Kind: 'scene', SceneID, DelayS: 60 }],
  })
  const later = await made('延', { Conditions: [above(3)], Actions: [does('trip', 5, 60)] })
  await reported()
  await set(3, 60)
  expect(await logOf(later)).toHaveLength(1)
  await restarted(20_000, () => amperes.set(2, 60))
  await eventually(() => expect(line(4).position).toBe('open'))
  expect(await logOf(stays)).toHaveLength(1)
  const [run] = await logOf(rises)
  expect(run?.Lines.map(({ Action, Refusal }) => [Action, Refusal?.Key ?? null])).toEqual([
    ['trip', null],
    ['close', 'unobserved'],
  ])
  // What was to be done later is done by whoever is there by then.
  ahead += 61_000
  await reported()
  await eventually(async () => {
    await server.automation.linkageEngine.tick()
    expect(line(5).position).toBe('open')
    expect((await logOf(rises))[0]).toMatchObject({ ParentRunID: run?.RunID, State: 'refused' })
  })
  expect([line(6).position, line(7).position]).toEqual(['open', 'open'])
})

test('what rose more than a minute ago is logged as too late, and a duration begins anew after a gap', async () => {
  const late = await made('迟', { Conditions: [above(1)], Actions: [does('trip', 1)] })
  await set(1, 1)
  const lasts = await made('时', { Conditions: [above(2, 50, 600)], Actions: [does('trip', 2)] })
  await set(2, 1)
  await set(2, 60)
  await set(2, 60, 60_000)
  await restarted(400_000, () => amperes.set(1, 60))
  const near = (await logOf(late, true)).filter(({ Why }) => Why !== 'blind')
  expect(near.map(({ RunID, Why }) => [RunID, Why])).toEqual([[null, 'late']])
  // 400 s are no time that was observed: the ten minutes begin with the first report.
  for (let minutes = 0; minutes < 9; minutes++) await reported(60_000)
  expect(await logOf(lasts)).toEqual([])
  // Time does not move on while a trip is under way.
  for (let minutes = 0; minutes < 2 && (await logOf(lasts)).length === 0; minutes++) await reported(60_000)
  expect(await logOf(lasts)).toHaveLength(1)
  await eventually(() => expect(line(2).position).toBe('open'))
  expect(line(1).position).toBe('closed')
})

test('a close after a delay is decided by what has been since the firing, also where the equipment was away in between', async () => {
  for (const lineNo of [6, 7]) line(lineNo).position = lineNo === 6 ? 'open' : 'closed'
  await set(5, 1)
  const LinkageID = await made('重启后合', {
    ...{ Conditions: [above(5)], MayClose: true },
    Actions: [does('close', 6, 90), does('close', 7, 90)],
  })
  await reported()
  await set(5, 60)
  const dueAt = ((await logOf(LinkageID))[0]?.At ?? 0) + 90_000
  await restarted(15_000, () => positions.set(7, 'open'))
  while (now() < dueAt) await reported(Math.min(dueAt - now(), 20_000))
  await server.automation.linkageEngine.tick()
  await eventually(async () => {
    const later = (await logOf(LinkageID)).filter(({ ParentRunID, EndedAt }) => ParentRunID !== null && EndedAt !== null)
    const lines = later.flatMap((run) => run.Lines.map(({ LineNo, State, Refusal }) => [LineNo, State, Refusal?.Key ?? null]))
    expect(lines.toSorted()).toEqual([
      [6, 'refused', 'line position unknown'],
      [7, 'refused', 'opened meanwhile'],
    ])
  })
  expect([line(6).position, line(7).position]).toEqual(['open', 'open'])
})

test('a gateway that is gone before the server begins is known to be gone', async () => {
  const away = { Kind: 'link', ...at(1), Key: 'link', Op: '=', Value: 0, ForS: 30 } as const
  const LinkageID = await made('离线', { Conditions: [away], Actions: [does('raise', 1)] })
  await reported()
  const number = gateways[0]?.number ?? ''
  fleet.gateways.get(number)?.close?.()
  await eventually(() => expect(server.plant.gatewayByNumber.get(number)?.link).toBe('offline'))
  await restarted(1_000, () => {}, ['GW-B'])
  for (let look = 0; look < 35; look++) {
    ahead += 1_000
    await server.automation.linkageEngine.tick()
  }
  expect((await client.call(getLinkage, { params: { LinkageID } })).State).toBe('true')
  expect(await logOf(LinkageID)).toHaveLength(1)
})

test('what was removed before the server begins halts a linkage once it is there, and a danger that is left trips still', async () => {
  const smoke = { Kind: 'state', ...at(0, 'A-Y1'), Key: 'smoke.alarm', Op: '=', Value: 1, ForS: 0 } as const
  await fleet.close()
  await connect(['GW-A'])
  await reported()
  const LinkageID = await made('缺一路', { Match: 'any', Conditions: [above(1), smoke], Actions: [does('trip', 3)] })
  await reported()
  const gateway = server.plant.deviceByControllerId.get('B-T1')?.gateway
  const gone = server.plant.lineAt('B-T1', 1)?.id ?? 0
  await client.call(deleteGateway, { body: { DeviceID: gateway?.id ?? 0 } })
  const stored = await server.database.connect()
  await stored.query('update linkage_condition set line_id = $2 where linkage_id = $1 and position = 0', [LinkageID, gone])
  await stored.end()
  await restarted(20_000, () => {}, ['GW-A'])
  await eventually(async () => {
    await reported(6_000)
    await server.automation.linkageEngine.tick()
    const halted = { Mark: 'halted', HaltedWhy: 'broken', State: 'unknown' }
    expect(await client.call(getLinkage, { params: { LinkageID } })).toMatchObject(halted)
    const keys = [...(server.plant.lineAt('A-Y1', 0)?.alarms.values() ?? [])].map(({ key }) => key)
    expect(keys).toContain('linkage.halted')
  })
  await restarted(1_000, () => {}, ['GW-A'])
  positions.set(3, 'closed')
  line(3).position = 'closed'
  await reported()
  fleet.gatewayOf('A-T1').detector('A-Y1').forcedStates.set('smoke.alarm', 'alarm')
  await reported()
  await eventually(() => expect(line(3).position).toBe('open'))
  expect(await logOf(LinkageID)).toHaveLength(1)
})
