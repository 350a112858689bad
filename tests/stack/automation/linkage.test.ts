import { deleteGateway, deleteScene, getLinkage, insertLinkage, insertScene, queryLinkages, sceneLog } from '@linewarden/contract'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LinkageEngine } from '../../../apps/server/src/areas/automation/linkage-engine.ts'
import { purgeExecutions, purgeNear } from '../../../apps/server/src/store/automation/purge.ts'
import { clockOf } from '../../../apps/server/src/store/jobs/due-work.ts'
import type { LinkageBody, LinkageHouse } from '../../kit/linkage-house.ts'
import { above, at, does, eventually, startLinkageHouse } from '../../kit/linkage-house.ts'
import { outcomeOf } from '../../kit/refused.ts'

// Linkages against the whole house: what equipment reports over the wire brings about what simulated breakers do.
let house: LinkageHouse
beforeAll(async () => {
  house = await startLinkageHouse()
})
afterAll(() => house?.stack.close())

test('smoke trips the lines of the room, once, and the log says by what', async () => {
  const states = house.stack.server.plant.lineAt('A-Y1', 0)?.device.family.states ?? []
  const alarm = states.find(({ key }) => key === 'smoke.alarm')?.values.findIndex(({ key }) => key === 'alarm') ?? -1
  const smoke = { Kind: 'state', ...at(0, 'A-Y1'), Key: 'smoke.alarm', Op: '=', Value: alarm, ForS: 0 } as const
  const { LinkageID } = await house.made('烟感断电', { Conditions: [smoke], Actions: [does('trip', 1), does('trip', 2)] })
  await house.reported()
  expect((await house.stack.client.call(getLinkage, { params: { LinkageID } })).State).toBe('false')
  const detector = house.gateway().detector('A-Y1')
  detector.forcedStates.set('smoke.alarm', 'alarm')
  await house.reported()
  await eventually(async () => expect([house.line(1).position, house.line(2).position]).toEqual(['open', 'open']))
  await house.reported()
  await eventually(async () => {
    const [run, ...others] = await house.logOf(LinkageID)
    expect(others).toEqual([])
    expect(run).toMatchObject({ State: 'done', Mode: 'live', Conditions: [{ Kind: 'state', Value: alarm, State: 'true' }] })
    expect(run?.Lines.map(({ Action, State }) => [Action, State])).toEqual([
      ['trip', 'ordered'],
      ['trip', 'ordered'],
    ])
  })
  // What closes after fire is a person's.
  expect(await outcomeOf(house.made('烟后合闸', { Conditions: [smoke], Actions: [does('close', 3)], MayClose: true }))).toBe(
    'linkage may not close',
  )
  detector.forcedStates.delete('smoke.alarm')
  await house.gone(LinkageID)
})

test('what is true when it is enabled does not fire; a rise does, and only after its release again', async () => {
  await house.currentOf(3, 60)
  const { LinkageID } = await house.made('过流断电', { Conditions: [above(3)], Actions: [does('trip', 4)] })
  await house.currentOf(3, 61)
  expect(await house.logOf(LinkageID)).toEqual([])
  await house.currentOf(3, 47)
  await house.currentOf(3, 60)
  expect(await house.logOf(LinkageID)).toEqual([])
  await house.currentOf(3, 40)
  await house.currentOf(3, 60)
  await eventually(() => expect(house.line(4).position).toBe('open'))
  expect(await house.logOf(LinkageID)).toHaveLength(1)
  await house.gone(LinkageID)
})

