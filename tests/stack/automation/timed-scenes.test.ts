import type { Scene, Timer, TimerForm } from '@linewarden/contract'
import {
  deleteScene,
  getAutomationRun,
  getScene,
  getTimer,
  insertScene,
  insertTimer,
  lineOverride,
  logTimers,
  operateLine,
  previewTimer,
  querySwitch,
  queryTimers,
  sceneLog,
  stopAutomationRun,
  switchScene,
  switchTimer,
  timerPlan,
  updateScene,
} from '@linewarden/contract'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'
import { verified } from '../../kit/verified.ts'

// Scenes that timers run, through the real broker to simulated equipment; time is moved on by hand.
let stack: Stack
let ahead = 0
// Noon in Shanghai: no test comes to the end of a day.
const begun = Date.UTC(2026, 10, 24, 4)
const started = Date.now()
const now = () => begun + ahead + Math.floor((Date.now() - started) / 20)

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: now, fleet: { now } })
  calm(stack)
})
afterAll(() => stack?.close())
// Between two operations of a line lie some seconds.
beforeEach(() => passes(12_000))

const id = () => crypto.randomUUID()
const at = (LineNo: number, ControllerID = 'A-T1') => ({ ControllerID, LineNo })
const house = (device = 'A-T1') => stack.server.plant.deviceByControllerId.get(device)?.gateway.project.id ?? 0
const civil = (ms: number) => new Date(ms + 8 * 3_600_000).toISOString()
const breaker = (lineNo: number) => stack.fleet.gatewayOf('A-T1').line('A-T1', lineNo)
const soon = () => Math.ceil(now() / 1_000) * 1_000 + 60_000

async function passes(byMs: number): Promise<void> {
  for (let left = byMs; left > 0; left -= 4_000) {
    ahead += Math.min(left, 4_000)
    await report()
  }
}
async function report(): Promise<void> {
  await Promise.all([...stack.fleet.gateways.values()].map((each) => each.report()))
  await stack.server.ingest.drained()
}
async function leaps(to: number): Promise<void> {
  ahead += to - now()
  await report()
}
const operate = async (attr: 'trip' | 'close', LineNo: number, Override?: { Kind: 'next' }) => {
  await stack.client.call(operateLine, {
    params: { ...at(LineNo), attr },
    body: { CommandID: id(), Reason: '值班', ...(Override && { Override }) },
  })
  await verified(stack.client, at(LineNo))
  expect(breaker(LineNo).position).toBe(attr === 'trip' ? 'open' : 'closed')
  await passes(12_000)
}
/** As a timer finds it, with no word of a person against its timers. */
async function stands(LineNo: number, position: 'open' | 'closed'): Promise<void> {
  if (breaker(LineNo).position !== position) await operate(position === 'open' ? 'trip' : 'close', LineNo, { Kind: 'next' })
}
const scene = (Name: string, ...items: readonly (readonly ['trip' | 'close', number])[]) =>
  stack.client.call(insertScene, {
    body: {
      ...{ HouseID: house(), Name, Icon: 'scene', IfRefused: 'goOn', Enabled: true },
      Items: items.map(([Action, LineNo], Order) => ({ ...at(LineNo), Action, Order })),
    },
  })
const formOf = (Name: string, ms: number, SceneID: number | null, Enabled = true): TimerForm => ({
  ...{ Name, Function: 'scene', Type: 'once', Period: { Date: civil(ms).slice(0, 10) } },
  Points: [{ PointNo: 1, At: civil(ms).slice(11, 19), Action: 'run' }],
  ...{ Exceptions: [], Lines: [], SceneID, KeepWhileWanted: true, Enabled },
})
const insert = (form: TimerForm, client = stack.client) => client.call(insertTimer, { body: { HouseID: house(), ...form } })
const timed = (Name: string, ms: number, { SceneID }: Scene) => insert(formOf(Name, ms, SceneID))
const remove = async ({ TimerID }: Timer) => {
  const { Version } = await stack.client.call(getTimer, { params: { TimerID } })
  await stack.client.call(switchTimer, { body: { TimerID, Version, Enabled: false } })
}

