import type { Client } from '@linewarden/client'
import { md5Hex } from '@linewarden/client'
import type { Request, Scene } from '@linewarden/contract'
import {
  aboutNothing,
  deleteGateway,
  deleteScene,
  getScene,
  grantControl,
  insertScene,
  listJournal,
  operateLine,
  queryScenes,
  querySwitch,
  sceneLog,
  sceneOperation,
  scenePermit,
  sceneRunOperation,
  stopAutomationRun,
  stopScene,
  switchScene,
  transferGateways,
  transferProject,
  updateScene,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { authorise } from '../../../apps/server/src/store/control/command.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'
import { verified } from '../../kit/verified.ts'

// Scenes against the whole house: a real database, a real broker, and simulated breakers that say where they stand.
let stack: Stack
let ahead = 0
beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => Date.now() + ahead, fleet: { now: () => Date.now() + ahead } })
  calm(stack)
})
afterAll(() => stack?.close())

type Items = Request<typeof insertScene>['body']['Items']
const id = () => crypto.randomUUID()
const at = (LineNo: number, ControllerID = 'A-T1') => ({ ControllerID, LineNo })
const trip = (LineNo: number, Order = 0) => ({ ...at(LineNo), Action: 'trip' as const, Order })
const close = (LineNo: number, Order = 0) => ({ ...at(LineNo), Action: 'close' as const, Order })
const houseOf = (letter: string) =>
  [...stack.server.plant.projects.values()].find(({ name }) => name === `项目${letter}`)?.id ?? 0
const form = (Name: string, Items: Items, IfRefused: 'goOn' | 'stopCloses' = 'goOn') =>
  ({ HouseID: houseOf('A'), Name, Icon: 'scene', Items, IfRefused, Enabled: true }) as const
const made = (Name: string, Items: Items, IfRefused: 'goOn' | 'stopCloses' = 'goOn', client: Client = stack.client) =>
  client.call(insertScene, { body: form(Name, Items, IfRefused) })
const line = (lineNo: number) => stack.fleet.gatewayOf('A-T1').line('A-T1', lineNo)
const positions = (...numbers: number[]) => numbers.map((each) => line(each).position)
const executed = () =>
  stack.fleet.executed.filter(({ outcome }) => outcome === 'executed').map(({ action, lineNo }) => `${action} ${lineNo}`)

async function later(byMs = 11_000): Promise<void> {
  ahead += byMs
  for (const each of stack.fleet.gateways.values()) await each.report()
  await stack.server.ingest.drained()
}

async function entryOf(RunID: string) {
  const { items } = await stack.client.call(sceneLog, { body: { RunID } })
  const [entry] = items
  if (!entry) throw new Error(`no run ${RunID}`)
  return entry
}
const ended = (RunID: string) =>
  vi.waitFor(async () => {
    const entry = await entryOf(RunID)
    expect(entry.EndedAt).not.toBeNull()
    return entry
  })
async function run(
  scene: Scene,
  client: Client = stack.client,
  more: { Confirmed?: number; Grant?: string } = {},
  RunID: string = id(),
) {
  await client.call(switchScene, { body: { SceneID: scene.SceneID, RunID, Reason: '换型完成', Version: scene.Version, ...more } })
  return RunID
}
/**
 * A run whose closes wait behind a trip that the gateway does not carry out until it is released. Its lines to be closed are open, all others
 * as they were.
 */
async function waitingRun(name: string, lineNos: readonly number[]) {
  await later()
  for (const each of lineNos)
    if (line(each).position === 'closed') await ended(await run(await made(`${name}断${each}`, [trip(each)])))
  await later()
  if (line(8).position === 'open') await ended(await run(await made(`${name}合`, [close(8)])))
  await later()
  const { behaviour } = stack.fleet.gatewayOf('A-T1')
  Object.assign(behaviour, { acknowledge: false, move: false })
  const scene = await made(name, [trip(8), ...lineNos.map((each, index) => close(each, index))])
  const RunID = await run(scene)
  return {
    scene,
    RunID,
    /** The gateway carries out orders again. What it did not take is ordered by hand: the line's report proves both. */
    release: async () => {
      Object.assign(behaviour, { acknowledge: true, move: true })
      await stack.client.call(operateLine, { params: { ...at(8), attr: 'trip' }, body: { CommandID: id(), Reason: 'x' } })
    },
  }
}
/** What became of each line, in the order of the run. */
const outcomes = (entry: Awaited<ReturnType<typeof entryOf>>) =>
  entry.Lines.map(
    ({ Action, LineNo, State, Command, Refusal }) => `${Action} ${LineNo} ${Command?.State ?? Refusal?.Key ?? State}`,
  )