test('a duration counts by the clock, and a delayed trip is done when it is due', async () => {
  await house.currentOf(3, 1)
  const { LinkageID } = await house.made('延时', { Conditions: [above(3, 50, 100)], Actions: [does('trip', 5, 120)] })
  await house.reported()
  await house.currentOf(3, 60)
  await house.currentOf(3, 60, 20_000)
  expect(await house.logOf(LinkageID)).toEqual([])
  await house.currentOf(3, 60, 81_000)
  expect(await house.logOf(LinkageID)).toMatchObject([{ State: 'done', Lines: [] }])
  await house.engine().tick()
  expect(house.line(5).position).toBe('closed')
  house.pass(121_000)
  await house.engine().tick()
  await eventually(() => expect(house.line(5).position).toBe('open'))
  expect((await house.logOf(LinkageID)).map(({ ParentRunID }) => ParentRunID !== null)).toEqual([true, false])
  await house.gone(LinkageID)
})

test('a new linkage that closes only logs what it would do, until a person lets it order', async () => {
  await house.currentOf(3, 1)
  const own = { Conditions: [above(3)], Actions: [does('close', 5)], MayClose: true }
  expect(await outcomeOf(house.made('未允许', { ...own, MayClose: false }))).toBe('linkage may not close')
  const { LinkageID, Mode } = await house.made('补合', own)
  expect(Mode).toBe('shadow')
  await house.reported()
  await house.currentOf(3, 60)
  expect(await house.logOf(LinkageID)).toMatchObject([
    { State: 'skipped', Why: 'shadow', WouldHave: [{ Kind: 'close', LineNo: 5 }] },
  ])
  // The trip of the linkage before.
  expect(house.line(5).position).toBe('open')
  await house.turned(LinkageID, 'live')
  await house.currentOf(3, 1, 61_000)
  await house.currentOf(3, 60)
  await eventually(() => expect(house.line(5).position).toBe('closed'))
  await house.gone(LinkageID)
})

test('it acts no oftener than it may: then it stops itself, says so, and waits for a person', async () => {
  await house.currentOf(3, 1)
  const { LinkageID } = await house.made('限次', { Conditions: [above(3)], Actions: [does('trip', 6)], MaxPerHour: 1 })
  await house.reported()
  await house.currentOf(3, 60)
  await house.currentOf(3, 1)
  await house.currentOf(3, 60)
  expect((await house.logOf(LinkageID, true)).map(({ Why }) => Why)).toEqual(['cooldown', null])
  await house.currentOf(3, 1, 61_000)
  await house.currentOf(3, 60)
  expect(await house.stack.client.call(getLinkage, { params: { LinkageID } })).toMatchObject({
    Mark: 'halted',
    HaltedWhy: 'maxPerHour',
  })
  await house.stack.server.ingest.drained()
  const faults = () =>
    [...(house.stack.server.plant.lineAt('A-T1', 3)?.alarms.values() ?? [])].filter(({ key }) => key === 'linkage.halted')
  expect(faults()).toMatchObject([{ kind: 'fault', point: String(LinkageID) }])
  expect((await house.turned(LinkageID, 'clear')).Mark).toBe('live')
  await house.stack.server.ingest.drained()
  expect(faults()).toEqual([])
  // Whoever cleared it has looked into it: what it did before within the hour is not counted again.
  await house.currentOf(3, 1)
  await house.currentOf(3, 60)
  await eventually(async () => expect(await house.logOf(LinkageID)).toHaveLength(2))
  await house.currentOf(3, 1, 61_000)
  await house.currentOf(3, 60)
  expect(await house.stored(LinkageID)).toMatchObject({ Mark: 'halted', HaltedWhy: 'maxPerHour' })
  await house.turned(LinkageID, 'disable')
  await house.turned(LinkageID, 'enable')
  await house.currentOf(3, 1)
  await house.currentOf(3, 60)
  await eventually(async () => expect(await house.logOf(LinkageID)).toHaveLength(3))
  await house.gone(LinkageID)
})