/** The run of a timer that is due, once it has ended, and that of its scene. */
async function runsOf({ TimerID }: Timer) {
  const entry = await vi.waitFor(
    async () => {
      await stack.server.automation.tick()
      await stack.server.automation.sceneRuns.sweep()
      const { items } = await stack.client.call(logTimers, { body: { TimerID } })
      expect(items[0]?.EndedAt ?? null).not.toBeNull()
      return items[0]
    },
    { timeout: 40_000, interval: 100 },
  )
  const outer = await stack.client.call(getAutomationRun, { params: { RunID: entry?.RunID ?? '' } })
  const { items } = await stack.client.call(sceneLog, { body: {} })
  const inner = items.filter(({ ParentRunID }) => ParentRunID === outer.RunID)
  return { entry, outer, inner: inner[0] ?? null }
}
const outcomes = (lines: Awaited<ReturnType<typeof runsOf>>['outer']['Lines']) =>
  lines.map(({ Action, LineNo, State, Command, Refusal }) => `${Action} ${LineNo} ${Command?.State ?? Refusal?.Key ?? State}`)

test('a scene is named by a timer as it is: without one, one of another project or a disabled one the timer is refused', async () => {
  await stands(2, 'open')
  const made = await scene('下班一', ['trip', 1], ['close', 2])
  const due = soon() + 3_600_000
  expect([
    await outcomeOf(insert(formOf('无场景', due, null))),
    await outcomeOf(insert(formOf('无此场景', due, 999))),
    await outcomeOf(stack.client.call(insertTimer, { body: { HouseID: house('B-T1'), ...formOf('他项', due, made.SceneID) } })),
  ]).toEqual(['definition wrong', 'scene not exists', 'scene not exists'])
  const timer = await timed('下班一', due, made)
  expect(timer).toMatchObject({ Function: 'scene', SceneID: made.SceneID, SceneName: '下班一', LineCount: 2 })
  expect(timer.Lines.map(({ LineNo }) => LineNo)).toEqual([1, 2])
  const { items } = await stack.client.call(queryTimers, { body: { ...at(2) } })
  expect(items.map(({ TimerID }) => TimerID)).toContain(timer.TimerID)
  // One turn: trips go at once.
  expect(await stack.client.call(timerPlan, { params: { TimerID: timer.TimerID } })).toMatchObject({ LengthMs: 0 })
  // The line is switched the other way by another timer in that minute.
  const against = { ...formOf('相反', due, null), Function: 'switch' as const, Lines: [at(2)] }
  const preview = await stack.client.call(previewTimer, {
    body: { HouseID: house(), ...against, Points: [{ PointNo: 1, At: civil(due).slice(11, 19), Action: 'trip' as const }] },
  })
  expect(preview.Conflicts).toMatchObject([{ Key: 'fight', TimerID: timer.TimerID, Line: at(2), At: due }])

  // What is closed by hand meanwhile is asked for what the timer is to do then.
  const contained = await stack.client.call(querySwitch, { query: at(2) })
  expect(contained.items).toMatchObject([
    { Kind: 'timer', ID: timer.TimerID, NextAt: due, NextAction: 'close', Blocks: true },
    { Kind: 'scene', ID: made.SceneID },
  ])
  expect(
    await outcomeOf(
      stack.client.call(operateLine, { params: { ...at(2), attr: 'close' }, body: { CommandID: id(), Reason: 'x' } }),
    ),
  ).toBe('schedule contain this line')

  // It is not taken away under the timer, and where it is disabled the timer says so and is not enabled.
  const gone = { SceneID: made.SceneID, Version: made.Version }
  const refused = await stack.client.call(deleteScene, { body: gone }).catch((error: unknown) => error)
  expect(refused).toMatchObject({
    problem: { failure: { Message: 'scene in timer', Text: { zh: expect.stringContaining('下班一') } } },
  })
  await stack.client.call(switchScene, { body: { ...gone, RunID: id(), Reason: 'x', Mode: 'disable' } })
  const { Version, Foreseen } = await stack.client.call(getTimer, { params: { TimerID: timer.TimerID } })
  expect(Foreseen).toMatchObject([{ Outcome: 'skipped', Why: 'sceneDisabled', Count: 2 }])
  const turn = (Enabled: boolean, version: number) =>
    stack.client.call(switchTimer, { body: { TimerID: timer.TimerID, Version: version, Enabled } })
  await turn(false, Version)
  expect([await outcomeOf(turn(true, Version + 1)), await outcomeOf(insert(formOf('停用的', due, made.SceneID)))]).toEqual([
    'scene disabled',
    'scene disabled',
  ])
})

