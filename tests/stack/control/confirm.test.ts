import { md5Hex } from '@linewarden/client'
import {
  closePermit,
  grantControl,
  groupOperation,
  operateLine,
  operationImpact,
  setFeed,
  startRun,
  testLeakages,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { registerFeedTrees } from '../../../scripts/demo/seed.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'

// Line 1 feeds 2 and 3, and 3 feeds 4. The clock is ours: ten seconds must lie between two operations of a line.
let stack: Stack
let ahead = 0
const clock = () => Date.now() + ahead

const at = (LineNo: number) => ({ ControllerID: 'A-T1', LineNo })
const id = () => crypto.randomUUID()

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock, fleet: { now: clock } })
  calm(stack)
  for (const [line, by] of [
    [2, 1],
    [3, 1],
    [4, 3],
  ] as const)
    await stack.client.call(setFeed, { params: at(line), body: { FedBy: at(by), Was: null } })
})
afterAll(() => stack?.close())

const operate = (LineNo: number, attr: 'trip' | 'close' | 'selfTest', more: object = {}) =>
  outcomeOf(
    stack.client.call(operateLine, { params: { ...at(LineNo), attr }, body: { CommandID: id(), Reason: 'test', ...more } }),
  )
const impact = (Action: 'trip' | 'close' | 'selfTest', ...lines: number[]) =>
  stack.client.call(operationImpact, { body: { Action, Lines: lines.map(at) } })
const executed = (action: string, lineNo: number) =>
  stack.fleet.executed.filter((each) => each.action === action && each.lineNo === lineNo && each.outcome === 'executed').length
const position = (lineNo: number) => stack.server.plant.lineAt('A-T1', lineNo)?.states.get('position')
async function later(): Promise<void> {
  ahead += 11_000
  for (const each of stack.fleet.gateways.values()) await each.report()
  await stack.server.ingest.drained()
}
const mayClose = (lineNo: number) =>
  vi.waitFor(async () => expect((await stack.client.call(closePermit, { params: at(lineNo) })).MayClose).toBe(true))

test('what an incomer moves is told with everything below it, at any depth, and its own load', async () => {
  const incomer = await impact('close', 1)
  expect(incomer).toMatchObject({ Lines: 1, Fed: 3, Feeders: 1, UnknownLoads: 0, Confirm: 4 })
  expect(incomer.RatedKw).toBeCloseTo((63 * 230 * 3) / 1000)
  const [alone, withBranch] = [await impact('trip', 1), await impact('trip', 1, 4)]
  expect(alone.LoadKw).toBeGreaterThan(0)
  // The branch is part of it: within what the load itself moves between two reports.
  expect(withBranch.LoadKw).toBeCloseTo(alone.LoadKw ?? Number.NaN, 0)
  expect([alone.Confirm, withBranch.Fed]).toEqual([null, 2])
})

test('a load nobody knows now is not told as nothing', async () => {
  stack.fleet.gatewayOf('A-T1').disconnectAbruptly()
  await vi.waitFor(() => expect(stack.server.plant.lineAt('A-T1', 5)?.device.gateway.link).toBe('offline'))
  expect(await impact('trip', 5)).toMatchObject({ LoadKw: null, UnknownLoads: 1 })
  await stack.fleet.gatewayOf('A-T1').reconnect()
  await stack.server.ingest.drained()
})

test('an incomer is tripped at once, and closed only by who has typed how many lines that energises', async () => {
  expect(await operate(1, 'trip')).toBe('done')
  await vi.waitFor(() => expect(position(1)).toBe('open'))
  await later()
  await mayClose(1)
  expect(await operate(1, 'close')).toBe('confirmation needed')
  for (const Confirmed of [1, 3, 5]) expect(await operate(1, 'close', { Confirmed })).toBe('confirmation needed')
  expect(executed('close', 1)).toBe(0)
  expect(await operate(1, 'close', { Confirmed: 4 })).toBe('done')
  await vi.waitFor(() => expect(executed('close', 1)).toBe(1))
})