test('an alarm that it raises returns when its conditions do', async () => {
  await house.currentOf(3, 1)
  const { LinkageID } = await house.made('报警', { Conditions: [above(3)], Actions: [does('raise', 7)] })
  await house.reported()
  const raised = () => [...(house.stack.server.plant.lineAt('A-T1', 7)?.alarms.values() ?? [])].map(({ key }) => key)
  await house.currentOf(3, 60)
  await house.stack.server.ingest.drained()
  expect(raised()).toContain('linkage.raised')
  await house.currentOf(3, 1)
  await eventually(() => expect(raised()).not.toContain('linkage.raised'))
  await house.gone(LinkageID)
})

test('a loop that closes is refused with its path; everything else that is wrong is named at once', async () => {
  const first = await house.made('甲', { Conditions: [above(3)], Actions: [does('close', 4)], MayClose: true })
  const loop = await house.stack.client
    .call(insertLinkage, { body: house.form('乙', { Conditions: [above(4)], Actions: [does('close', 3)], MayClose: true }) })
    .catch((error: unknown) => error)
  expect(loop).toMatchObject({ message: 'linkage loop' })
  expect(JSON.stringify(loop)).toContain('联动「甲」 → 线路「A线4」 → 联动「乙」 → 线路「A线3」 → 联动「甲」')
  expect(await outcomeOf(house.made('甲', { Conditions: [above(3)], Actions: [does('trip', 5)] }))).toBe('linkage exists')
  const wrong: readonly [Partial<LinkageBody>, string][] = [
    [{ Conditions: [{ ...above(3), Key: 'no.such' }], Actions: [does('trip', 5)] }, 'point unknown'],
    [{ Conditions: [{ ...above(3), ...at(1, 'B-T1') }], Actions: [does('trip', 5)] }, 'line not in project'],
    [{ Conditions: [above(3)], Actions: [{ Kind: 'trip', ...at(0, 'A-Y1'), DelayS: 0 }] }, 'action unknown'],
    [{ Conditions: [], Actions: [], CooldownS: 1, MaxPerHour: 99 }, 'definition wrong'],
    [{ Conditions: [above(3)], Actions: [does('trip', 5), does('close', 5)], MayClose: true }, 'definition wrong'],
  ]
  for (const [own, key] of wrong) expect(await outcomeOf(house.made('错', own)), JSON.stringify(own)).toBe(key)
  await house.gone(first.LinkageID)
})

test('two servers that see one rise store one run, and one that starts goes on where the other was', async () => {
  await house.currentOf(3, 1)
  const { LinkageID } = await house.made('双机', { Conditions: [above(3)], Actions: [does('trip', 8)] })
  await house.reported()
  await house.engine().write()
  const carried: string[] = []
  const { database, plant, hub, ingest } = house.stack.server
  const other = new LinkageEngine(
    {
      ...{ database, plant, hub, ingest, clock: house.now, dueClock: clockOf(house.now), log: pino({ level: 'silent' }) },
      runner: { holder: { server: crypto.randomUUID(), clock: clockOf(house.now) } },
    } as unknown as ConstructorParameters<typeof LinkageEngine>[0],
    (_, run) => void carried.push(run.executionId),
  )
  try {
    await other.tick()
    await house.currentOf(3, 60)
    await other.settled()
    const runs = await house.logOf(LinkageID)
    expect(runs).toHaveLength(1)
    await house.currentOf(3, 1, 61_000)
    await house.currentOf(3, 60)
    await other.settled()
    expect(await house.logOf(LinkageID)).toHaveLength(2)
  } finally {
    await other.close()
  }
  await house.gone(LinkageID)
})

