import type { Client } from '@linewarden/client'
import { md5Hex } from '@linewarden/client'
import type { SettingIntent, TargetResult } from '@linewarden/contract'
import {
  grantControl,
  operateLine,
  setController,
  setReportingInterval,
  setStatus,
  settingHistory,
  settingOperation,
  undoSetting,
  updateLine,
  updateLines,
  updateThreeLine,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { line, pairs, settingOrders } from '../../kit/setting-orders.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

let stack: Stack
let ahead = 0

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => Date.now() + ahead, fleet: { now: () => Date.now() + ahead } })
})
afterAll(() => stack?.close())

const { gateway, set, history, ends, settingState, inEquipment } = settingOrders(() => stack)
const newId = () => crypto.randomUUID()
const setMany = (
  targets: readonly { ControllerID: string; LineNo: number }[],
  wanted: Record<string, number>,
  by: Client = stack.client,
) => by.call(updateLines, { body: { Targets: [...targets], Settings: pairs(wanted), BatchID: newId(), Reason: '批量整定' } })
const audit = async (action: string, outcome: string) => {
  const client = await stack.server.database.connect()
  const { rows } = await client.query<{ target: string; after: Record<string, unknown> }>(
    'select target, after from audit where action = $1 and outcome = $2 order by audit_id desc',
    [action, outcome],
  )
  await client.end()
  return rows
}
/** Somebody who may open the page, in project A only. */
async function person(userName: string, privileges: string[], controlPassword?: string): Promise<Client> {
  const project = [...stack.server.plant.projects.values()].find(({ name }) => name === '项目A')
  const roleId = await stack.server.accounts.createRole({ number: userName, name: userName, privileges, buttons: [] })
  await stack.server.accounts.createAccount({
    userName,
    password: 'Duty-7391',
    kind: 'sub',
    roleId,
    projectIds: [project?.id ?? 0],
    ...(controlPassword && { controlPassword }),
  })
  return signedIn(stack.url, { userName, password: 'Duty-7391' })
}

test('a setting is verified by the value the equipment reports, and is desired from then on', async () => {
  const change = await set(1, { 'leakage.trip': 100, 'overload.delay': 30 })
  expect(change.State).not.toBe('verified')
  await ends(1, 'verified')
  expect(inEquipment(1, 'leakage.trip')).toBe(100)
  expect(inEquipment(1, 'overload.delay')).toBe(30)
  const after = await settingState(1, 'leakage.trip')
  expect(after).toMatchObject({
    Reported: 100,
    Desired: 100,
    Standing: 'same',
    By: 'admin',
    Source: 'console',
    Min: 30,
    Max: 500,
  })
  expect((await audit('setting.console', 'authorised'))[0]).toMatchObject({ target: 'A-T1/1', after: { reason: '整定' } })
})

test('the upper end of a range is 1.2In of the line, and may be set for a while', async () => {
  const until = Date.now() + ahead + 3_600_000
  await set(1, { 'overload.trip': 75.6 }, { OffUntil: until })
  await ends(1, 'verified')
  expect(await settingState(1, 'overload.trip')).toMatchObject({ Max: 75.6, Standing: 'same', Off: { Until: until } })
  await expect(set(1, { 'overload.trip': 76 })).rejects.toMatchObject({
    message: 'setting out of range',
    problem: { failure: { Problems: [{ Text: { zh: '过载保护应为 1–75.6 A（1.2In）' } }] } },
  })
})

test('a value that is set again is proven again', async () => {
  await set(1, { 'leakage.trip': 100 })
  await ends(1, 'verified')
})

test('`{type}/{attr}` names one setting; what the family does not have is refused', async () => {
  const put = (type: string, attr: string, Value: number, ID = 'A-T1', LineNo = 2) =>
    stack.client.call(setStatus, { params: { ID, type, attr }, body: { LineNo, Value, CommandID: newId(), Reason: '整定' } })
  await put('overvoltage', 'trip', 255)
  await ends(2, 'verified')
  expect(inEquipment(2, 'overvoltage')).toBe(255)
  expect(await outcomeOf(put('overload', 'colour', 5))).toBe('setting unknown')
  expect(await outcomeOf(put('gas', 'low', 10))).toBe('setting unknown')
  expect(await outcomeOf(put('overload', 'trip', 0))).toBe('setting out of range')
  expect(await outcomeOf(put('overload', 'trip', 5, 'Z-T9'))).toBe('device not exists')
  expect(await outcomeOf(put('overload', 'trip', 5, 'A-Y1', 0))).toBe('setting unknown')
  const refused = await audit('setStatus', 'refused')
  expect(refused.map(({ after }) => after.why)).toEqual([
    'setting unknown',
    'device not exists',
    'setting out of range',
    'setting unknown',
    'setting unknown',
  ])
  expect(await history(2)).toHaveLength(1)
})