test('a scene trips first, then closes in its order, and each outcome is what the breaker reported', async () => {
  await later()
  await stack.client.call(operateLine, { params: { ...at(2), attr: 'trip' }, body: { CommandID: id(), Reason: 'x' } })
  await stack.client.call(operateLine, { params: { ...at(3), attr: 'trip' }, body: { CommandID: id(), Reason: 'x' } })
  for (const each of [2, 3]) await verified(stack.client, at(each))
  await later()
  const scene = await made('换型', [close(3, 1), close(2, 2), trip(1), close(4, 3)])
  expect(scene).toMatchObject({ Total: 4, InForce: 1, Mismatched: 3, Unknown: 0, Whole: true, Orphan: false, OwnerName: 'admin' })
  expect(scene.Items.map(({ LineNo, Match }) => `${LineNo} ${Match}`)).toEqual([
    '1 mismatch',
    '3 mismatch',
    '2 mismatch',
    '4 inForce',
  ])
  const before = executed().length
  const entry = await ended(await run(scene))
  expect(executed().slice(before)).toEqual(['trip 1', 'close 3', 'close 2'])
  expect(outcomes(entry)).toEqual(['trip 1 verified', 'close 3 verified', 'close 2 verified', 'close 4 scene already so'])
  expect(entry).toMatchObject({
    State: 'done',
    Actor: 'admin',
    Reason: '换型完成',
    Counts: { Total: 4, Verified: 3, Already: 1, Refused: 0 },
  })
  expect(entry.Lines.every(({ Command }) => Command === null || Command.Source === 'scene')).toBe(true)
  await later()
  expect(await stack.client.call(getScene, { params: { SceneID: scene.SceneID } })).toMatchObject({
    InForce: 4,
    Mismatched: 0,
    LastRun: { State: 'done' },
  })
})

test('the same run never operates twice, and its id belongs to whoever made it', async () => {
  await later()
  const scene = await made('一次', [trip(5)])
  const RunID = id()
  const body = { SceneID: scene.SceneID, RunID, Reason: 'x', Version: scene.Version }
  await Promise.all([stack.client.call(switchScene, { body }), stack.client.call(switchScene, { body })])
  await ended(RunID)
  await stack.client.call(switchScene, { body })
  expect(executed().filter((each) => each === 'trip 5')).toHaveLength(1)
  const other = await made('一次二', [trip(6)])
  expect(await outcomeOf(stack.client.call(switchScene, { body: { ...body, SceneID: other.SceneID } }))).toBe('scene run id used')
  // A trip is always sent, also where the line is reported open.
  await ended(await run(scene))
  expect(executed().filter((each) => each === 'trip 5')).toHaveLength(2)
})

test('a close that is refused stops the closes after it where the scene says so, and else does not', async () => {
  await later()
  for (const each of [5, 6, 7])
    if (line(each).position === 'closed') await ended(await run(await made(`断${each}`, [trip(each)])))
  await later()
  line(5).tripCause = 'leakage'
  stack.server.plant.lineAt('A-T1', 5)?.states.set('trip.cause', 'leakage')
  const unexplained = stack.server.plant.lineAt('A-T1', 5)
  if (unexplained) unexplained.lockoutCause = 'leakage'
  const strict = await made('严格', [close(5, 1), close(6, 2)], 'stopCloses')
  const entry = await ended(await run(strict))
  expect(outcomes(entry)).toEqual(['close 5 close not permitted', 'close 6 scene stops closing'])
  // With the words of the permit: nobody stands before the answer of one line.
  expect(entry.Lines[0]?.Refusal?.Text).toMatchObject({
    zh: expect.stringMatching(/^当前不允许合闸：.*尚未登记原因/),
    en: expect.stringMatching(/^Closing is not permitted now: .*no cause recorded/),
  })
  expect(entry.State).toBe('refused')
  expect(positions(5, 6)).toEqual(['open', 'open'])
  await later()
  const mild = await made('其余继续', [close(5, 1), close(6, 2)])
  const goesOn = await ended(await run(mild))
  expect(outcomes(goesOn)).toEqual(['close 5 close not permitted', 'close 6 verified'])
  expect(goesOn.State).toBe('partly')
  if (unexplained) unexplained.lockoutCause = null
  line(5).tripCause = 'none'
})

