import type { GroupOperationRecord } from '@linewarden/contract'
import { endSession, logout, placeTag, stopRun, testLeakages } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endedGroupOperation } from '../../kit/ended-group-operation.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'

// Campaigns of self-tests, against the whole house.
let stack: Stack
let ahead = 0

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => Date.now() + ahead, fleet: { now: () => Date.now() + ahead } })
  calm(stack)
})
afterAll(() => stack?.close())

const at = (LineNo: number) => ({ ControllerID: 'B-T1', LineNo })
const uuid = () => crypto.randomUUID()
async function later(): Promise<void> {
  ahead += 11_000
  for (const each of stack.fleet.gateways.values()) await each.report()
  await stack.server.ingest.drained()
}

test('a campaign tests its lines one after the other, says why it left one out, and nothing happens to that one', async () => {
  const own = [5, 6, 7].map(at)
  await later()
  await stack.client.call(placeTag, { params: at(6), body: { TagID: uuid(), Kind: 'lock', Reason: '更换电缆头' } })
  const operation = await endedGroupOperation(
    stack.client,
    await stack.client.call(testLeakages, { body: { RunID: uuid(), Lines: own, Reason: '月度自检', StaggerMs: 1_500 } }),
  )
  expect(
    operation.Lines.map(({ LineNo, State, Command }) => [LineNo, State, Command?.State ?? null, Command?.Outcome ?? null]),
  ).toEqual([
    [5, 'ordered', 'verified', null],
    [6, 'refused', null, null],
    [7, 'ordered', 'verified', null],
  ])
  expect(operation.Lines[1]?.Refusal).toMatchObject({
    Key: 'self-test not permitted',
    Text: { zh: expect.stringContaining('更换电缆头'), en: expect.stringContaining('更换电缆头') },
  })
  const tested = stack.fleet.executed.filter(
    ({ controllerId, lineNo, action }) => controllerId === 'B-T1' && lineNo < 8 && action === 'selfTest',
  )
  expect(tested.map(({ lineNo, outcome }) => [lineNo, outcome])).toEqual([
    [5, 'executed'],
    [7, 'executed'],
  ])
  // Of the sending, from which it counts: a gateway may be slow with the first. The clocks differ by some milliseconds.
  const [first, second] = operation.Lines.flatMap(({ Command }) => Command?.SentAt ?? [])
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(1_490)
  const position = (lineNo: number) => stack.fleet.gatewayOf('B-T1').line('B-T1', lineNo).position
  expect([5, 6, 7].map(position)).toEqual(['open', 'closed', 'open'])
})

test('a campaign goes on when whoever started it signs out, and not when somebody ends that sign-in', async () => {
  const who = { userName: 'leaver', password: 'Duty-7391' }
  const AccountID = await stack.server.accounts.createAccount({ ...who, kind: 'platform' })
  await later()
  const isRevoked = async ({ RunID }: GroupOperationRecord) => {
    const operations = stack.server.database.general.selectFrom('operation_run').select('revoked_at').where('run_id', '=', RunID)
    return (await operations.executeTakeFirstOrThrow()).revoked_at !== null
  }
  const begun = async (...numbers: number[]) => {
    const client = await signedIn(stack.url, who)
    const body = { RunID: uuid(), Lines: numbers.map(at), Reason: '月度自检', StaggerMs: 60_000 }
    return { client, operation: await client.call(testLeakages, { body }) }
  }
  const left = await begun(2, 3)
  await left.client.call(logout, { body: { UserID: AccountID } })
  expect(await isRevoked(left.operation)).toBe(false)
  await stack.client.call(stopRun, { params: { RunID: left.operation.RunID } })
  const thrownOut = await begun(4, 8)
  expect(await stack.client.call(endSession, { body: { AccountID } })).toEqual({ Ended: 1 })
  expect(await isRevoked(thrownOut.operation)).toBe(true)
  expect(await isRevoked(left.operation)).toBe(false)
  await stack.client.call(stopRun, { params: { RunID: thrownOut.operation.RunID } })
})