test('at its time the scene of now runs as a run of its own: trips, then closes, and both runs say what became of the lines', async () => {
  for (const lineNo of [1, 2, 4]) await stands(lineNo, lineNo === 1 ? 'closed' : 'open')
  const before = await scene('下班二', ['trip', 1], ['close', 2])
  const due = soon()
  const timer = await timed('傍晚', due, before)
  await stack.client.call(updateScene, {
    body: {
      ...{ SceneID: before.SceneID, Version: before.Version, Name: '下班二', Icon: 'scene', IfRefused: 'goOn', Enabled: true },
      Items: [
        { ...at(1), Action: 'trip', Order: 0 },
        { ...at(4), Action: 'close', Order: 1 },
      ],
    },
  })
  await passes(due - now() + 100)
  const { entry, outer, inner } = await runsOf(timer)
  expect(entry).toMatchObject({ State: 'done', Action: 'run', SceneName: '下班二', Counts: { Total: 2, Verified: 2 } })
  expect(outcomes(outer.Lines)).toEqual(['trip 1 verified', 'close 4 verified'])
  expect(inner).toMatchObject({
    ...{ State: 'done', Name: '下班二', ParentRunID: outer.RunID, Actor: stack.admin.userName },
    FiredBy: { Source: 'timer', SourceID: timer.TimerID, Name: '傍晚' },
    Counts: { Total: 2, Verified: 2 },
  })
  expect([breaker(1).position, breaker(2).position, breaker(4).position]).toEqual(['open', 'open', 'closed'])
  // The scene that a person runs is a word; one that a timer runs is none, and ends what was to be until it.
  expect((await stack.client.call(lineOverride, { params: at(4) })).Kind).toBeNull()
  expect((await stack.client.call(getScene, { params: { SceneID: before.SceneID } })).LastRun).toMatchObject({ State: 'done' })
})

test('a line that a person has tripped stays open: the scene of a timer leaves it out and does the rest', async () => {
  for (const lineNo of [2, 3]) await stands(lineNo, 'closed')
  await stands(5, 'open')
  const made = await scene('早班', ['close', 2], ['close', 5], ['trip', 3])
  const due = soon() + 30_000
  const timer = await timed('早班', due, made)
  await operate('trip', 2)
  expect((await stack.client.call(getTimer, { params: { TimerID: timer.TimerID } })).Foreseen).toMatchObject([
    { Outcome: 'skipped', Why: 'personTripped', Count: 1 },
  ])
  await passes(due - now() + 100)
  const { entry, outer, inner } = await runsOf(timer)
  expect(outcomes(outer.Lines)).toEqual(['trip 3 verified', 'close 2 personTripped', 'close 5 verified'])
  expect([entry?.State, inner?.State, breaker(2).position]).toEqual(['done', 'done', 'open'])
  // A person may run the same scene: that is their word.
  await passes(12_000)
  await stack.client.call(switchScene, { body: { SceneID: made.SceneID, Version: made.Version, RunID: id(), Reason: '早班' } })
  await vi.waitFor(() => expect(breaker(2).position).toBe('closed'))
})

test('a scene that is disabled when its timer is due is not run, and the log says so', async () => {
  const made = await scene('停用', ['trip', 6])
  const due = soon()
  const timer = await timed('停用场景', due, made)
  await stack.client.call(switchScene, {
    body: { SceneID: made.SceneID, Version: made.Version, RunID: id(), Reason: 'x', Mode: 'disable' },
  })
  await passes(due - now() + 100)
  const { entry, inner } = await runsOf(timer)
  expect([entry?.State, entry?.Why, inner]).toEqual(['skipped', 'sceneDisabled', null])
})

