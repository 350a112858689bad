import {
  getScene,
  insertScene,
  linkagePermit,
  runLinkage,
  sceneLog,
  switchScene,
  updateLinkage,
  updateScene,
} from '@linewarden/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { linkagesInTurn } from '../../../apps/server/src/store/automation/linkage-among.ts'
import type { LinkageBody, LinkageHouse } from '../../kit/linkage-house.ts'
import { above, at, does, eventually, startLinkageHouse } from '../../kit/linkage-house.ts'
import { outcomeOf } from '../../kit/refused.ts'

// Scenes that a linkage fires: what it may not do they may not do either, and no line is operated by two of them.
let house: LinkageHouse
let alreadyExecuted = 0
beforeAll(async () => {
  house = await startLinkageHouse()
})
afterAll(() => house?.stack.close())
beforeEach(async () => {
  for (const lineNo of [5, 6]) house.line(lineNo).position = 'closed'
  for (const lineNo of [7, 8]) house.line(lineNo).position = 'open'
  // A line that has just opened is not closed for ten seconds.
  await house.currentOf(3, 1)
  await house.reported(15_000)
  alreadyExecuted = house.stack.fleet.executed.length
})

const idOf = (lineNo: number) => house.stack.server.plant.lineAt('A-T1', lineNo)?.id ?? 0
type Item = readonly [lineNo: number, action: 'trip' | 'close']
async function scene(Name: string, items: readonly Item[], IfRefused: 'goOn' | 'stopCloses' = 'goOn') {
  const { SceneID } = await house.stack.client.call(insertScene, {
    body: {
      ...{ HouseID: house.houseOf(), Name, Icon: 'scene', IfRefused, Enabled: true },
      Items: items.map(([LineNo, Action], Order) => ({ ...at(LineNo), Action, Order })),
    },
  })
  return SceneID
}
async function edited(SceneID: number, items: readonly Item[]) {
  const { Name, Icon, IfRefused, Version } = await house.stack.client.call(getScene, { params: { SceneID } })
  return house.stack.client.call(updateScene, {
    body: {
      ...{ SceneID, Version, Name, Icon, IfRefused, Enabled: true },
      Items: items.map(([LineNo, Action], Order) => ({ ...at(LineNo), Action, Order })),
    },
  })
}
const runs = (SceneID: number, DelayS = 0) => ({ Kind: 'scene', SceneID, DelayS }) as const

async function made(Name: string, own: Partial<LinkageBody>): Promise<number> {
  const { LinkageID } = await house.made(Name, { Conditions: [above(3)], ...own })
  await house.turned(LinkageID, 'live')
  await house.reported()
  return LinkageID
}

/** What became of each line of the newest run, once it has ended. */
async function ended(LinkageID: number) {
  let lines: unknown[] = []
  await eventually(async () => {
    await house.stack.server.automation.sceneRuns.sweep()
    const [run] = await house.logOf(LinkageID)
    expect(run?.EndedAt).not.toBeNull()
    lines = (run?.Lines ?? [])
      .map(({ LineNo, Action, State, Refusal }) => [LineNo, Action, State, Refusal?.Key ?? null])
      .toSorted((one, other) => String(one).localeCompare(String(other)))
  })
  return lines
}
/** A run ends once all is ordered; the breakers carry it out a moment later. */
const executed = () => house.stack.fleet.executed.slice(alreadyExecuted).map(({ lineNo, action }) => [lineNo, action])

test('what a linkage may not close is refused in its scene as well', async () => {
  const SceneID = await scene('转供', [[6, 'trip']])
  const LinkageID = await made('只分', { Actions: [runs(SceneID)], MayClose: false })
  // The scene has got closes since the linkage was saved.
  await house.stack.server.database.general
    .insertInto('scene_item')
    .values(
      [7, 8].map((lineNo) => ({ scene_id: SceneID, line_id: idOf(lineNo), action: 'close', turn: lineNo, position: lineNo })),
    )
    .execute()
  await house.currentOf(3, 60)
  expect(await ended(LinkageID)).toEqual([
    [6, 'trip', 'ordered', null],
    [7, 'close', 'refused', 'linkage may not close'],
    [8, 'close', 'refused', 'linkage may not close'],
  ])
  await expect.poll(executed).toEqual([[6, 'trip']])
  const { items } = await house.stack.client.call(sceneLog, { body: {} })
  expect(items.find((run) => run.SourceID === SceneID)?.State).toBe('partly')
  await house.gone(LinkageID)
})

