import type { LinkageForm, TimerForm } from '@linewarden/contract'
import {
  deleteGateway,
  editProject,
  getRun,
  insertLinkage,
  insertScene,
  insertTimer,
  lineOverride,
  listJournal,
  logTimers,
  operateLine,
  overrideLine,
  projectDetails,
  queryOverrides,
  querySwitch,
  releaseLine,
  startRun,
  switchLinkage,
  switchScene,
  switchTimer,
  transferGateways,
} from '@linewarden/contract'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'
import { verified } from '../../kit/verified.ts'

// Lines that timers act on, and what a person who switches one of them says to it; time is moved on by hand.
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
const at = (LineNo: number) => ({ ControllerID: 'A-T1', LineNo })
const house = (device = 'A-T1') => stack.server.plant.deviceByControllerId.get(device)?.gateway.project.id ?? 0
const civil = (ms: number) => new Date(ms + 8 * 3_600_000).toISOString()
const executed = (LineNo: number, action: string) =>
  stack.fleet.executed.filter(
    (each) => each.controllerId === 'A-T1' && each.lineNo === LineNo && each.action === action && each.outcome === 'executed',
  ).length
async function passes(byMs: number): Promise<void> {
  for (let left = byMs; left > 0; left -= 4_000) {
    ahead += Math.min(left, 4_000)
    await Promise.all([...stack.fleet.gateways.values()].map((each) => each.report()))
    await stack.server.ingest.drained()
  }
}
const soon = () => Math.ceil(now() / 1_000) * 1_000 + 60_000

/** Due once, at this second. */
const timer = (Name: string, ms: number, Action: 'trip' | 'close', LineNo: number) => {
  const form: TimerForm = {
    ...{ Name, Function: 'switch', Type: 'once', Period: { Date: civil(ms).slice(0, 10) } },
    Points: [{ PointNo: 1, At: civil(ms).slice(11, 19), Action }],
    ...{ Exceptions: [], Lines: [at(LineNo)], KeepWhileWanted: true, Enabled: true },
  }
  return stack.client.call(insertTimer, { body: { HouseID: house(), ...form } })
}
type Override = { readonly Kind: 'next' | 'until' | 'stay'; readonly Until?: number }
const operate = (attr: 'trip' | 'close', LineNo: number, Override?: Override) =>
  stack.client.call(operateLine, {
    params: { ...at(LineNo), attr },
    body: { CommandID: id(), Reason: '值班', ...(Override && { Override }) },
  })
const refusalOf = async (asked: Promise<unknown>) => {
  const error = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return (error as { problem?: { failure?: { Message: string; Detail?: Record<string, unknown> } } } | null)?.problem?.failure
}
const runsOf = async ({ TimerID }: { TimerID: number }) => {
  await vi.waitFor(
    async () => {
      await stack.server.automation.tick()
      const { items } = await stack.client.call(logTimers, { body: { TimerID } })
      expect(items[0]?.EndedAt ?? null).not.toBeNull()
    },
    { interval: 50 },
  )
  return (await stack.client.call(logTimers, { body: { TimerID } })).items
}
const mode = async (TimedLines: 'ask' | 'refuse' | 'free') => {
  const before = await stack.client.call(projectDetails, { params: { HouseID: house() } })
  const place = { PersonInCharge: '张工', ContactPhone: '13800000000', Province: '上海', City: '上海', District: '浦东' }
  const body = { Name: before.Name, ...place, Version: before.Version, TimedLines }
  return stack.client.call(editProject, { params: { HouseID: house() }, body })
}

test('a close of a line that an enabled timer acts on is refused by the word of the specification, with every timer; its trip is not', async () => {
  const due = soon() + 3_600_000
  const { TimerID } = await timer('下班分闸', due, 'trip', 1)
  await operate('trip', 1)
  await verified(stack.client, at(1))
  await passes(12_000)
  expect(await refusalOf(operate('close', 1))).toMatchObject({
    Message: 'schedule contain this line',
    Detail: { timers: [{ TimerID, Name: '下班分闸', NextAt: due, Action: 'trip' }], overridable: true },
  })
  const { items } = await stack.client.call(querySwitch, { query: at(1) })
  expect(items).toMatchObject([{ Kind: 'timer', ID: TimerID, NextAt: due, NextAction: 'trip', Blocks: true, Overridable: true }])
  // Several at once: each by itself.
  const RunID = id()
  await stack.client.call(startRun, { body: { RunID, Lines: [at(1), at(2)], Reason: '值班', Action: 'close' } })
  await vi.waitFor(async () => {
    const { Lines } = await stack.client.call(getRun, { params: { RunID } })
    expect(Lines.find(({ LineNo }) => LineNo === 1)?.Refusal?.Key).toBe('schedule contain this line')
  })
  await stack.client.call(switchTimer, { body: { TimerID, Version: 1, Enabled: false } })
  expect(await outcomeOf(operate('close', 1))).toBe('done')
})

