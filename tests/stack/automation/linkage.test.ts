import type { Request } from '@linewarden/contract'
import {
  deleteGateway,
  deleteLinkage,
  deleteScene,
  getLinkage,
  insertLinkage,
  insertScene,
  linkageLog,
  queryLinkages,
  switchLinkage,
} from '@linewarden/contract'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { LinkageEngine } from '../../../apps/server/src/areas/automation/linkage-engine.ts'
import { clockOf } from '../../../apps/server/src/store/jobs/due-work.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'

// Linkages against the whole house: what equipment reports over the wire brings about what simulated breakers do.
let stack: Stack
/** Time is moved on in steps: within three periods of a minute nothing is too old. */
const plan = smallPlan.map((project) => ({
  ...project,
  gateways: project.gateways.map((each) => ({ ...each, reportingPeriodMs: 60_000 })),
}))
let ahead = 0
const now = () => Date.now() + ahead
beforeAll(async () => {
  stack = await startStack({ plan, clock: now, fleet: { now } })
  for (const lineNo of [1, 2, 3, 4, 5, 6, 7, 8]) {
    line(lineNo).position = 'closed'
    line(lineNo).forced.set('current.a', 1)
  }
  await reported()
})
afterAll(() => stack?.close())

type Body = Request<typeof insertLinkage>['body']
const gateway = () => stack.fleet.gatewayOf('A-T1')
const line = (lineNo: number) => gateway().line('A-T1', lineNo)
const engine = () => stack.server.automation.linkageEngine
const at = (LineNo: number, ControllerID = 'A-T1') => ({ ControllerID, LineNo })
const above = (LineNo: number, Value = 50, ForS = 0) =>
  ({ Kind: 'point', ...at(LineNo), Key: 'current.a', Op: '>', Value, Release: 5, ForS }) as const
const does = (Kind: 'trip' | 'close' | 'raise', LineNo: number, DelayS = 0) => ({ Kind, ...at(LineNo), DelayS })
const houseOf = () => stack.server.plant.deviceByControllerId.get('A-T1')?.gateway.project.id ?? 0
const form = (Name: string, own: Partial<Body>): Body => ({
  ...{ HouseID: houseOf(), Name, Enabled: true, Mode: 'live', Match: 'all', Conditions: [], ActiveHours: [], Actions: [] },
  ...{ CooldownS: 60, MaxPerHour: 6, MaxPerDay: 24, MayClose: false, ...own },
})
const made = (Name: string, own: Partial<Body>) => stack.client.call(insertLinkage, { body: form(Name, own) })

/** What equipment says comes in, and whatever fires by it is stored. */
async function reported(byMs = 1_000): Promise<void> {
  ahead += byMs
  for (const each of stack.fleet.gateways.values()) await each.report()
  await stack.server.ingest.drained()
  await engine().settled()
}
async function currentOf(lineNo: number, ampere: number, byMs = 1_000): Promise<void> {
  line(lineNo).forced.set('current.a', ampere)
  await reported(byMs)
}
const logOf = async (LinkageID: number, Near = false) =>
  (await stack.client.call(linkageLog, { body: { LinkageID, Near, Size: 50 } })).items
const eventually = (fact: () => Promise<void> | void) => vi.waitFor(fact, { timeout: 30_000, interval: 100 })
const gone = async (LinkageID: number) => {
  const { Version } = await stack.client.call(getLinkage, { params: { LinkageID } })
  await stack.client.call(deleteLinkage, { body: { LinkageID, Version } })
}
const turned = async (LinkageID: number, Mode: Request<typeof switchLinkage>['body']['Mode']) => {
  const { Version } = await stack.client.call(getLinkage, { params: { LinkageID } })
  return stack.client.call(switchLinkage, { body: { LinkageID, Version, Mode } })
}