test('a line that is opened by it is closed by no scene of it, and one that several close is closed once', async () => {
  const [first, second] = [
    await scene('一', [[7, 'close']]),
    await scene('二', [
      [7, 'close'],
      [5, 'close'],
    ]),
  ]
  const LinkageID = await made('两场景', {
    Actions: [does('trip', 5), does('close', 7), runs(first), runs(second)],
    MayClose: true,
  })
  await house.currentOf(3, 60)
  expect(await ended(LinkageID)).toEqual([
    [5, 'close', 'skipped', 'cutHere'],
    [5, 'trip', 'ordered', null],
    [7, 'close', 'ordered', null],
    [7, 'close', 'skipped', 'closedHere'],
  ])
  await expect.poll(executed).toEqual([
    [5, 'trip'],
    [7, 'close'],
  ])
  await house.gone(LinkageID)
})

test('a scene that has lost its lines keeps the linkage from nothing', async () => {
  const SceneID = await scene('空', [[6, 'trip']])
  const LinkageID = await made('场景已空', { Actions: [does('trip', 5), runs(SceneID)] })
  await house.stack.server.database.general.deleteFrom('scene_item').where('scene_id', '=', SceneID).execute()
  await house.currentOf(3, 60)
  expect(await ended(LinkageID)).toEqual([[5, 'trip', 'ordered', null]])
  await expect.poll(executed).toEqual([[5, 'trip']])
  await house.gone(LinkageID)
})

test('a scene after a delay is a run of its own too, inside the one that was due', async () => {
  const SceneID = await scene('迟断', [[6, 'trip']])
  const LinkageID = await made('延时场景', { Actions: [runs(SceneID, 60)] })
  await house.currentOf(3, 60)
  house.pass(61_000)
  await house.engine().tick()
  expect(await ended(LinkageID)).toEqual([[6, 'trip', 'ordered', null]])
  await expect.poll(executed).toEqual([[6, 'trip']])
  const { items } = await house.stack.client.call(sceneLog, { body: {} })
  const [outer] = await house.logOf(LinkageID)
  expect(items.find((run) => run.SourceID === SceneID)).toMatchObject({ ParentRunID: outer?.RunID, State: 'done' })
  await house.gone(LinkageID)
})

test('what scenes of linkages close counts among the six closes of an hour; one that stops at a refusal closes nothing more', async () => {
  const SceneID = await scene(
    '备用',
    [
      [7, 'close'],
      [8, 'close'],
    ],
    'stopCloses',
  )
  const LinkageID = await made('投备用', { Actions: [runs(SceneID)], MayClose: true })
  const client = await house.stack.server.database.connect()
  await client.query(
    `with run as (insert into automation_run (run_id, source, source_id, project_id, name, claimed_at, ended_at, state, actor, parent_run_id)
       select id, source, $1, $2, '', $3, $3, 'done', '', parent from (values
         ($4::uuid, 'linkage', null::uuid), ($5::uuid, 'scene', $4::uuid)) as run (id, source, parent)),
     operation as (insert into operation_run (run_id, action, actor, reason, stagger_ms, started_at, ended_at, automation_run_id, outer_run_id)
       select gen_random_uuid(), 'close', '', '', 1000, $3, $3, $5::uuid, $4::uuid from generate_series(1, 6) returning run_id)
     insert into operation_run_line (run_id, position, line_id, command_id, state) select run_id, 0, $6, gen_random_uuid(), 'ordered' from operation`,
    [LinkageID, house.houseOf(), new Date(house.now() - 60_000), crypto.randomUUID(), crypto.randomUUID(), idOf(7)],
  )
  await client.end()
  await house.currentOf(3, 60)
  expect(await ended(LinkageID)).toEqual([
    [7, 'close', 'refused', 'closesPerHour'],
    [8, 'close', 'refused', 'scene stops closing'],
  ])
  expect(executed()).toEqual([])
  expect((await house.stored(LinkageID)).HaltedWhy).toBe('closesPerHour')
  await house.gone(LinkageID)
})