test('a scene is run by a linkage; what a linkage names stays where it is', async () => {
  const scene = await house.stack.client.call(insertScene, {
    body: {
      ...{ HouseID: house.houseOf(), Name: '断电', Icon: 'scene', IfRefused: 'goOn', Enabled: true },
      Items: [{ ...at(6), Action: 'trip', Order: 0 }],
    },
  })
  const { LinkageID } = await house.made('场景联动', {
    Conditions: [above(3)],
    Actions: [{ Kind: 'scene', SceneID: scene.SceneID, DelayS: 0 }],
  })
  const DeviceID = house.stack.server.plant.deviceByControllerId.get('A-T1')?.gateway.id ?? 0
  // Of several kinds at once, each with its names.
  expect(await outcomeOf(house.stack.client.call(deleteGateway, { body: { DeviceID } }))).toBe('timers contain equipment')
  const removal = { SceneID: scene.SceneID, Version: scene.Version }
  expect(await outcomeOf(house.stack.client.call(deleteScene, { body: removal }))).toBe('scene in linkage')
  const found = await house.stack.client.call(queryLinkages, { body: { HouseID: house.houseOf(), Name: '场景' } })
  expect(found.items).toMatchObject([{ LinkageID, Whole: true, Orphan: false, Actions: [{ SceneName: '断电' }] }])
  house.line(6).position = 'closed'
  await house.currentOf(3, 1)
  await house.currentOf(3, 60)
  await eventually(() => expect(house.line(6).position).toBe('open'))
  await house.gone(LinkageID)
  await house.stack.client.call(deleteScene, { body: removal })
})

test('a scene that a linkage fires is a run inside its own: all trips go first, and both logs show it', async () => {
  const { client, server } = house.stack
  await house.currentOf(3, 1)
  for (const lineNo of [5, 6]) house.line(lineNo).position = 'closed'
  house.line(7).position = 'open'
  await house.reported()
  const scene = await client.call(insertScene, {
    body: {
      ...{ HouseID: house.houseOf(), Name: '转供', Icon: 'scene', IfRefused: 'goOn', Enabled: true },
      Items: [
        { ...at(7), Action: 'close', Order: 0 },
        { ...at(6), Action: 'trip', Order: 1 },
      ],
    },
  })
  const { LinkageID } = await house.made('转供联动', {
    Conditions: [above(3)],
    Actions: [does('trip', 5), { Kind: 'scene', SceneID: scene.SceneID, DelayS: 0 }],
    MayClose: true,
  })
  await house.turned(LinkageID, 'live')
  // A line that has just opened is not closed for ten seconds.
  await house.reported(15_000)
  await house.currentOf(3, 60)
  // Time stands still meanwhile: a report that is on its way while it is moved on comes late, and what comes late permits no close.
  await eventually(async () => {
    const [run] = await house.logOf(LinkageID)
    expect([house.line(7).position, JSON.stringify(run?.Lines.map(({ Refusal }) => Refusal))]).toEqual([
      'closed',
      '[null,null,null]',
    ])
  })
  await eventually(async () => {
    await house.reported()
    await server.automation.sceneRuns.sweep()
    const [outer] = await house.logOf(LinkageID)
    const { items } = await client.call(sceneLog, { body: {} })
    const inner = items.find(({ ParentRunID }) => ParentRunID === outer?.RunID)
    expect(inner).toMatchObject({ SourceID: scene.SceneID, State: 'done', FiredBy: { Source: 'linkage', SourceID: LinkageID } })
    expect(outer).toMatchObject({ State: 'done', Lines: [{}, {}, {}] })
  })
  expect([5, 6, 7].map((lineNo) => house.line(lineNo).position)).toEqual(['open', 'open', 'closed'])
  const [outer] = await house.logOf(LinkageID)
  const issued = (lineNo: number) => outer?.Lines.find(({ LineNo }) => LineNo === lineNo)?.Command?.RequestedAt ?? Number.NaN
  expect(issued(7)).toBeGreaterThan(Math.max(issued(5), issued(6)))
  await house.gone(LinkageID)
})