test('smoke trips the lines of the room, once, and the log says by what', async () => {
  const states = stack.server.plant.lineAt('A-Y1', 0)?.device.family.states ?? []
  const alarm = states.find(({ key }) => key === 'smoke.alarm')?.values.findIndex(({ key }) => key === 'alarm') ?? -1
  const smoke = { Kind: 'state', ...at(0, 'A-Y1'), Key: 'smoke.alarm', Op: '=', Value: alarm, ForS: 0 } as const
  const { LinkageID } = await made('烟感断电', { Conditions: [smoke], Actions: [does('trip', 1), does('trip', 2)] })
  await reported()
  expect((await stack.client.call(getLinkage, { params: { LinkageID } })).State).toBe('false')
  const detector = gateway().detector('A-Y1')
  detector.forcedStates.set('smoke.alarm', 'alarm')
  await reported()
  await eventually(async () => expect([line(1).position, line(2).position]).toEqual(['open', 'open']))
  await reported()
  await eventually(async () => {
    const [run, ...others] = await logOf(LinkageID)
    expect(others).toEqual([])
    expect(run).toMatchObject({ State: 'done', Mode: 'live', Conditions: [{ Kind: 'state', Value: alarm, State: 'true' }] })
    expect(run?.Lines.map(({ Action, State }) => [Action, State])).toEqual([
      ['trip', 'ordered'],
      ['trip', 'ordered'],
    ])
  })
  // What closes after fire is a person's.
  expect(await outcomeOf(made('烟后合闸', { Conditions: [smoke], Actions: [does('close', 3)], MayClose: true }))).toBe(
    'linkage may not close',
  )
  detector.forcedStates.delete('smoke.alarm')
  await gone(LinkageID)
})

test('what is true when it is enabled does not fire; a rise does, and only after its release again', async () => {
  await currentOf(3, 60)
  const { LinkageID } = await made('过流断电', { Conditions: [above(3)], Actions: [does('trip', 4)] })
  await currentOf(3, 61)
  expect(await logOf(LinkageID)).toEqual([])
  await currentOf(3, 47)
  await currentOf(3, 60)
  expect(await logOf(LinkageID)).toEqual([])
  await currentOf(3, 40)
  await currentOf(3, 60)
  await eventually(() => expect(line(4).position).toBe('open'))
  expect(await logOf(LinkageID)).toHaveLength(1)
  await gone(LinkageID)
})

test('a duration counts by the clock, and a delayed trip is done when it is due', async () => {
  await currentOf(3, 1)
  const { LinkageID } = await made('延时', { Conditions: [above(3, 50, 100)], Actions: [does('trip', 5, 120)] })
  await reported()
  await currentOf(3, 60)
  await currentOf(3, 60, 20_000)
  expect(await logOf(LinkageID)).toEqual([])
  await currentOf(3, 60, 81_000)
  expect(await logOf(LinkageID)).toMatchObject([{ State: 'done', Lines: [] }])
  await engine().tick()
  expect(line(5).position).toBe('closed')
  ahead += 121_000
  await engine().tick()
  await eventually(() => expect(line(5).position).toBe('open'))
  expect((await logOf(LinkageID)).map(({ ParentRunID }) => ParentRunID !== null)).toEqual([true, false])
  await gone(LinkageID)
})

test('a new linkage that closes only logs what it would do, until a person lets it order', async () => {
  await currentOf(3, 1)
  const own = { Conditions: [above(3)], Actions: [does('close', 5)], MayClose: true }
  expect(await outcomeOf(made('未允许', { ...own, MayClose: false }))).toBe('linkage may not close')
  const { LinkageID, Mode } = await made('补合', own)
  expect(Mode).toBe('shadow')
  await reported()
  await currentOf(3, 60)
  expect(await logOf(LinkageID)).toMatchObject([{ State: 'skipped', Why: 'shadow', WouldHave: [{ Kind: 'close', LineNo: 5 }] }])
  // The trip of the linkage before.
  expect(line(5).position).toBe('open')
  await turned(LinkageID, 'live')
  await currentOf(3, 1, 61_000)
  await currentOf(3, 60)
  await eventually(() => expect(line(5).position).toBe('closed'))
  await gone(LinkageID)
})