test('while a scene runs nobody closes a line of it by hand; a trip always goes, and that line is not closed behind it', async () => {
  const { scene, RunID, release } = await waitingRun('复工', [2, 3, 4])
  expect(
    await outcomeOf(
      stack.client.call(operateLine, { params: { ...at(4), attr: 'close' }, body: { CommandID: id(), Reason: 'x' } }),
    ),
  ).toBe('scene contain this line')
  const containing = await stack.client.call(querySwitch, { query: at(4) })
  expect(containing.items.find(({ Name }) => Name === '复工')).toMatchObject({ Kind: 'scene', Blocks: true, NextAction: 'close' })
  expect(await outcomeOf(run(scene))).toBe('scene running')
  await stack.client.call(operateLine, { params: { ...at(4), attr: 'trip' }, body: { CommandID: id(), Reason: '有人' } })
  await release()
  const entry = await ended(RunID)
  expect(outcomes(entry).slice(0, 3)).toEqual(['trip 8 verified', 'close 2 verified', 'close 3 verified'])
  // Right after its trip the gap between two operations stands against it as well, and that is looked at first.
  expect(outcomes(entry)[3]).toMatch(/^close 4 (scene tripped meanwhile|close not permitted)$/)
  expect(positions(4)).toEqual(['open'])
})

test('a close of a run leaves in no transaction that finds a trip of its line since the run began', async () => {
  await later()
  const lineId = stack.server.plant.lineAt('A-T1', 4)?.id ?? 0
  const account = await stack.server.database.general.selectFrom('account').select('account_id').executeTakeFirstOrThrow()
  const issuedAt = Date.now() + ahead
  const order = {
    ...{ commandId: id(), lineId, action: 'close' as const, accountId: account.account_id, actor: 'admin', source: 'scene' },
    ...{ reason: 'x', issuedAt, deadline: issuedAt + 5_000, operationId: null },
  }
  const audit = {
    at: issuedAt,
    actor: 'admin',
    address: '',
    action: 'line.close',
    subject: aboutNothing,
    outcome: 'authorised',
  } as const
  const began = issuedAt - 120_000
  expect(await authorise(stack.server.database, { ...order, notTrippedSince: began }, audit)).toEqual({ is: 'tripped' })
  expect(executed().filter((each) => each === 'close 4')).toEqual([])
})

test.each([
  ['as a scene', '停下', (RunID: string) => stack.client.call(stopScene, { body: { RunID } })],
  ['as a run of automation', '停止', (RunID: string) => stack.client.call(stopAutomationRun, { params: { RunID } })],
])('whoever stops a run %s has its other lines left alone; the trip that is on its way goes on', async (_, name, stop) => {
  const { RunID, release } = await waitingRun(name, [2, 3, 4])
  const closes = () => executed().filter((each) => each.startsWith('close'))
  const before = closes()
  await stop(RunID)
  await release()
  const entry = await ended(RunID)
  expect(entry).toMatchObject({ State: 'stopped', StoppedBy: 'admin' })
  expect(outcomes(entry)).toEqual(['trip 8 verified', 'close 2 stopped', 'close 3 stopped', 'close 4 stopped'])
  expect(await outcomeOf(stop(RunID))).toBe('scene run over')
  await later()
  expect(closes()).toEqual(before)
  expect(positions(2, 3, 4)).toEqual(['open', 'open', 'open'])
})

test('bad input is refused with everything that is wrong, in both languages', async () => {
  const refusal = async (items: Items, name = 'x') =>
    stack.client.call(insertScene, { body: form(name, items) }).then(
      () => null,
      (error: { key?: string; text?: { zh: string; en: string } }) => error,
    )
  expect(await outcomeOf(made('', []))).toBe('scene wrong')
  expect(await outcomeOf(made('双', [close(1), trip(1)]))).toBe('scene wrong')
  expect(await outcomeOf(made('外', [{ ...at(1, 'B-T1'), Action: 'close', Order: 0 }]))).toBe('scene wrong')
  expect(await outcomeOf(made('无', [{ ...at(99), Action: 'close', Order: 0 }]))).toBe('scene wrong')
  expect(await outcomeOf(made('烟', [{ ...at(0, 'A-Y1'), Action: 'close', Order: 0 }]))).toBe('scene wrong')
  expect(await refusal([])).not.toBeNull()
  await made('同名', [trip(8)])
  expect(await outcomeOf(made('同名', [trip(8)]))).toBe('scene exists')
})