test('three-phase lines only, where the call says so', async () => {
  const body = { ...line(2), Settings: pairs({ 'overload.delay': 90 }), CommandID: newId(), Reason: '整定' }
  await stack.client.call(updateThreeLine, { body })
  await ends(2, 'verified')
  const other = { ...body, ControllerID: 'A-Y1', LineNo: 0, CommandID: newId() }
  expect(await outcomeOf(stack.client.call(updateThreeLine, { body: other }))).toBe('not three-phase')
})

test('the same id sets once, however often it is sent', async () => {
  const CommandID = newId()
  const all = await Promise.all([1, 2, 3].map(() => outcomeOf(set(3, { 'leakage.trip': 50 }, { CommandID }))))
  expect(all).toEqual(['done', 'done', 'done'])
  await ends(3, 'verified')
  await set(3, { 'leakage.trip': 50 }, { CommandID })
  expect(await outcomeOf(set(3, { 'leakage.trip': 60 }, { CommandID }))).toBe('command id used')
  expect(stack.fleet.executed.filter(({ action, lineNo }) => action === 'set' && lineNo === 3)).toHaveLength(1)
})

test('an acknowledgement proves nothing: silence ends unknown, a later report resolves it', async () => {
  const { behaviour } = gateway()
  behaviour.report = false
  behaviour.move = false
  await set(4, { 'leakage.trip': 200 })
  await ends(4, 'acknowledged')
  expect(await outcomeOf(set(4, { 'leakage.trip': 220 }))).toBe('setting under way')
  ahead += 21_000
  await ends(4, 'unknown')
  // What was asked for is still desired; what the equipment says is another thing, and that shows.
  expect(await settingState(4, 'leakage.trip')).toMatchObject({ Desired: 200, Standing: 'notReported' })
  Object.assign(behaviour, { report: true, move: true })
  // It was silent for so long that it may count as offline.
  await gateway().report()
  await stack.server.ingest.drained()
  await vi.waitFor(() => expect(stack.server.plant.lineAt('A-T1', 4)?.device.gateway.link).toBe('online'))
  await set(4, { 'leakage.trip': 200 })
  await ends(4, 'verified')
  expect((await history(4)).map(({ State }) => State)).toEqual(['verified', 'verified'])
})

test('a value that somebody changed on site shows as drift', async () => {
  gateway().line('A-T1', 4).settings.set('leakage.trip', 400)
  await gateway().reconnect()
  gateway().disconnectAbruptly()
  await gateway().reconnect()
  await vi.waitFor(async () =>
    expect(await settingState(4, 'leakage.trip')).toMatchObject({ Desired: 200, Reported: 400, Standing: 'drift' }),
  )
})

test('a line with a trip under way is not set: its order would be the newer one', async () => {
  const { behaviour } = gateway()
  behaviour.move = false
  await stack.client.call(operateLine, {
    params: { ...line(5), attr: 'trip' },
    body: { CommandID: newId(), Reason: 'test' },
  })
  expect(await outcomeOf(set(5, { 'leakage.trip': 100 }))).toBe('setting under way')
  behaviour.move = true
})

test('the gateway refuses what is locked on site, and nothing is desired by it', async () => {
  // Locked in this very moment: the server does not know yet.
  const onSite = gateway().line('A-T1', 6)
  onSite.forcedStates.set('lock.local', 'off')
  onSite.localLock = true
  await set(6, { 'leakage.trip': 100 })
  await ends(6, 'refused')
  expect((await history(6))[0]?.Outcome).toBe('local_lock')
  expect(await settingState(6, 'leakage.trip')).toMatchObject({ Desired: null })
  onSite.localLock = false
  onSite.forcedStates.delete('lock.local')
})