test('a trip whose owner is gone has the authority of the administrator and says so; a close has none', async () => {
  await house.currentOf(3, 1)
  house.line(6).position = 'closed'
  house.line(7).position = 'open'
  await house.reported()
  const { LinkageID } = await house.made('无主', {
    Conditions: [above(3)],
    Actions: [does('trip', 6), does('close', 7)],
    MayClose: true,
  })
  await house.turned(LinkageID, 'live')
  const own = house.stack.server.database.general.updateTable('linkage').set({ owner_id: null, version: 9 })
  await own.where('linkage_id', '=', LinkageID).execute()
  await house.engine().changed(LinkageID)
  expect(await house.stack.client.call(getLinkage, { params: { LinkageID } })).toMatchObject({ Orphan: true })
  await house.reported()
  await house.currentOf(3, 60)
  await eventually(() => expect(house.line(6).position).toBe('open'))
  await eventually(async () => {
    await house.reported()
    const [run] = await house.logOf(LinkageID)
    expect(run?.Lines.map(({ State, Refusal }) => [State, Refusal?.Key ?? null])).toEqual([
      ['ordered', null],
      ['refused', 'access denied'],
    ])
    expect(JSON.stringify(run?.Lines[0]?.Command)).toContain('由项目管理员授权')
  })
  expect(house.line(7).position).toBe('open')
  await house.gone(LinkageID)
})

test('what ended more than 400 days ago is deleted with its lines, but for what stands for an alarm; what nearly fired after 30', async () => {
  const { database } = house.stack.server
  const uuid = () => crypto.randomUUID()
  // True since before it was enabled: so it fires no more, and what it raised is not taken back meanwhile.
  await house.currentOf(3, 60)
  const { LinkageID } = await house.made('旧', { Conditions: [above(3)], Actions: [does('trip', 1)] })
  const lineId = house.stack.server.plant.lineAt('A-T1', 7)?.id ?? 0
  const day = 86_400_000
  const runs = { old: uuid(), child: uuid(), raising: uuid(), young: uuid() }
  const ended = (id: string, days: number, parent: string | null = null) =>
    `insert into automation_run (run_id, source, source_id, project_id, name, claimed_at, ended_at, state, actor, parent_run_id)
     select '${id}', 'linkage', linkage_id, project_id, name, at, at, 'done', '', ${parent === null ? 'null' : `'${parent}'`}
     from linkage, to_timestamp(${(house.now() - days * day) / 1_000}) as at where linkage_id = ${LinkageID};`
  const operationId = uuid()
  const db = await database.connect()
  await db.query(`${ended(runs.old, 401)} ${ended(runs.child, 399, runs.old)} ${ended(runs.raising, 401)} ${ended(runs.young, 399)}
    insert into operation_run (run_id, action, actor, reason, stagger_ms, started_at, ended_at, automation_run_id)
      values ('${operationId}', 'trip', '', '', 1000, now(), now(), '${runs.old}');
    insert into operation_run_line (run_id, position, line_id, command_id, state) values ('${operationId}', 0, ${lineId}, '${uuid()}', 'missed');
    insert into linkage_raised (linkage_id, line_id, run_id, at) values (${LinkageID}, ${lineId}, '${runs.raising}', now());
    insert into linkage_near (linkage_id, project_id, why, slot, at, name, mode, trace)
      select linkage_id, project_id, why, slot, to_timestamp(${house.now() / 1_000}) - slot * interval '1 day', name, 'live', '{}'
      from linkage, (values ('blind', 29), ('blind', 31)) as near (why, slot) where linkage_id = ${LinkageID}`)
  await db.end()
  await purgeExecutions(database, house.now())
  await purgeNear(database, house.now())
  const left = await database.general.selectFrom('automation_run').select('run_id').where('source_id', '=', LinkageID).execute()
  expect(new Set(left.map(({ run_id }) => run_id))).toEqual(new Set([runs.raising, runs.young]))
  expect(
    await database.general.selectFrom('operation_run_line').select('line_id').where('run_id', '=', operationId).execute(),
  ).toEqual([])
  const near = await database.general.selectFrom('linkage_near').select('slot').where('linkage_id', '=', LinkageID).execute()
  expect(near.map(({ slot }) => String(slot))).toEqual(['29'])
  await house.gone(LinkageID)
})