test('a close that says what the timers are to do goes: they go on with their next action, or wait until an instant', async () => {
  await operate('trip', 3)
  await verified(stack.client, at(3))
  await passes(12_000)
  const [first, second] = [soon() + 20_000, soon() + 200_000]
  const [one, other] = [await timer('第一次', first, 'trip', 3), await timer('第二次', second, 'trip', 3)]
  expect(await outcomeOf(operate('close', 3, { Kind: 'stay' }))).toBe('override stays open')
  expect(await outcomeOf(operate('close', 3, { Kind: 'until', Until: now() + 15 * 86_400_000 }))).toBe('override end wrong')
  expect(await outcomeOf(operate('close', 3, { Kind: 'until', Until: now() - 1 }))).toBe('override end wrong')
  await operate('close', 3, { Kind: 'until', Until: first + 60_000 })
  await verified(stack.client, at(3))
  expect(executed(3, 'close')).toBe(1)
  const on = { Kind: 'until', Until: first + 60_000, By: stack.admin.userName, Reason: '值班' }
  expect(await stack.client.call(lineOverride, { params: at(3) })).toMatchObject(on)
  const { items } = await stack.client.call(queryOverrides, { body: { HouseID: house() } })
  expect(items.find(({ LineNo }) => LineNo === 3)).toMatchObject({ ControllerID: 'A-T1', ...on })
  await passes(first + 100 - now())
  expect(await runsOf(one)).toMatchObject([{ State: 'skipped' }])
  await passes(second + 100 - now())
  expect(await runsOf(other)).toMatchObject([{ State: 'done' }])
  await vi.waitFor(() => expect(executed(3, 'trip')).toBe(2))
})

test('after a trip nothing timed closes the line unless its person lets the timers go on', async () => {
  const stays = soon() + 20_000
  const [one, other] = [await timer('留在断开', stays, 'close', 4), await timer('继续定时', stays, 'close', 5)]
  await operate('trip', 4, { Kind: 'until', Until: 1 })
  await operate('trip', 5, { Kind: 'next' })
  for (const each of [4, 5]) await verified(stack.client, at(each))
  // Of `next` it says until when: the next action.
  expect(await stack.client.call(lineOverride, { params: at(4) })).toMatchObject({ Kind: 'stay' })
  expect(await stack.client.call(lineOverride, { params: at(5) })).toMatchObject({ Kind: 'next', Until: stays })
  await passes(stays + 100 - now())
  expect(await runsOf(one)).toMatchObject([{ State: 'skipped' }])
  expect(await runsOf(other)).toMatchObject([{ State: 'done' }])
  await vi.waitFor(() => expect([executed(4, 'close'), executed(5, 'close')]).toEqual([0, 1]))
  expect(await stack.client.call(lineOverride, { params: at(5) })).toMatchObject({ Kind: null })
  // What contains the line is asked before it is switched, and answers who keeps it as it is.
  const override = async (LineNo: number) => (await stack.client.call(querySwitch, { query: at(LineNo) })).about.Override
  expect(await override(4)).toMatchObject({ Kind: 'stay', Until: null, By: stack.admin.userName })
  expect(await override(5)).toBeNull()
  await stack.client.call(releaseLine, { params: at(4) })
  expect(await override(4)).toBeNull()
})

test('a project asks for the word on its timers, refuses to the letter of the specification, or lets people close as they like', async () => {
  await operate('trip', 6)
  await verified(stack.client, at(6))
  await passes(12_000)
  await timer('每日', soon() + 7_200_000, 'trip', 6)
  expect((await mode('refuse')).TimedLines).toBe('refuse')
  expect(await refusalOf(operate('close', 6, { Kind: 'next' }))).toMatchObject({
    Message: 'schedule contain this line',
    Detail: { overridable: false },
  })
  await mode('free')
  expect(await outcomeOf(operate('close', 6))).toBe('done')
  expect((await mode('ask')).TimedLines).toBe('ask')
  const { items } = await stack.client.call(listJournal, { body: { Size: 20 } })
  expect(JSON.stringify(items.find(({ Action }) => Action === 'project.edit'))).toContain('free')
})