test('it acts no oftener than it may: then it stops itself, says so, and waits for a person', async () => {
  await currentOf(3, 1)
  const { LinkageID } = await made('限次', { Conditions: [above(3)], Actions: [does('trip', 6)], MaxPerHour: 1 })
  await reported()
  await currentOf(3, 60)
  await currentOf(3, 1)
  await currentOf(3, 60)
  expect((await logOf(LinkageID, true)).map(({ Why }) => Why)).toEqual(['cooldown', null])
  await currentOf(3, 1, 61_000)
  await currentOf(3, 60)
  expect(await stack.client.call(getLinkage, { params: { LinkageID } })).toMatchObject({
    Mark: 'halted',
    HaltedWhy: 'maxPerHour',
  })
  await stack.server.ingest.drained()
  const faults = () =>
    [...(stack.server.plant.lineAt('A-T1', 3)?.alarms.values() ?? [])].filter(({ key }) => key === 'linkage.halted')
  expect(faults()).toMatchObject([{ kind: 'fault', point: String(LinkageID) }])
  expect((await turned(LinkageID, 'clear')).Mark).toBe('live')
  await stack.server.ingest.drained()
  expect(faults()).toEqual([])
  await gone(LinkageID)
})

test('an alarm that it raises returns when its conditions do', async () => {
  await currentOf(3, 1)
  const { LinkageID } = await made('报警', { Conditions: [above(3)], Actions: [does('raise', 7)] })
  await reported()
  const raised = () => [...(stack.server.plant.lineAt('A-T1', 7)?.alarms.values() ?? [])].map(({ key }) => key)
  await currentOf(3, 60)
  await stack.server.ingest.drained()
  expect(raised()).toContain('linkage.raised')
  await currentOf(3, 1)
  await eventually(() => expect(raised()).not.toContain('linkage.raised'))
  await gone(LinkageID)
})

test('a loop that closes is refused with its path; everything else that is wrong is named at once', async () => {
  const first = await made('甲', { Conditions: [above(3)], Actions: [does('close', 4)], MayClose: true })
  const loop = await stack.client
    .call(insertLinkage, { body: form('乙', { Conditions: [above(4)], Actions: [does('close', 3)], MayClose: true }) })
    .catch((error: unknown) => error)
  expect(loop).toMatchObject({ message: 'linkage loop' })
  expect(JSON.stringify(loop)).toContain('联动「甲」 → 线路「A线4」 → 联动「乙」 → 线路「A线3」 → 联动「甲」')
  expect(await outcomeOf(made('甲', { Conditions: [above(3)], Actions: [does('trip', 5)] }))).toBe('linkage exists')
  const wrong: readonly [Partial<Body>, string][] = [
    [{ Conditions: [{ ...above(3), Key: 'no.such' }], Actions: [does('trip', 5)] }, 'point unknown'],
    [{ Conditions: [{ ...above(3), ...at(1, 'B-T1') }], Actions: [does('trip', 5)] }, 'line not in project'],
    [{ Conditions: [above(3)], Actions: [{ Kind: 'trip', ...at(0, 'A-Y1'), DelayS: 0 }] }, 'action unknown'],
    [{ Conditions: [], Actions: [], CooldownS: 1, MaxPerHour: 99 }, 'definition wrong'],
    [{ Conditions: [above(3)], Actions: [does('trip', 5), does('close', 5)], MayClose: true }, 'definition wrong'],
  ]
  for (const [own, key] of wrong) expect(await outcomeOf(made('错', own)), JSON.stringify(own)).toBe(key)
  await gone(first.LinkageID)
})

