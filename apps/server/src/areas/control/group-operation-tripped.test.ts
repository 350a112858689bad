import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Runner } from '../../jobs/runner.ts'
import { aboutLine } from '../../store/audit/subject.ts'
import { authorise } from '../../store/control/command.ts'
import { insertGroupOperation } from '../../store/control/group-operation.ts'
import { newGroupOperation, newOrders } from './group-operation-orders.ts'
import { delayedTurn, now, TestGroupOperations } from './test-group-operations.ts'

// A line that somebody opens while a group waits for its turn stays open.
const groups = new TestGroupOperations()
const { ended, operation, placed, serve, start } = groups

beforeAll(() => groups.open())
beforeEach(() => groups.begin())
afterEach(() => groups.end())
afterAll(() => groups.drop())

/** Somebody trips line 1, on a server whose clock says this; it is over by now. */
async function tripped(issuedAt: number): Promise<void> {
  const { database } = groups
  const commandId = crypto.randomUUID()
  const trip = {
    ...{ commandId, lineId: groups.line(1).id, action: 'trip' as const, accountId: groups.actor.accountId, actor: 'b' },
    ...{ source: 'console', reason: 'work there', issuedAt, deadline: issuedAt, operationId: null },
  } as const
  const of = { subject: aboutLine(groups.line(1)), tenant: null, outcome: 'authorised' } as const
  const audit = { ...of, at: issuedAt, actor: 'b', address: '', action: 'line.trip' } as const
  await authorise(database, trip, audit)
  await sql`update command set state = 'verified', ended_at = issued_at where command_id = ${commandId}`.execute(database.control)
}

/** What becomes of a close of line 1 when this happens before its turn. */
async function closesAfter(meanwhile: () => unknown) {
  const turn = delayedTurn()
  const operations = await serve(turn)
  const operationId = await start(operations, placed(1))
  await vi.waitFor(() => expect(turn.turns).toBe(1))
  await meanwhile()
  turn.go()
  return outcome(operationId)
}

async function outcome(operationId: string) {
  await ended(operationId)
  const [line] = (await operation(operationId))?.lines ?? []
  return [line?.state, line?.refusal?.key ?? null, groups.left.length]
}

const keptOpen = ['refused', 'tripped since begun', 0]

test.each([
  ['a clock that is behind', now - 3_600_000],
  ['the same clock', now],
  ['a clock that is ahead', now + 3_600_000],
])('a line that somebody tripped after the group began is not closed: by %s', async (_, at) => {
  expect(await closesAfter(() => tripped(at))).toEqual(keptOpen)
})

test('a trip before the group began keeps nothing open, whatever its clock said', async () => {
  await tripped(now + 3_600_000)
  expect(await closesAfter(() => {})).toEqual(['ordered', null, 1])
})

test('pressed again on a server that did not begin it, what was tripped since it was stored is not closed', async () => {
  const { actor, database } = groups
  const body = { RunID: crypto.randomUUID(), Reason: 'x' }
  const runner = new Runner({ database, log: { error: () => {} } as never })
  const orders = newOrders(actor, 'close', placed(1), body)
  await insertGroupOperation(database, newGroupOperation(actor, 'close', orders, body, now), [], runner.holder)
  await tripped(now + 1)
  const operations = await serve()
  await operations.start(actor, 'close', placed(1), body)
  expect(await outcome(body.RunID)).toEqual(keptOpen)
})
