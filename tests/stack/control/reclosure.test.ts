import { md5Hex } from '@linewarden/client'
import {
  gasSilencing,
  grantControl,
  insertScene,
  inspect,
  lineCommands,
  lineReadings,
  lineTrips,
  operateLine,
  placeTag,
  querySwitch,
  reclosure,
  reclosureOperation,
  recordTripCause,
  setFeed,
  setReclosure,
  smokeSilencing,
  stopScene,
  switchScene,
  tripAnalysis,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'

// Automatic re-closing and the analysis of trips, against the whole house.
let stack: Stack
let ahead = 0
/** Lines whose residual operating current nobody knows never close by themselves: these breakers report it. */
const plan = smallPlan.map((project) => ({
  ...project,
  gateways: project.gateways.map((gateway) => ({
    ...gateway,
    devices: gateway.devices.map((device) => ({ ...device, reportsSettings: true })),
  })),
}))

beforeAll(async () => {
  stack = await startStack({ plan, clock: () => Date.now() + ahead, fleet: { now: () => Date.now() + ahead } })
  calm(stack)
})
afterAll(() => stack?.close())

const at = (LineNo: number, ControllerID = 'A-T1') => ({ ControllerID, LineNo })
const of = (LineNo: number, on?: string) => stack.client.call(reclosure, { params: at(LineNo, on) })
const set = (LineNo: number, DelaysS: number[], Enabled = true, Version = 0, on?: string) =>
  stack.client.call(setReclosure, { body: { ...at(LineNo, on), Enabled, DelaysS, Version } })
const closes = (lineNo: number, on = 'A-T1') =>
  stack.fleet.executed.filter(
    (each) => each.controllerId === on && each.lineNo === lineNo && each.action === 'close' && each.outcome === 'executed',
  ).length
async function opens(LineNo: number, cause: 'undervoltage' | 'overload' | 'leakage', on = 'A-T1'): Promise<void> {
  const line = stack.fleet.gatewayOf(on).line(on, LineNo)
  line.position = 'open'
  line.tripCause = cause
  await report()
}
/** Moves time on with values that never grow old: a try finds the line as fresh as it is in the field. */
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

test('the policy is checked with every rule broken in words, and nothing is set', async () => {
  await expect(set(1, [5, 60, 300, 400])).rejects.toMatchObject({
    problem: { failure: { Message: 'reclosure not permitted', Text: { zh: expect.stringMatching(/4 次.*过短/) } } },
  })
  expect(await of(1)).toMatchObject({ Enabled: false, Version: 0, DelaysS: [10, 60, 300] })
  const line = stack.server.plant.lineAt('A-T1', 1)
  line?.reported.set('leakage.trip', 30)
  expect((await of(1)).Policy.filter(({ Met }) => !Met).map(({ Key }) => Key)).toEqual(['residual'])
  expect(await outcomeOf(set(1, [10]))).toBe('reclosure not permitted')
})

test('without the control grant, or with one that is over, nothing is set, and the log says who tried and why not', async () => {
  const account = { userName: 'careful', password: 'Duty-7391' }
  const role = { number: 'careful', name: '值班员', privileges: ['devmon', 'devmon.realtime'], buttons: ['lineSwitch' as const] }
  const roleId = await stack.server.accounts.createRole(role)
  const projectIds = [...stack.server.plant.projects.keys()]
  await stack.server.accounts.createAccount({ ...account, kind: 'sub', roleId, projectIds, controlPassword: 'Ctrl-2580' })
  const careful = await signedIn(stack.url, account)
  const body = { ...at(8), Enabled: true, DelaysS: [10], Version: 0 }
  const setWith = (Grant?: string) => outcomeOf(careful.call(setReclosure, { body: { ...body, ...(Grant && { Grant }) } }))
  const grant = async (delaysS = [10]) => {
    const Operation = reclosureOperation(at(8), delaysS)
    return (await careful.call(grantControl, { body: { Password: md5Hex('Ctrl-2580'), Operation } })).Grant
  }
  expect(await setWith()).toBe('control grant missing')
  const stale = await grant()
  ahead += 61_000
  await report()
  expect(await setWith(stale)).toBe('control grant over')
  // The password was given for other intervals.
  expect(await setWith(await grant([10, 60]))).toBe('control grant over')
  const refused = await stack.server.database.general
    .selectFrom('audit')
    .selectAll()
    .where('actor', '=', 'careful')
    .where('action', '=', 'setReclosure')
    .orderBy('audit_id')
    .execute()
  expect(refused.map(({ target, outcome, after }) => [target, outcome, (after as { why: string }).why])).toEqual([
    ['A-T1/8', 'refused', 'control grant missing'],
    ['A-T1/8', 'refused', 'control grant over'],
    ['A-T1/8', 'refused', 'control grant over'],
  ])
  expect(await of(8)).toMatchObject({ Enabled: false, Version: 0 })
  expect(await setWith(await grant())).toBe('done')
})

test('after a passing undervoltage the line closes by itself, through the gate, once', async () => {
  expect(await set(2, [10, 60, 300])).toMatchObject({ Enabled: true, Version: 1, Actor: 'admin' })
  expect(await outcomeOf(set(2, [10]))).toBe('changed meanwhile')
  await opens(2, 'undervoltage')
  await vi.waitFor(async () => expect((await of(2)).NextAt).not.toBeNull())
  expect(closes(2)).toBe(0)
  await passes(10_500)
  await vi.waitFor(() => expect(closes(2)).toBe(1))
  expect(await of(2)).toMatchObject({ Attempts: 1, NextAt: null })
  const [ordered] = (await stack.client.call(lineCommands, { params: at(2), query: {} })).items
  expect(ordered).toMatchObject({ Source: 'reclosure', Reason: { zh: '自动重合闸第 1 次', en: 'auto-reclose, attempt 1' } })
})

test('after overload it does not', async () => {
  await set(3, [10])
  await opens(3, 'overload')
  ahead += 10_500
  await report()
  expect(await of(3)).toMatchObject({ Attempts: 0, NextAt: null })
  expect(closes(3)).toBe(0)
})

test('after leakage the cause must be recorded; a try without it counts, and after the last the line is locked out', async () => {
  await set(4, [10])
  await opens(4, 'leakage')
  await vi.waitFor(async () => expect((await of(4)).NextAt).not.toBeNull())
  ahead += 10_500
  await report()
  await vi.waitFor(async () => expect(await of(4)).toMatchObject({ LockedOutAt: expect.any(Number), LockedOutWhy: 'tries_used' }))
  expect(closes(4)).toBe(0)
})

test('a try whose moment the server missed is not made late', async () => {
  await set(5, [10, 60])
  await opens(5, 'undervoltage')
  await vi.waitFor(async () => expect((await of(5)).NextAt).not.toBeNull())
  ahead += 30_000
  await report()
  await vi.waitFor(async () => expect((await of(5)).Attempts).toBe(2))
  expect(closes(5)).toBe(0)
})

test('the analysis of a trip has its values, its cause, what hangs above and below, and whether a cause must be recorded', async () => {
  await stack.client.call(setFeed, { params: at(7), body: { FedBy: at(6), Was: null } })
  await stack.client.call(setFeed, { params: at(6), body: { FedBy: at(8), Was: null } })
  expect(await outcomeOf(stack.client.call(setFeed, { params: at(8), body: { FedBy: at(7), Was: null } }))).toBe('feeds itself')
  expect(
    await outcomeOf(
      stack.client.call(setFeed, { params: at(8), body: { FedBy: { ControllerID: 'B-T1', LineNo: 1 }, Was: null } }),
    ),
  ).toBe('line not exists')
  stack.fleet.run('leakageTrip', { controllerId: 'A-T1', lineNo: 6 })
  const trip = await vi.waitFor(async () => {
    const { items } = await stack.client.call(lineTrips, { params: at(6) })
    expect(items).toHaveLength(1)
    return items[0]
  })
  // The line goes on reporting long after what the analysis is about.
  await passes(15_000)
  const analysis = () => stack.client.call(tripAnalysis, { params: { ...at(6), EventID: trip?.EventID ?? '' } })
  const found = await vi.waitFor(async () => {
    const each = await analysis()
    expect(each.Cause).toBe('leakage')
    return each
  })
  expect(found).toMatchObject({ CauseRequired: true, Explained: null, Command: null })
  // Neither has opened itself.
  expect(found.Upstream.map(({ LineNo, OpenedAt }) => [LineNo, OpenedAt])).toEqual([[8, null]])
  expect(found.Downstream.map(({ LineNo, OpenedAt }) => [LineNo, OpenedAt])).toEqual([[7, null]])
  const currents = found.Rows.map(([time, values]) => [time, values[found.Points.indexOf('current.a')] ?? null] as const)
  const [before, after] = [currents.filter(([time]) => time < found.At), currents.filter(([time]) => time > found.At)]
  // What it carried in the minute before, and that it carried nothing in the ten seconds after.
  expect(before.length).toBeGreaterThan(0)
  for (const [time, current] of before) {
    expect(found.At - time).toBeLessThanOrEqual(60_000)
    expect(current).toBeGreaterThan(0)
  }
  for (const [time, current] of after) {
    expect(time - found.At).toBeLessThanOrEqual(10_000)
    expect(current).toBe(0)
  }
  const { Rows } = await stack.client.call(lineReadings, { params: at(6), query: { From: found.At, To: found.At + 60_000 } })
  expect(Rows.some(([time]) => time > found.At + 10_000)).toBe(true)
  await stack.client.call(recordTripCause, { params: at(6), body: { Cause: '电缆受潮' } })
  expect(await analysis()).toMatchObject({ CauseRequired: false, Explained: '电缆受潮' })
})

test("a person's trip names the command that made it", async () => {
  const CommandID = crypto.randomUUID()
  await stack.client.call(operateLine, { params: { ...at(8), attr: 'trip' }, body: { CommandID, Reason: '检修' } })
  await vi.waitFor(async () => {
    const { items } = await stack.client.call(lineTrips, { params: at(8) })
    const found = await stack.client.call(tripAnalysis, { params: { ...at(8), EventID: items[0]?.EventID ?? '0' } })
    expect(found).toMatchObject({ Cause: 'remote', CauseRequired: false, Command: { CommandID } })
  })
})

test('a trip that a person orders while a try is due ends the tries, and nothing closes later', async () => {
  // The witness has the same setting and the same trips; that it closes says that the moment of each try has passed for both.
  const [line, witness] = [1, 2]
  for (const each of [line, witness]) {
    await set(each, [10, 60, 300], true, 0, 'B-T1')
    await opens(each, 'undervoltage', 'B-T1')
    await vi.waitFor(async () => expect((await of(each, 'B-T1')).NextAt).not.toBeNull())
  }
  const order = { CommandID: crypto.randomUUID(), Reason: '检修' }
  await stack.client.call(operateLine, { params: { ...at(line, 'B-T1'), attr: 'trip' }, body: order })
  await vi.waitFor(async () => expect(await of(line, 'B-T1')).toMatchObject({ NextAt: null, LockedOutWhy: 'person_tripped' }))
  const lockedOut = (await of(line, 'B-T1')).LockedOutAt
  for (const [index, delayS] of [10, 60, 300].entries()) {
    await passes(delayS * 1_000 + 500)
    await vi.waitFor(() => expect(closes(witness, 'B-T1')).toBe(index + 1))
    expect(await of(line, 'B-T1')).toMatchObject({ Attempts: 1, NextAt: null, LockedOutAt: lockedOut })
    if (index === 2) break
    await vi.waitFor(() => expect(stack.server.plant.lineAt('B-T1', witness)?.states.get('position')).toBe('closed'))
    await opens(witness, 'undervoltage', 'B-T1')
    await vi.waitFor(async () => expect((await of(witness, 'B-T1')).NextAt).not.toBeNull())
  }
  expect(closes(line, 'B-T1')).toBe(0)
  const { items } = await stack.client.call(lineCommands, { params: at(line, 'B-T1'), query: {} })
  expect(items.map(({ Action, Source }) => [Action, Source])).toEqual([['trip', 'console']])
})

test('automation stands before a tag and an inspection as people do: nothing closes, the log names what blocked it, and the try counts', async () => {
  const [tagged, inspected, inTaggedCabinet] = [at(3, 'B-T1'), at(4, 'B-T1'), at(7, 'A-T1')]
  const all = [tagged, inspected, inTaggedCabinet]
  for (const { LineNo, ControllerID } of all) await set(LineNo, [10, 60], true, 0, ControllerID)
  const tag = () => ({ TagID: crypto.randomUUID(), Kind: 'tag', Reason: '更换电缆头' }) as const
  await stack.client.call(placeTag, { params: tagged, body: tag() })
  await stack.client.call(placeTag, { params: at(1, 'A-T1'), body: { ...tag(), On: 'gateway' } })
  for (const { LineNo, ControllerID } of all) {
    await opens(LineNo, 'undervoltage', ControllerID)
    await vi.waitFor(async () => expect((await of(LineNo, ControllerID)).NextAt).not.toBeNull())
  }
  const gateway = stack.server.plant.gatewayByNumber.get('GW-B')
  await stack.client.call(inspect, { body: { DeviceID: gateway?.id ?? 0 } })
  await passes(11_600)
  const tries = [
    [tagged, ['inspection', 'tags']],
    [inspected, ['inspection']],
    [inTaggedCabinet, ['tags']],
  ] as const
  for (const [{ LineNo, ControllerID }, blocks] of tries) {
    await vi.waitFor(async () => expect((await of(LineNo, ControllerID)).Attempts).toBe(2))
    const refused = await stack.server.database.general
      .selectFrom('audit')
      .select(['action', 'after'])
      .where('target', '=', `${ControllerID}/${LineNo}`)
      .where('outcome', '=', 'refused')
      .execute()
    expect(refused).toMatchObject([
      { action: 'line.close', after: { source: 'reclosure', refusal: 'close not permitted', blocks } },
    ])
    expect(closes(LineNo, ControllerID)).toBe(0)
  }
})

test("each family's own call silences its detectors, and no others", async () => {
  const body = () => ({ ControllerID: 'A-Y1', CommandID: crypto.randomUUID(), Reason: '误报' })
  expect(await outcomeOf(stack.client.call(smokeSilencing, { body: body() }))).toBe('silence not possible')
  expect(await outcomeOf(stack.client.call(gasSilencing, { body: body() }))).toBe('device not exists')
  const detector = stack.fleet.gatewayOf('A-Y1').detector('A-Y1')
  detector.states.set('sounder', 'sounding')
  await report()
  await stack.client.call(smokeSilencing, { body: body() })
  await vi.waitFor(() => expect(detector.states.get('sounder')).toBe('quiet'))
})

test('a line of a scene that runs closes by itself all the same, and nobody closes it by hand', async () => {
  const B = 'B-T1'
  // What stood before it, an inspection of the cabinet among it, is over.
  ahead += 61_000
  await report()
  await set(7, [10], true, 0, B)
  await opens(7, 'undervoltage', B)
  await vi.waitFor(async () => expect((await of(7, B)).NextAt).not.toBeNull())
  const item = (LineNo: number, Action: 'trip' | 'close') => ({ ...at(LineNo, B), Action, Order: 0 })
  const HouseID = stack.server.plant.deviceByControllerId.get(B)?.gateway.project.id ?? 0
  const form = { Name: '复工', Icon: 'work', IfRefused: 'goOn', Enabled: true } as const
  const Items = [item(8, 'trip'), item(7, 'close')]
  const { SceneID, Version } = await stack.client.call(insertScene, { body: { HouseID, ...form, Items } })
  // The breaker does not move: its trip is awaited, and with it the close of the other.
  const { behaviour } = stack.fleet.gatewayOf(B)
  Object.assign(behaviour, { acknowledge: false, move: false })
  const RunID = crypto.randomUUID()
  await stack.client.call(switchScene, { body: { SceneID, Version, RunID, Reason: '开工' } })
  await passes(10_500)
  const newest = async () => (await stack.client.call(lineCommands, { params: at(7, B), query: {} })).items[0]
  await vi.waitFor(async () => expect(await newest()).toMatchObject({ Source: 'reclosure', Action: 'close' }))
  const { items } = await stack.client.call(querySwitch, { query: at(7, B) })
  expect(items).toMatchObject([{ Kind: 'scene', ID: SceneID, Blocks: true }])
  await stack.client.call(stopScene, { body: { RunID } })
  Object.assign(behaviour, { acknowledge: true, move: true })
})