test('two servers that see one rise store one run, and one that starts goes on where the other was', async () => {
  await currentOf(3, 1)
  const { LinkageID } = await made('双机', { Conditions: [above(3)], Actions: [does('trip', 8)] })
  await reported()
  await engine().write()
  const carried: string[] = []
  const { database, plant, hub, ingest } = stack.server
  const other = new LinkageEngine(
    {
      ...{ database, plant, hub, ingest, clock: now, dueClock: clockOf(now), log: pino({ level: 'silent' }) },
      runner: { holder: { server: crypto.randomUUID(), clock: clockOf(now) } },
    } as unknown as ConstructorParameters<typeof LinkageEngine>[0],
    (_, run) => void carried.push(run.executionId),
  )
  try {
    await other.tick()
    await currentOf(3, 60)
    await other.settled()
    const runs = await logOf(LinkageID)
    expect(runs).toHaveLength(1)
    await currentOf(3, 1, 61_000)
    await currentOf(3, 60)
    await other.settled()
    expect(await logOf(LinkageID)).toHaveLength(2)
  } finally {
    await other.close()
  }
  await gone(LinkageID)
})

test('a scene is run by a linkage; what a linkage names stays where it is', async () => {
  const scene = await stack.client.call(insertScene, {
    body: {
      ...{ HouseID: houseOf(), Name: '断电', Icon: 'scene', IfRefused: 'goOn', Enabled: true },
      Items: [{ ...at(6), Action: 'trip', Order: 0 }],
    },
  })
  const { LinkageID } = await made('场景联动', {
    Conditions: [above(3)],
    Actions: [{ Kind: 'scene', SceneID: scene.SceneID, DelayS: 0 }],
  })
  const DeviceID = stack.server.plant.deviceByControllerId.get('A-T1')?.gateway.id ?? 0
  // Of several kinds at once, each with its names.
  expect(await outcomeOf(stack.client.call(deleteGateway, { body: { DeviceID } }))).toBe('timers contain equipment')
  const removal = { SceneID: scene.SceneID, Version: scene.Version }
  expect(await outcomeOf(stack.client.call(deleteScene, { body: removal }))).toBe('scene in linkage')
  const found = await stack.client.call(queryLinkages, { body: { HouseID: houseOf(), Name: '场景' } })
  expect(found.items).toMatchObject([{ LinkageID, Whole: true, Orphan: false, Actions: [{ SceneName: '断电' }] }])
  line(6).position = 'closed'
  await currentOf(3, 1)
  await currentOf(3, 60)
  await eventually(() => expect(line(6).position).toBe('open'))
  await gone(LinkageID)
  await stack.client.call(deleteScene, { body: removal })
})

test('a trip whose owner is gone has the authority of the administrator and says so; a close has none', async () => {
  await currentOf(3, 1)
  line(6).position = 'closed'
  line(7).position = 'open'
  await reported()
  const { LinkageID } = await made('无主', {
    Conditions: [above(3)],
    Actions: [does('trip', 6), does('close', 7)],
    MayClose: true,
  })
  await turned(LinkageID, 'live')
  const own = stack.server.database.general.updateTable('linkage').set({ owner_id: null, version: 9 })
  await own.where('linkage_id', '=', LinkageID).execute()
  await engine().changed(LinkageID)
  expect(await stack.client.call(getLinkage, { params: { LinkageID } })).toMatchObject({ Orphan: true })
  await reported()
  await currentOf(3, 60)
  await eventually(() => expect(line(6).position).toBe('open'))
  await eventually(async () => {
    await reported()
    const [run] = await logOf(LinkageID)
    expect(run?.Lines.map(({ State, Refusal }) => [State, Refusal?.Key ?? null])).toEqual([
      ['ordered', null],
      ['refused', 'access denied'],
    ])
    expect(JSON.stringify(run?.Lines[0]?.Command)).toContain('由项目管理员授权')
  })
  expect(line(7).position).toBe('open')
  await gone(LinkageID)
})