test('a close that comes to a scene is refused while a linkage that orders by itself would do it; in shadow it is watched first', async () => {
  const SceneID = await scene('后加合', [[6, 'trip']])
  const LinkageID = await made('后加合闸', { Actions: [runs(SceneID)], MayClose: true })
  const more = [
    [6, 'trip'],
    [7, 'close'],
  ] as const
  const names = { linkages: { zh: '后加合闸' } }
  const refused = { message: 'scene closes by linkage', problem: { failure: { Detail: names } } }
  await expect(edited(SceneID, more)).rejects.toMatchObject(refused)
  expect((await house.stack.client.call(getScene, { params: { SceneID } })).Items).toHaveLength(1)
  await house.turned(LinkageID, 'shadow')
  await edited(SceneID, more)
  await house.turned(LinkageID, 'live')
  // What it closed before, watched and let, its scene may be saved with, and without.
  await edited(SceneID, [[7, 'close']])
  await edited(SceneID, [[6, 'trip']])
  await house.gone(LinkageID)
})

test('what came into its scene while it might not close is watched once it may', async () => {
  const SceneID = await scene('原不合', [[6, 'trip']])
  const LinkageID = await made('原不许合', { Actions: [runs(SceneID)], MayClose: false })
  await edited(SceneID, [[7, 'close']])
  const { Version } = await house.stored(LinkageID)
  const { HouseID: _, ...form } = house.form('原不许合', { Conditions: [above(3)], Actions: [runs(SceneID)], MayClose: true })
  expect(await house.stack.client.call(updateLinkage, { body: { LinkageID, Version, ...form } })).toMatchObject({
    Mode: 'shadow',
  })
  await house.gone(LinkageID)
})

test('an edit of a scene that would make a loop of linkages is refused, with its path', async () => {
  const SceneID = await scene('成环', [[6, 'trip']])
  const first = await house.made('环甲', { Conditions: [above(3)], Actions: [runs(SceneID)], Mode: 'shadow' })
  const second = await house.made('环乙', { Conditions: [above(8)], Actions: [does('trip', 3)], Mode: 'shadow' })
  const path = { zh: '联动「环甲」 → 线路「A线8」 → 联动「环乙」 → 线路「A线3」 → 联动「环甲」' }
  const refused = { message: 'linkage loop', problem: { failure: { Detail: { path } } } }
  await expect(edited(SceneID, [[8, 'close']])).rejects.toMatchObject(refused)
  await house.gone(second.LinkageID)
  await edited(SceneID, [[8, 'close']])
  await house.gone(first.LinkageID)
})

test('a linkage is not saved by a scene that somebody else changes at that moment', async () => {
  const SceneID = await scene('同时改', [[6, 'trip']])
  const { database } = house.stack.server
  const client = await database.connect()
  const saving = await database.general.transaction().execute(async (trx) => {
    await linkagesInTurn(trx, house.houseOf())
    const outcome = outcomeOf(house.made('同时存', { Conditions: [above(3)], Actions: [runs(SceneID)], MayClose: true }))
    await eventually(async () => {
      const waits = await client.query(`select from pg_locks where locktype = 'advisory' and objid = $1 and not granted`, [
        house.houseOf(),
      ])
      expect(waits.rowCount).toBe(1)
    })
    await client.query('update scene set version = version + 1 where scene_id = $1', [SceneID])
    return { outcome }
  })
  await client.end()
  expect(await saving.outcome).toBe('changed meanwhile')
})

test('where the owner of a linkage is gone its scenes still trip, by the administrator, and close nothing', async () => {
  const SceneID = await scene('无主场景', [
    [6, 'trip'],
    [8, 'close'],
  ])
  const LinkageID = await made('无主', {
    Actions: [runs(SceneID), runs(await scene('无主延时', [[5, 'trip']]), 60)],
    MayClose: true,
  })
  const own = house.stack.server.database.general.updateTable('linkage').set({ owner_id: null, version: 9 })
  await own.where('linkage_id', '=', LinkageID).execute()
  await house.engine().changed(LinkageID)
  expect(await house.stored(LinkageID)).toMatchObject({ Orphan: true })
  await house.reported()
  await house.currentOf(3, 60)
  expect(await ended(LinkageID)).toEqual([
    [6, 'trip', 'ordered', null],
    [8, 'close', 'refused', 'access denied'],
  ])
  const [run] = await house.logOf(LinkageID)
  expect(JSON.stringify(run?.Lines[0]?.Command)).toContain('由项目管理员授权')
  house.pass(61_000)
  await house.engine().tick()
  expect(await ended(LinkageID)).toEqual([[5, 'trip', 'ordered', null]])
  await expect.poll(executed).toEqual([
    [6, 'trip'],
    [5, 'trip'],
  ])
  await house.gone(LinkageID)
})