test('equipment with a line that an enabled timer acts on is not taken away, nor moved; each timer is named', async () => {
  const { TimerID, Version } = await timer('留在此处', soon() + 7_200_000, 'trip', 7)
  const DeviceID = stack.server.plant.deviceByControllerId.get('A-T1')?.gateway.id ?? 0
  const names = expect.stringContaining('留在此处')
  const refused = { Message: 'timers contain equipment', Detail: { names: { zh: names, en: names } } }
  expect(await refusalOf(stack.client.call(deleteGateway, { body: { DeviceID } }))).toMatchObject(refused)
  const moved = stack.client.call(transferGateways, { body: { DeviceIDs: [DeviceID], HouseID: house('B-T1') } })
  expect(await refusalOf(moved)).toMatchObject(refused)
  await stack.client.call(switchTimer, { body: { TimerID, Version, Enabled: false } })
  const left = await refusalOf(stack.client.call(deleteGateway, { body: { DeviceID } }))
  expect(JSON.stringify(left)).not.toContain('留在此处')
})

test('whoever may not see a line does not read who has it on hold', async () => {
  const who = { userName: 'blind1', password: 'Duty-7391' }
  await stack.server.accounts.createAccount({ ...who, kind: 'project' })
  const client = await signedIn(stack.url, who, now)
  await operate('trip', 7)
  await timer('不可见', soon() + 7_200_000, 'close', 7)
  const mine = await stack.client.call(queryOverrides, { body: {} })
  expect(mine.items.map(({ LineNo, Kind }) => [LineNo, Kind])).toContainEqual([7, 'stay'])
  expect(await client.call(queryOverrides, { body: {} })).toEqual({ items: [], total: 0 })
})

test('of two words on a line the later one counts, also when the clock was set back by an hour between them', async () => {
  const word = async () => (await stack.client.call(lineOverride, { params: at(8) })).Kind
  await operate('trip', 8)
  expect(await word()).toBe('stay')
  ahead -= 3_600_000
  try {
    await stack.client.call(releaseLine, { params: at(8) })
    expect(await word()).toBeNull()
    ahead -= 3_600_000
    await operate('trip', 8)
    expect(await word()).toBe('stay')
  } finally {
    ahead += 7_200_000
  }
})

test('a line that no timer acts on is on the list of overrides while a linkage or a scene would close it', async () => {
  const waitingOnPersons = async () => {
    const { items } = await stack.client.call(queryOverrides, { body: { HouseID: house() } })
    return items.flatMap(({ LineNo, Kind, Timed }) => (LineNo === 2 || LineNo === 8 ? [[LineNo, Kind, Timed]] : [])).sort()
  }
  for (const LineNo of [2, 8])
    await stack.client.call(overrideLine, { params: at(LineNo), body: { Kind: 'stay', Reason: '检修' } })
  const condition = { ...at(1), Kind: 'point', Key: 'current.a', Op: '>', Value: 900, ForS: 0 } as const
  const linkage: Omit<LinkageForm, 'Name' | 'MayClose' | 'Actions'> = {
    ...{ Enabled: true, Mode: 'live', Match: 'all', Conditions: [condition] },
    ...{ CooldownS: 300, MaxPerHour: 6, MaxPerDay: 24, ActiveHours: [] },
  }
  const trips = { ...linkage, Name: '分闸', MayClose: false, Actions: [{ ...at(2), Kind: 'trip' as const, DelayS: 0 }] }
  await stack.client.call(insertLinkage, { body: { HouseID: house(), ...trips } })
  expect(await waitingOnPersons()).toEqual([])
  const closes = { ...linkage, Name: '送电', MayClose: true, Actions: [{ ...at(2), Kind: 'close' as const, DelayS: 0 }] }
  const { LinkageID, Version } = await stack.client.call(insertLinkage, { body: { HouseID: house(), ...closes } })
  const Items = [{ ...at(8), Action: 'close' as const, Order: 0 }]
  const scene = { Name: '复工', Icon: 'work', Items, IfRefused: 'stopCloses', Enabled: true } as const
  const { SceneID, Version: version } = await stack.client.call(insertScene, { body: { HouseID: house(), ...scene, Items } })
  expect(await waitingOnPersons()).toEqual([
    [2, 'stay', false],
    [8, 'stay', false],
  ])
  await timer('夜间', soon() + 7_200_000, 'trip', 8)
  await stack.client.call(switchLinkage, { body: { LinkageID, Version, Mode: 'disable' } })
  const disabled = { SceneID, RunID: id(), Reason: '停用', Mode: 'disable', Version: version } as const
  await stack.client.call(switchScene, { body: disabled })
  expect(await waitingOnPersons()).toEqual([[8, 'stay', true]])
})