test('many lines at once: each answers for itself, and those that cannot stop none of the others', async () => {
  const only = await person('setter', ['devmon', 'devmon.params'])
  stack.fleet.gatewayOf('B-T1').disconnectAbruptly()
  await vi.waitFor(() => expect(stack.server.plant.lineAt('B-T1', 1)?.device.gateway.link).toBe('offline'))
  const targets = [line(7), line(8), { ControllerID: 'A-Y1', LineNo: 0 }, { ControllerID: 'B-T1', LineNo: 1 }, line(99)]
  const outcomes = ({ items }: { items: readonly TargetResult[] }) =>
    items.map(({ Change, Refused }) => Refused?.Message ?? Change?.Source)
  expect(outcomes(await setMany(targets, { 'temperature.alarm': 75 }))).toEqual([
    'copy',
    'copy',
    'setting unknown',
    '离线',
    'device not exists',
  ])
  await ends(7, 'verified')
  await ends(8, 'verified')
  // In somebody else's project the device does not exist, whatever its state.
  const asSetter = await setMany(targets, { 'temperature.alarm': 70 }, only)
  expect(asSetter.items[3]?.Refused).toMatchObject({ Message: 'device not exists', Text: { zh: '设备不存在' } })
  await ends(8, 'verified')
  expect((await audit('setting.copy', 'refused'))[0]?.after).toMatchObject({
    refused: { 'A-Y1/0': 'setting unknown', 'B-T1/1': 'device not exists' },
  })
  await stack.fleet.gatewayOf('B-T1').reconnect()
})

test('a whole device is set line by line', async () => {
  const { items } = await stack.client.call(setController, {
    params: { ControllerID: 'A-T1' },
    body: { Settings: pairs({ 'overload.delay': 45 }), BatchID: newId(), Reason: '整定' },
  })
  expect(items).toHaveLength(8)
  await ends(8, 'verified')
  await vi.waitFor(() =>
    expect([1, 2, 3, 4, 6, 7, 8].map((each) => inEquipment(each, 'overload.delay'))).toEqual(Array(7).fill(45)),
  )
})

test('one change is taken back on the same path, and the history says so', async () => {
  await set(8, { 'leakage.trip': 300 })
  await ends(8, 'verified')
  const changed = await set(8, { 'leakage.trip': 120 })
  await ends(8, 'verified')
  await stack.client.call(undoSetting, { body: { ChangeID: changed.CommandID, CommandID: newId(), Reason: '误操作' } })
  await ends(8, 'verified')
  expect(inEquipment(8, 'leakage.trip')).toBe(300)
  expect((await history(8))[0]).toMatchObject({ Source: 'undo', Undoes: changed.CommandID, Actor: 'admin', Reason: '误操作' })
  const undo = (ChangeID: string) => stack.client.call(undoSetting, { body: { ChangeID, CommandID: newId(), Reason: 'x' } })
  expect(await outcomeOf(undo(newId()))).toBe('change not exists')
  // Of an older change: what was set since, here for the protection of people, is not overwritten unseen.
  const later = await set(8, { 'leakage.trip': 30 })
  await ends(8, 'verified')
  expect(await outcomeOf(undo(changed.CommandID))).toBe('changed meanwhile')
  const Seen = [{ Key: 'leakage.trip', Value: 30 }]
  const intent = { ChangeID: changed.CommandID, CommandID: newId(), Reason: '误操作', Seen }
  expect(await stack.client.call(undoSetting, { body: intent })).toMatchObject({ Undoes: changed.CommandID })
  await ends(8, 'verified')
  expect([inEquipment(8, 'leakage.trip'), later.Settings[0]?.Wanted]).toEqual([300, 30])
  // The same value set again by somebody is theirs, and what an order with no known outcome may have set is nobody's to overwrite.
  const first = await set(8, { 'leakage.trip': 200 })
  await ends(8, 'verified')
  await set(8, { 'leakage.trip': 200 })
  await ends(8, 'verified')
  expect(await outcomeOf(undo(first.CommandID))).toBe('changed meanwhile')
  const { behaviour } = gateway()
  Object.assign(behaviour, { report: false, move: false })
  const lost = await set(8, { 'leakage.trip': 150 })
  await ends(8, 'acknowledged')
  ahead += 16_000
  await ends(8, 'unknown')
  Object.assign(behaviour, { report: true, move: true })
  await gateway().report()
  await stack.server.ingest.drained()
  await vi.waitFor(() => expect(stack.server.plant.lineAt('A-T1', 8)?.device.gateway.link).toBe('online'))
  const seen = { ChangeID: first.CommandID, CommandID: newId(), Reason: '误操作', Seen: [{ Key: 'leakage.trip', Value: 200 }] }
  expect(await outcomeOf(stack.client.call(undoSetting, { body: seen }))).toBe('changed meanwhile')
  // The lost one itself may be taken back.
  await stack.client.call(undoSetting, { body: { ChangeID: lost.CommandID, CommandID: newId(), Reason: '误操作' } })
  await ends(8, 'verified')
  expect(inEquipment(8, 'leakage.trip')).toBe(200)
  const refused = (await history(6)).find(({ State }) => State === 'refused')
  expect(await outcomeOf(undo(refused?.CommandID ?? ''))).toBe('change not done')
})