test('equipment that a scene contains is not taken away, nor handed over; every scene is named', async () => {
  const gateway = stack.server.plant.deviceByControllerId.get('A-T1')?.gateway
  const scenes = (await stack.client.call(queryScenes, { body: { HouseID: houseOf('A') } })).items
  expect(scenes.length).toBeGreaterThan(0)
  expect(await outcomeOf(stack.client.call(deleteGateway, { body: { DeviceID: gateway?.id ?? 0 } }))).toBe(
    'scenes contain equipment',
  )
  expect(
    await outcomeOf(stack.client.call(transferGateways, { body: { DeviceIDs: [gateway?.id ?? 0], HouseID: houseOf('B') } })),
  ).toBe('scenes contain equipment')
  expect(gateway?.project.id).toBe(houseOf('A'))
  const owner = { userName: 'owner1', password: 'Duty-7391' }
  await stack.server.accounts.createAccount({ ...owner, kind: 'project' })
  expect(
    await outcomeOf(stack.client.call(transferProject, { body: { HouseID: houseOf('A'), UserName: 'owner1', Version: 1 } })),
  ).toMatch(/scenes contain equipment|changed meanwhile/)
})

test('a changed scene is not run as it was, and whoever saved it last owns it', async () => {
  await later()
  const scene = await made('改动', [trip(8)])
  const changed = await stack.client.call(updateScene, {
    body: { ...withoutHouse(form('改动后', [close(8)])), SceneID: scene.SceneID, Version: scene.Version },
  })
  expect(changed).toMatchObject({ Name: '改动后', Version: scene.Version + 1 })
  expect(await outcomeOf(run(scene))).toBe('changed meanwhile')
  const off = { SceneID: scene.SceneID, RunID: id(), Reason: 'x', Mode: 'disable' as const, Version: changed.Version }
  expect(await stack.client.call(switchScene, { body: off })).toEqual({ SceneID: scene.SceneID, RunID: null })
  const disabled = await stack.client.call(getScene, { params: { SceneID: scene.SceneID } })
  expect(disabled.Enabled).toBe(false)
  expect(await outcomeOf(run(disabled))).toBe('scene disabled')
  await stack.client.call(deleteScene, { body: { SceneID: scene.SceneID, Version: disabled.Version } })
  expect(await outcomeOf(stack.client.call(getScene, { params: { SceneID: scene.SceneID } }))).toBe('scene not exists')
  const { items } = await stack.client.call(listJournal, { body: { Page: 1, Size: 100 } })
  expect(items.filter(({ Target }) => Target.includes('改动')).map(({ Action }) => Action)).toEqual(
    expect.arrayContaining(['scene.delete', 'scene.disable', 'scene.edit', 'scene.add']),
  )
})

test('the control password is asked once, for what is saved and for what is run', async () => {
  await later()
  const who = { userName: 'careful', password: 'Duty-7391' }
  await stack.server.accounts.createAccount({ ...who, kind: 'platform', controlPassword: 'Ctrl-2580' })
  const client = await signedIn(stack.url, who)
  const grant = async (Operation: string) =>
    (await client.call(grantControl, { body: { Password: md5Hex('Ctrl-2580'), Operation } })).Grant
  const body = form('密码', [trip(8)])
  expect(await outcomeOf(client.call(insertScene, { body }))).toBe('control grant missing')
  const other = await grant(sceneOperation({ SceneID: null, ...body, Items: [close(8)] }))
  expect(await outcomeOf(client.call(insertScene, { body: { ...body, Grant: other } }))).toBe('control grant over')
  const scene = await client.call(insertScene, {
    body: { ...body, Grant: await grant(sceneOperation({ SceneID: null, ...body })) },
  })
  expect(await outcomeOf(run(scene, client))).toBe('control grant missing')
  const RunID = id()
  // What was proved of the scene as it was is no proof for what it has become since.
  const { HouseID: _, ...same } = body
  const saved = await stack.client.call(updateScene, {
    body: { ...same, Items: [close(8)], SceneID: scene.SceneID, Version: scene.Version },
  })
  const earlier = await grant(sceneRunOperation(RunID, { ...saved, Version: scene.Version }, saved.Items))
  expect(await outcomeOf(run(saved, client, { Grant: earlier }, RunID))).toBe('control grant over')
  await run(saved, client, { Grant: await grant(sceneRunOperation(RunID, saved, saved.Items)) }, RunID)
  expect((await ended(RunID)).State).toBe('done')
})

