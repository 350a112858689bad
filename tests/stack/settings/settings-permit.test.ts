import type { Client } from '@linewarden/client'
import { CallError } from '@linewarden/client'
import {
  closePermit,
  inspect,
  lineCommands,
  operateLine,
  placeTag,
  removeTag,
  setReportingInterval,
  settingHistory,
  updateLine,
  updateLines,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'
import { verified } from '../../kit/verified.ts'

// A setting moves a protection: what stands against operating a line stands against setting it, and of two orders for one line one is refused.
let stack: Stack
let ahead = 0

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => Date.now() + ahead, fleet: { now: () => Date.now() + ahead } })
  calm(stack)
})
afterAll(() => stack?.close())

const at = (LineNo: number, ControllerID = 'A-T1') => ({ ControllerID, LineNo })
const gateway = () => stack.fleet.gatewayOf('A-T1')
const inPlant = (LineNo: number) => {
  const line = stack.server.plant.lineAt('A-T1', LineNo)
  if (!line) throw new Error(`no line ${LineNo}`)
  return line
}
const Settings = [{ Key: 'leakage.trip', Value: 120 }]
const set = (LineNo: number, by: Client = stack.client, ControllerID = 'A-T1') =>
  by.call(updateLine, { body: { ...at(LineNo, ControllerID), Settings, CommandID: crypto.randomUUID(), Reason: '整定' } })
const operate = (LineNo: number, attr: 'trip' | 'close') =>
  stack.client.call(operateLine, { params: { ...at(LineNo), attr }, body: { CommandID: crypto.randomUUID(), Reason: 'test' } })
/** What an order was refused with, and each condition that stood against it. */
async function refusal(order: Promise<unknown>): Promise<{ message: string; blocks: string[]; why: string }> {
  const error = await order.then(
    () => new Error('done'),
    (thrown: Error) => thrown,
  )
  const detail = (error instanceof CallError && error.problem.kind === 'refusal' ? error.problem.failure.Detail : undefined) as
    | { blocks?: { Key: string; Why: { zh: string } | null }[] }
    | undefined
  const blocks = detail?.blocks ?? []
  return { message: error.message, blocks: blocks.map(({ Key }) => Key), why: blocks.map(({ Why }) => Why?.zh).join() }
}
const setIn = (lineNo: number) => stack.fleet.executed.filter((each) => each.lineNo === lineNo && each.action === 'set')
const isSet = (LineNo: number, State = 'verified') =>
  vi.waitFor(
    async () => {
      const { items } = await stack.client.call(settingHistory, { body: { Target: at(LineNo), Size: 1 } })
      expect(items[0]?.State).toBe(State)
    },
    { interval: 50 },
  )
async function isOpen(LineNo: number): Promise<void> {
  await operate(LineNo, 'trip')
  await verified(stack.client, at(LineNo))
  ahead += 11_000
  for (const each of stack.fleet.gateways.values()) await each.report()
  await stack.server.ingest.drained()
  await vi.waitFor(async () => expect((await stack.client.call(closePermit, { params: at(LineNo) })).MayClose).toBe(true))
}

test('a tag stands against a setting, also one that another server hung, and with its own words', async () => {
  const TagID = crypto.randomUUID()
  await stack.client.call(placeTag, { params: at(1), body: { TagID, Kind: 'tag', Reason: '更换电缆' } })
  const refused = { message: 'operation not permitted', blocks: ['tags'], why: expect.stringContaining('更换电缆') }
  expect(await refusal(set(1))).toEqual(refused)
  inPlant(1).ownTags = []
  expect(await refusal(set(1))).toEqual(refused)
  // In a batch too: the others are set, and this one says why it was not.
  inPlant(1).ownTags = []
  const { items } = await stack.client.call(updateLines, {
    body: { Targets: [at(1), at(8)], Settings, BatchID: crypto.randomUUID(), Reason: '整定' },
  })
  expect(items.map(({ Change, Refused }) => Refused?.Message ?? Change?.Source)).toEqual(['operation not permitted', 'copy'])
  // Only what was authorised is in the log as authorised.
  const audit = stack.server.database.general.selectFrom('audit').select(['target', 'before', 'after'])
  const entry = await audit.where('action', '=', 'setting.copy').where('outcome', '=', 'authorised').executeTakeFirstOrThrow()
  expect(entry).toMatchObject({ target: 'A-T1/8', after: { targets: { 'A-T1/8': { 'leakage.trip': 120 } } } })
  expect([entry.before, entry.after].map((each) => JSON.stringify(each)).join()).not.toContain('A-T1/1')
  expect(setIn(1)).toEqual([])
  const body = { DeviceID: inPlant(1).device.gateway.id, Seconds: 5, CommandID: crypto.randomUUID(), Reason: '省流量' }
  expect(await refusal(stack.client.call(setReportingInterval, { body }))).toEqual(refused)
  await stack.client.call(removeTag, { params: { ...at(1), TagID }, body: {} })
  await set(1)
  await isSet(1)
})

test('a tag that another server hangs while a setting is on its way out keeps it from leaving', async () => {
  const db = await stack.server.database.connect()
  await db.query(`create function hang() returns trigger language plpgsql as $$ begin
    insert into tag (tag_id, line_id, kind, holder, reason, placed_at) values (gen_random_uuid(), new.line_id, 'tag', 'zhang', 'x', now());
    return null; end $$`)
  await db.query(
    `create trigger hang after update on setting_change for each row when (new.state = 'sent') execute function hang()`,
  )
  const before = setIn(8).length
  await set(8)
  await isSet(8, 'refused')
  expect(setIn(8)).toHaveLength(before)
  await db.query('drop trigger hang on setting_change')
  await db.query('update tag set removed_at = now()')
  await db.end()
  await set(8)
  await isSet(8)
})