test('what a person had it do as a trip closes nothing, also not by a scene that is enabled before it is due', async () => {
  const [now, later] = [await scene('停用后合', [[7, 'close']]), await scene('停用后断', [[6, 'trip']])]
  const enabled = async (SceneID: number, Mode: 'enable' | 'disable') => {
    const { Version } = await house.stack.client.call(getScene, { params: { SceneID } })
    await house.stack.client.call(switchScene, { body: { SceneID, RunID: crypto.randomUUID(), Reason: '值班', Mode, Version } })
  }
  const LinkageID = await made('立即只断', { Actions: [does('trip', 5), runs(now, 60), runs(later, 60)], MayClose: true })
  for (const each of [now, later]) await enabled(each, 'disable')
  await house.turned(LinkageID, 'disable')
  await house.currentOf(3, 60)
  await house.turned(LinkageID, 'enable')
  await house.reported()
  const { Items, Version } = await house.stack.client.call(linkagePermit, { params: { LinkageID } })
  expect(Items.map(({ Action }) => Action)).toEqual(['trip'])
  await house.stack.client.call(runLinkage, { body: { LinkageID, Version, RunID: crypto.randomUUID(), Reason: '立即' } })
  for (const each of [now, later]) await enabled(each, 'enable')
  house.pass(61_000)
  await house.engine().tick()
  await eventually(async () => {
    await house.stack.server.automation.sceneRuns.sweep()
    const runsOf = await house.logOf(LinkageID)
    expect(runsOf.map(({ EndedAt }) => EndedAt === null)).toEqual([false, false, false])
    const lines = runsOf.flatMap(({ Lines }) => Lines.map(({ LineNo, State, Refusal }) => [LineNo, State, Refusal?.Key ?? null]))
    expect(new Set(lines)).toEqual(
      new Set([
        [7, 'refused', 'tripsOnly'],
        [6, 'ordered', null],
        [5, 'ordered', null],
      ]),
    )
  })
  expect(executed().some(([, action]) => action === 'close')).toBe(false)
  await house.gone(LinkageID)
})

test('a run that a person confirms for one close makes no other, by a scene that is enabled before it is due', async () => {
  house.line(5).position = 'open'
  await house.reported(15_000)
  const SceneID = await scene('停用合八', [[8, 'close']])
  const enabled = async (Mode: 'enable' | 'disable') => {
    const { Version } = await house.stack.client.call(getScene, { params: { SceneID } })
    await house.stack.client.call(switchScene, { body: { SceneID, RunID: crypto.randomUUID(), Reason: '值班', Mode, Version } })
  }
  const LinkageID = await made('立即合五', { Actions: [does('close', 5, 60), runs(SceneID, 60)], MayClose: true })
  await enabled('disable')
  await house.turned(LinkageID, 'disable')
  await house.currentOf(3, 60)
  await house.turned(LinkageID, 'enable')
  await house.reported()
  const { Items, Version } = await house.stack.client.call(linkagePermit, { params: { LinkageID } })
  expect(Items.map(({ LineNo, Action }) => [LineNo, Action])).toEqual([[5, 'close']])
  await house.stack.client.call(runLinkage, { body: { LinkageID, Version, RunID: crypto.randomUUID(), Reason: '立即' } })
  await enabled('enable')
  for (let s = 0; s < 60; s += 20) await house.reported(20_000)
  await house.reported()
  await house.engine().tick()
  await eventually(async () => {
    await house.stack.server.automation.sceneRuns.sweep()
    const runsOf = await house.logOf(LinkageID)
    expect(runsOf.map(({ EndedAt }) => EndedAt === null)).toEqual([false, false, false])
    const lines = runsOf.flatMap(({ Lines }) => Lines.map(({ LineNo, State, Refusal }) => [LineNo, State, Refusal?.Key ?? null]))
    expect(lines.toSorted()).toEqual([
      [5, 'ordered', null],
      [8, 'refused', 'line position unknown'],
    ])
  })
  await expect.poll(executed).toEqual([[5, 'close']])
  expect(house.line(8).position).toBe('open')
  await house.gone(LinkageID)
})