test('how often a gateway reports is set and read back too', async () => {
  const DeviceID = stack.server.plant.lineAt('A-T1', 1)?.device.gateway.id ?? 0
  const put = (Seconds: number) =>
    stack.client.call(setReportingInterval, { body: { DeviceID, Seconds, CommandID: newId(), Reason: '省流量' } })
  expect(await outcomeOf(put(0))).toBe('setting out of range')
  const { CommandID } = await put(5)
  const found = async () =>
    (await stack.client.call(settingHistory, { body: { BatchID: CommandID } })).items.map(({ State, LineID }) => [State, LineID])
  await vi.waitFor(async () => expect(await found()).toEqual([['verified', null]]))
  expect(stack.server.plant.gateways.get(DeviceID)?.reportingPeriodMs).toBe(5_000)
  await stack.client.call(undoSetting, { body: { ChangeID: CommandID, CommandID: newId(), Reason: '恢复' } })
  await vi.waitFor(() => expect(stack.server.plant.gateways.get(DeviceID)?.reportingPeriodMs).toBe(1_000))
})

test('the page permission, the own tenant and the control password stand before every setting', async () => {
  const reader = await person('reader', ['devmon', 'devmon.realtime'])
  expect(await outcomeOf(set(1, { 'leakage.trip': 90 }, {}, reader))).toBe('access denied')
  await stack.server.accounts.createAccount({
    userName: 'looker',
    password: 'Look-7391',
    kind: 'shared',
    projectIds: [...stack.server.plant.projects.keys()],
  })
  const shared = await signedIn(stack.url, { userName: 'looker', password: 'Look-7391' })
  expect(await outcomeOf(set(1, { 'leakage.trip': 90 }, {}, shared))).toBe('access denied')
  const careful = await person('careful', ['devmon', 'devmon.params'], 'Ctrl-2580')
  expect(await outcomeOf(set(1, { 'leakage.trip': 90 }, {}, careful))).toBe('control grant missing')
  const foreign = { ControllerID: 'B-T1', LineNo: 1, Settings: pairs({ 'leakage.trip': 90 }), CommandID: newId(), Reason: 'x' }
  expect(await outcomeOf(careful.call(updateLine, { body: foreign }))).toBe('device not exists')
  expect((await audit('updateLine', 'refused')).slice(0, 4).map(({ target, after }) => [target, after.why])).toEqual([
    ['B-T1/1', 'device not exists'],
    ['A-T1/1', 'control grant missing'],
    ['A-T1/1', 'access denied'],
    ['A-T1/1', 'access denied'],
  ])
  const settings = { 'leakage.trip': 90 }
  const meant = { lines: [line(1)], settings }
  const order = { ...line(1), Settings: pairs(settings), Reason: '整定' }
  const another = await careful.call(grantControl, {
    body: { Password: md5Hex('Ctrl-2580'), Operation: settingOperation(newId(), meant) },
  })
  const withAnother = { ...order, CommandID: newId(), Grant: another.Grant }
  expect(await outcomeOf(careful.call(updateLine, { body: withAnother }))).toBe('control grant over')
  const CommandID = newId()
  const grantFor = async (intent: SettingIntent) => {
    const Operation = settingOperation(CommandID, intent)
    return (await careful.call(grantControl, { body: { Password: md5Hex('Ctrl-2580'), Operation } })).Grant
  }
  const others: SettingIntent[] = [
    { lines: [line(2)], settings },
    { lines: [line(1)], settings: { 'leakage.trip': 60 } },
    { device: 'A-T1', settings },
    { ...meant, OffUntil: Date.now() + 600_000 },
  ]
  for (const other of others) {
    const body = { ...order, CommandID, Grant: await grantFor(other) }
    expect(await outcomeOf(careful.call(updateLine, { body }))).toBe('control grant over')
  }
  const body = { ...order, CommandID, Grant: await grantFor(meant) }
  const copies = await Promise.all(Array.from({ length: 20 }, () => careful.call(updateLine, { body })))
  expect(new Set(copies.map((each) => each.CommandID))).toEqual(new Set([CommandID]))
  await ends(1, 'verified')
  expect((await history(1))[0]?.Actor).toBe('careful')
  const { items } = await careful.call(settingHistory, { body: { Size: 100 } })
  expect(items.every(({ ControllerID }) => ControllerID === 'A-T1' || ControllerID === null)).toBe(true)
})

test('nothing was ever set twice or after its deadline', () => {
  const all = stack.fleet.executed.filter(({ action, outcome }) => action === 'set' && outcome === 'executed')
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  expect(all.every(({ at, deadline }) => at <= deadline)).toBe(true)
})