test('the refusal says the number, in the log too; a line that feeds nothing is closed without it', async () => {
  const refused = stack.client.call(operateLine, {
    params: { ...at(3), attr: 'selfTest' },
    body: { CommandID: id(), Reason: 'test', Confirmed: 9 },
  })
  await expect(refused).rejects.toMatchObject({ message: 'confirmation needed', problem: { failure: { Detail: { count: 2 } } } })
  const logged = stack.server.database.general.selectFrom('audit').select('after').where('action', '=', 'line.selfTest')
  expect((await logged.executeTakeFirstOrThrow()).after).toMatchObject({ refusal: 'confirmation needed' })
  expect(await operate(6, 'trip')).toBe('done')
  await vi.waitFor(() => expect(position(6)).toBe('open'))
  await later()
  await mayClose(6)
  expect(await operate(6, 'close')).toBe('done')
})

test('a group of more than five is typed, whatever it does; one of five is not', async () => {
  const trip = (numbers: readonly number[], more: object = {}) =>
    outcomeOf(
      stack.client.call(startRun, { body: { RunID: id(), Action: 'trip', Lines: numbers.map(at), Reason: 'test', ...more } }),
    )
  const six = [2, 4, 5, 6, 7, 8]
  expect((await impact('trip', ...six)).Confirm).toBe(6)
  expect([await trip(six), await trip(six, { Confirmed: 5 })]).toEqual(['confirmation needed', 'confirmation needed'])
  expect(six.map((lineNo) => executed('trip', lineNo))).toEqual([0, 0, 0, 1, 0, 0])
  expect([await trip(six.slice(0, 5)), await trip(six, { Confirmed: 6 })]).toEqual(['done', 'done'])
  await vi.waitFor(() => expect(six.map(position)).toEqual(six.map(() => 'open')))
  const body = { RunID: id(), Lines: [at(3)], Reason: 'test' }
  expect(await outcomeOf(stack.client.call(testLeakages, { body }))).toBe('confirmation needed')
})

test('a count that is refused leaves the grant for the count that is right', async () => {
  await stack.server.accounts.createAccount({
    userName: 'careful',
    password: 'Duty-7391',
    kind: 'platform',
    controlPassword: 'Ctrl-2580',
  })
  const client = await signedIn(stack.url, { userName: 'careful', password: 'Duty-7391' }, clock)
  const RunID = id()
  const Lines = [2, 4, 5, 6, 7, 8].map(at)
  const Operation = groupOperation('trip', RunID, Lines)
  const { Grant } = await client.call(grantControl, { body: { Password: md5Hex('Ctrl-2580'), Operation } })
  const trip = (Confirmed: number) =>
    outcomeOf(client.call(startRun, { body: { RunID, Action: 'trip', Lines, Reason: 'test', Grant, Confirmed } }))
  expect([await trip(1), await trip(6)]).toEqual(['confirmation needed', 'done'])
})

test('a cabinet whose incomer is registered asks how many lines it feeds, and a second start leaves alone what people changed', async () => {
  const [, plan] = smallPlan.flatMap(({ gateways }) => gateways)
  const at = (LineNo: number) => ({ ControllerID: 'B-T1', LineNo })
  const register = () => registerFeedTrees(stack.server, plan ? [{ ...plan, incomer: { controllerId: 'B-T1', lineNo: 1 } }] : [])
  const asked = async () => {
    const { Fed, Confirm } = await stack.client.call(operationImpact, { body: { Action: 'close', Lines: [at(1)] } })
    return { Fed, Confirm }
  }
  await register()
  expect(await asked()).toEqual({ Fed: 7, Confirm: 8 })
  await stack.client.call(setFeed, { params: at(8), body: { FedBy: null, Was: at(1) } })
  await register()
  expect(await asked()).toEqual({ Fed: 6, Confirm: 7 })
})