test('what comes too late closes nothing; up to a minute its trips are still done', async () => {
  for (const lineNo of [6, 7]) await stands(lineNo, lineNo === 6 ? 'closed' : 'open')
  const made = await scene('迟到', ['trip', 6], ['close', 7])
  const [due, later] = [soon(), soon() + 600_000]
  const [timer, missed] = [await timed('迟到', due, made), await timed('太迟', later, made)]
  await leaps(due + 20_000)
  const { entry, outer, inner } = await runsOf(timer)
  expect(outcomes(outer.Lines)).toEqual(['trip 6 verified', 'close 7 timed action missed'])
  expect([entry?.State, inner?.State, breaker(7).position]).toEqual(['partly', 'partly', 'open'])
  await leaps(later + 120_000)
  const over = await runsOf(missed)
  expect([over.entry?.State, over.entry?.Why, over.inner]).toEqual(['missed', 'clockSet', null])
})

test('whoever stops the run of the timer stops its scene: what had no turn has none', async () => {
  for (const lineNo of [1, 2]) await stands(lineNo, 'open')
  await stands(8, 'closed')
  const { behaviour } = stack.fleet.gatewayOf('A-T1')
  const made = await scene('停止', ['trip', 8], ['close', 1], ['close', 2])
  const due = soon()
  const timer = await timed('停止', due, made)
  await passes(due - now() - 4_000)
  // Its closes wait behind a trip that nobody carries out.
  Object.assign(behaviour, { acknowledge: false, move: false })
  await leaps(due + 100)
  const RunID = await vi.waitFor(
    async () => {
      await stack.server.automation.tick()
      const { items } = await stack.client.call(logTimers, { body: { TimerID: timer.TimerID } })
      expect(items[0]?.Counts.UnderWay).toBe(1)
      return items[0]?.RunID ?? ''
    },
    { interval: 50 },
  )
  // Nobody closes beside it what it is going to set, nor runs it a second time.
  const { items } = await stack.client.call(querySwitch, { query: at(1) })
  expect(items.find(({ Kind, ID }) => Kind === 'scene' && ID === made.SceneID)).toMatchObject({ Blocks: true })
  const again = { SceneID: made.SceneID, Version: made.Version, RunID: id(), Reason: 'x' }
  expect(await outcomeOf(stack.client.call(switchScene, { body: again }))).toBe('scene running')
  await stack.client.call(stopAutomationRun, { params: { RunID } })
  Object.assign(behaviour, { acknowledge: true, move: true })
  await passes(60_000)
  const { entry, outer, inner } = await runsOf(timer)
  expect(outcomes(outer.Lines).slice(1)).toEqual(['close 1 stopped', 'close 2 stopped'])
  expect([entry?.State, inner?.State, inner?.StoppedBy, breaker(1).position]).toEqual([
    'stopped',
    'stopped',
    stack.admin.userName,
    'open',
  ])
})

test('it fires with the rights that its owner has then, line by line, and whoever sees a part of its scene cannot save it', async () => {
  const { accounts } = stack.server
  const roleId = await accounts.createRole({
    ...{ number: 'duty', name: '值班', privileges: ['timer', 'timer.list', 'timer.log', 'scene', 'scene.list'] },
    buttons: ['lineSwitch', 'manageTiming'],
  })
  const who = { userName: '13800000131', password: 'Duty-7391' }
  const accountId = await accounts.createAccount({ ...who, kind: 'sub', roleId, projectIds: [house()] })
  const duty = await signedIn(stack.url, who, now)
  for (const lineNo of [4, 5]) await stands(lineNo, 'open')
  const made = await scene('有权', ['close', 4], ['close', 5])
  const due = soon()
  const timer = await insert(formOf('有权', due, made.SceneID), duty)
  expect(timer).toMatchObject({ OwnerName: who.userName, Orphan: false })
  await stack.server.database.general.updateTable('account').set({ disabled: true }).where('account_id', '=', accountId).execute()
  await passes(due - now() + 100)
  const { entry, outer, inner } = await runsOf(timer)
  expect(outcomes(outer.Lines)).toEqual(['close 4 access denied', 'close 5 access denied'])
  expect([entry?.State, inner?.State, breaker(4).position]).toEqual(['refused', 'refused', 'open'])
  await remove(timer)
})