test('an inspection stands against a setting until its minute is over', async () => {
  await stack.client.call(inspect, { body: { DeviceID: inPlant(2).device.gateway.id, ControllerID: 'A-T1' } })
  const refused = { message: 'operation not permitted', blocks: ['inspection'], why: expect.stringContaining('正在巡检') }
  expect(await refusal(set(2))).toEqual(refused)
  inPlant(2).inspectionUntil = null
  expect(await refusal(set(2))).toEqual(refused)
  // How often the gateway reports is the same for the line that is inspected.
  const period = () => inPlant(2).device.gateway.reportingPeriodMs
  const before = period()
  const reportEvery5 = () =>
    stack.client.call(setReportingInterval, {
      body: { DeviceID: inPlant(2).device.gateway.id, Seconds: 5, CommandID: crypto.randomUUID(), Reason: '省流量' },
    })
  expect(await refusal(reportEvery5())).toEqual(refused)
  expect([setIn(2), period()]).toEqual([[], before])
  ahead += 60_500
  for (const each of stack.fleet.gateways.values()) await each.report()
  await stack.server.ingest.drained()
  await set(2)
  await isSet(2)
  await reportEvery5()
  await vi.waitFor(() => expect(period()).toBe(5_000))
})

test('while a line is being set it is not closed and not set; a trip goes through', async () => {
  await isOpen(3)
  gateway().behaviour.move = false
  await set(3)
  expect([...inPlant(3).underWay.values()]).toEqual(['set'])
  const refused = { message: 'close not permitted', blocks: ['pending'], why: '另一条操作正在进行' }
  expect(await refusal(operate(3, 'close'))).toEqual(refused)
  expect((await refusal(set(3))).message).toBe('setting under way')
  // Another server would know of it from the database only.
  inPlant(3).underWay.clear()
  expect(await refusal(operate(3, 'close'))).toEqual(refused)
  gateway().behaviour.move = true
  await operate(3, 'trip')
  await vi.waitFor(async () => {
    const { items } = await stack.client.call(lineCommands, { params: at(3), query: {} })
    expect(items[0]).toMatchObject({ Action: 'trip', State: 'verified' })
  })
  expect(stack.fleet.executed.filter(({ lineNo, action }) => lineNo === 3 && action === 'close')).toEqual([])
})

test('while a line is being closed or tripped it is not set', async () => {
  await isOpen(4)
  gateway().behaviour.move = false
  await operate(4, 'close')
  expect((await refusal(set(4))).message).toBe('setting under way')
  inPlant(4).underWay.clear()
  expect((await refusal(set(4))).message).toBe('setting under way')
  await operate(5, 'trip')
  inPlant(5).underWay.clear()
  expect((await refusal(set(5))).message).toBe('setting under way')
  expect([...setIn(4), ...setIn(5)]).toEqual([])
  gateway().behaviour.move = true
})

test('of a setting and a close in the same moment one goes and the other is told', async () => {
  await isOpen(6)
  const outcomes = await Promise.all([refusal(set(6)), refusal(operate(6, 'close'))])
  const went = outcomes.filter(({ message }) => message === 'done')
  expect(went).toHaveLength(1)
  expect(outcomes.map(({ message }) => message)).toSatisfy(
    ([setting, close]: string[]) => setting === 'setting under way' || close === 'close not permitted',
  )
  await vi.waitFor(() =>
    expect(stack.fleet.executed.filter(({ lineNo, action }) => lineNo === 6 && action !== 'trip')).toHaveLength(1),
  )
})

test('a clock that is wrong stands against a setting, as against a close', async () => {
  stack.fleet.run('clockWrong', { gateway: 'GW-A' })
  await vi.waitFor(() => expect(inPlant(7).clockGood).toBe(false))
  expect(await refusal(set(7))).toMatchObject({ message: 'operation not permitted', blocks: ['clock'] })
  expect(setIn(7)).toEqual([])
  stack.fleet.run('clockRight', { gateway: 'GW-A' })
  await vi.waitFor(() => expect(inPlant(7).clockGood).toBe(true))
})

test('nothing is set on who is away, and nothing later when they are back', async () => {
  gateway().disconnectAbruptly()
  await vi.waitFor(() => expect(inPlant(7).device.gateway.link).toBe('offline'))
  expect((await refusal(set(7))).message).toBe('离线')
  await gateway().reconnect()
  await vi.waitFor(() => expect(inPlant(7).device.gateway.link).toBe('online'))
  expect(setIn(7)).toEqual([])
})

test('whom a project is shared with reads its settings and sets none', async () => {
  const project = [...stack.server.plant.projects.values()].find(({ name }) => name === '项目A')
  await stack.server.accounts.createAccount({
    userName: 'guest',
    password: 'Duty-7391',
    kind: 'shared',
    projectIds: [project?.id ?? 0],
  })
  const guest = await signedIn(stack.url, { userName: 'guest', password: 'Duty-7391' })
  expect((await refusal(set(7, guest))).message).toBe('access denied')
  expect((await refusal(set(1, guest, 'B-T1'))).message).toBe('access denied')
  expect(setIn(7)).toEqual([])
})