test('what a scene moves is said before, and many lines are confirmed by their number', async () => {
  await later()
  const scene = await made(
    '全停',
    [1, 2, 3, 4, 5, 6].map((each) => trip(each)),
  )
  const permit = await stack.client.call(scenePermit, { params: { SceneID: scene.SceneID } })
  expect(permit).toMatchObject({ Trips: { Lines: 6 }, Closes: null, Confirm: 6 })
  expect(await outcomeOf(run(scene))).toBe('confirmation needed')
  expect((await ended(await run(scene, stack.client, { Confirmed: 6 }))).Counts.Verified).toBe(6)
})

test('without the right to manage scenes or to switch lines nobody makes one, and a sub-account sees and runs only its own plant', async () => {
  await later()
  const account = async (userName: string, buttons: readonly string[], letter: string, kind: 'sub' | 'shared' = 'sub') => {
    const privileges = ['devmon', 'devmon.realtime', 'timer', 'scene.list', 'scene.log']
    const { accounts } = stack.server
    const roleId = await accounts.createRole({ number: userName, name: userName, privileges, buttons: [...buttons] })
    const who = { userName, password: 'Duty-7391' }
    await accounts.createAccount({ ...who, kind, roleId, projectIds: [houseOf(letter)] })
    return signedIn(stack.url, who)
  }
  const watcher = await account('13800000101', [], 'A')
  const switcher = await account('13800000102', ['lineSwitch'], 'A')
  const manager = await account('13800000103', ['manageScene'], 'A')
  const other = await account('13800000104', ['manageScene', 'lineSwitch'], 'B')
  const shared = await account('13800000105', ['manageScene', 'lineSwitch'], 'A', 'shared')
  const scene = await made('权限', [trip(7)])
  const ofA = { body: { HouseID: houseOf('A') } }
  const isSeen = async (client: Client) => (await client.call(queryScenes, ofA)).items.some(({ Name }) => Name === '权限')
  for (const client of [watcher, switcher, manager, shared]) expect(await isSeen(client)).toBe(true)
  expect((await shared.call(getScene, { params: { SceneID: scene.SceneID } })).Whole).toBe(true)
  expect(await outcomeOf(run(scene, shared))).toBe('access denied')
  expect(await outcomeOf(made('不可', [trip(7)], 'goOn', shared))).toBe('access denied')
  expect(await outcomeOf(other.call(queryScenes, ofA))).toBe('project not exists')
  expect(await outcomeOf(other.call(getScene, { params: { SceneID: scene.SceneID } }))).toBe('scene not exists')
  expect(await outcomeOf(run(scene, other))).toBe('scene not exists')
  expect(await outcomeOf(run(scene, watcher))).toBe('access denied')
  expect(await outcomeOf(made('不可', [trip(7)], 'goOn', manager))).toBe('scene needs device control')
  expect(await outcomeOf(made('不可', [trip(7)], 'goOn', switcher))).toBe('access denied')
  const off = { SceneID: scene.SceneID, RunID: id(), Reason: 'x', Mode: 'disable' as const, Version: scene.Version }
  expect(await outcomeOf(switcher.call(switchScene, { body: off }))).toBe('scene needs management')
  const RunID = await run(scene, switcher)
  expect(await outcomeOf(shared.call(stopScene, { body: { RunID } }))).toBe('access denied')
  expect((await shared.call(sceneLog, { body: { RunID } })).items).toHaveLength(1)
  expect((await ended(RunID)).Actor).toBe('13800000102')
  expect((await other.call(sceneLog, { body: {} })).items).toEqual([])
  expect(await outcomeOf(other.call(stopScene, { body: { RunID } }))).toBe('automation run not exists')
})

const withoutHouse = <T extends { readonly HouseID: number }>({ HouseID: _, ...rest }: T): Omit<T, 'HouseID'> => rest
