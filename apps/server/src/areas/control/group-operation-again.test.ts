import type { GroupAction } from '@linewarden/rules/control'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Runner } from '../../jobs/runner.ts'
import { Hub } from '../../plant/hub.ts'
import { endThese } from '../../store/account/session.ts'
import type { StoredCommand } from '../../store/control/command.ts'
import { groupOperationById, insertGroupOperation } from '../../store/control/group-operation.ts'
import { beginGroupOperation } from '../../store/control/group-operation-life.ts'
import { newGroupOperation, newOrders } from './group-operation-orders.ts'
import { createGroupOperations } from './group-operations.ts'
import { createStagger } from './stagger.ts'
import { testLines } from './test-lines.ts'

// A group that was stored while the answer to its COMMIT was lost: nobody carries it, and its person presses again.
const now = 60_000
let house: Awaited<ReturnType<typeof testLines>>
/** What left for the equipment. */
let left: StoredCommand[] = []
let servers: { close(): Promise<void> }[] = []

beforeAll(async () => {
  house = await testLines()
  for (const line of house.plant.lines.values()) {
    line.device.gateway.link = 'online'
    line.liveAt = now
    line.liveReceivedAt = now
    for (const [state, value] of [
      ['position', 'open'],
      ['trip.cause', 'none'],
      ['lock.local', 'off'],
      ['selfTest', 'notDone'],
    ] as const)
      line.states.set(state, value)
  }
})
afterAll(() => house?.drop())
beforeEach(async () => {
  left = []
  servers = []
  await sql`truncate command, operation_run, due_work, session cascade`.execute(house.database.general)
  await sql`insert into session (session_id, account_id, token, created_at, last_used_at, address)
    overriding system value values (${house.actor.sessionId}, ${house.actor.accountId}, '', now(), now(), '')`.execute(
    house.database.general,
  )
})
afterEach(async () => {
  for (const server of servers) await server.close()
})

async function serve(reach: 'yes' | 'not_connected' = 'yes') {
  const log = { error: () => {} } as never
  const { database, plant } = house
  const runner = new Runner({ database, log })
  const gate = house.gate({ left, clock: () => now, reach })
  const stagger = createStagger(() => performance.now())
  const hub = new Hub(() => {})
  const operations = createGroupOperations({
    database,
    plant,
    hub,
    gate,
    stagger,
    runner,
    actorNow: async (actor) => actor,
    clock: () => now,
    log,
  })
  await runner.start()
  servers.push({
    async close() {
      await operations.close()
      await runner.close()
    },
  })
  return { ...operations, runner }
}
type Server = Awaited<ReturnType<typeof serve>>

const placed = (...lineNos: number[]) => lineNos.map((lineNo) => house.line(lineNo))

/** Stored, and its server never heard of it; `again`: its person presses once more. */
async function unanswered(server: Server, action: GroupAction, lines = placed(1, 2)) {
  const body = { RunID: crypto.randomUUID(), Reason: 'x', StaggerMs: 1000 }
  const operation = newGroupOperation(house.actor, action, newOrders(house.actor, action, lines, body), body, now)
  await insertGroupOperation(house.database, operation, [], server.runner.holder)
  return {
    operationId: operation.id,
    commandIds: operation.lines.map(({ commandId }) => commandId),
    again: (at = server, actor = house.actor, those = lines) => at.start(actor, action, those, body),
  }
}
const operation = (operationId: string) => groupOperationById(house.database, operationId)
const statesOf = async (operationId: string) => (await operation(operationId))?.lines.map(({ state }) => state)
const ended = (operationId: string) => vi.waitFor(async () => expect((await operation(operationId))?.endedAt).not.toBeNull())
const begin = (operationId: string, { runner }: Server) =>
  beginGroupOperation(house.database, operationId, house.actor.sessionId, runner.holder)
const lapse = () => sql`update due_work set lease_until = now()`.execute(house.database.general)

/** Nobody writes to a group operation until this is released. */
const lockOperations = () => house.lock('select from operation_run for update')

test('pressed again, twice at once, a trip leaves for each of its lines, once and under the ids that were stored', async () => {
  const server = await serve()
  const { operationId, commandIds, again } = await unanswered(server, 'trip', placed(1, 2, 3, 4))
  await Promise.all([again(), again()])
  await ended(operationId)
  await again()
  expect(left.map(({ commandId }) => commandId).toSorted()).toEqual(commandIds.toSorted())
  expect(await statesOf(operationId)).toEqual(commandIds.map(() => 'ordered'))
})

test('pressed again when its lease is over, a trip leaves and is not taken for missed by the next look', async () => {
  const server = await serve()
  const { operationId, again } = await unanswered(server, 'trip')
  await lapse()
  await server.runner.look()
  await again()
  await server.runner.look()
  await ended(operationId)
  expect(await statesOf(operationId)).toEqual(['ordered', 'ordered'])
  expect(left).toHaveLength(2)
})

test('a trip is begun from another session of the same person too; a close only from its own', async () => {
  const server = await serve()
  const elsewhere = { ...house.actor, sessionId: '999' }
  const trip = await unanswered(server, 'trip', placed(1))
  await trip.again(server, elsewhere)
  await ended(trip.operationId)
  const close = await unanswered(server, 'close', placed(2))
  await close.again(server, elsewhere)
  expect(server.runner.hasLease(close.operationId)).toBe(false)
  expect(await statesOf(close.operationId)).toEqual(['waiting'])
  await close.again()
  await ended(close.operationId)
  expect(left.map(({ action }) => action)).toEqual(['trip', 'close'])
})

test('a close whose sign-in was ended is not begun', async () => {
  const server = await serve()
  const { operationId, again } = await unanswered(server, 'close')
  await endThese(house.database.control, { sessionIds: [house.actor.sessionId], rememberIds: [] }, null)
  expect(await again()).toMatchObject({ EndedAt: now, Lines: [1, 2].map(() => ({ Refusal: { Key: 'run sign-in ended' } })) })
  expect(server.runner.hasLease(operationId)).toBe(false)
  expect(left).toEqual([])
})

test('what stands against a line stands against it now as well', async () => {
  const server = await serve('not_connected')
  const { operationId, again } = await unanswered(server, 'close')
  await again()
  await ended(operationId)
  expect(await statesOf(operationId)).toEqual(['refused', 'refused'])
  expect(left).toEqual([])
})

test.each<GroupAction>(['trip', 'close'])(
  'what its server stored and never began begins once where its person presses: a %s',
  async (action) => {
    const [dead, other, third] = [await serve(), await serve(), await serve()]
    const { operationId, commandIds, again } = await unanswered(dead, action)
    const release = await lockOperations()
    const pressed = Promise.all([again(other), again(third)])
    // Where one of them comes to nothing, that is what failed.
    await Promise.race([house.waiting(2), pressed])
    await release()
    await pressed
    await ended(operationId)
    expect(left.map(({ commandId }) => commandId).toSorted()).toEqual(commandIds.toSorted())
    expect(await statesOf(operationId)).toEqual(['ordered', 'ordered'])
  },
)

test('a server that wakes up after another has begun what it stored begins nothing of it', async () => {
  const [slow, other] = [await serve(), await serve()]
  const { operationId, again } = await unanswered(slow, 'close')
  await again(other)
  expect(await begin(operationId, slow)).toBeNull()
  await again(slow)
  expect(slow.runner.hasLease(operationId)).toBe(false)
})

test('what a server has begun begins on no other; where only the answer to that was lost, on itself', async () => {
  const [server, other] = [await serve(), await serve()]
  const { operationId, again } = await unanswered(server, 'close')
  await begin(operationId, server)
  await again(other)
  expect(other.runner.hasLease(operationId)).toBe(false)
  expect(await statesOf(operationId)).toEqual(['waiting', 'waiting'])
  await again(server)
  await ended(operationId)
  expect(await statesOf(operationId)).toEqual(['ordered', 'ordered'])
})

test('what a server of the version before stored begins on no other', async () => {
  const [before, other] = [await serve(), await serve()]
  const { operationId, again } = await unanswered(before, 'trip')
  await sql`update operation_run set begun_at = default`.execute(house.database.general)
  await again(other)
  expect(other.runner.hasLease(operationId)).toBe(false)
  expect(await statesOf(operationId)).toEqual(['waiting', 'waiting'])
})

test('a close pressed again when its lease is over never begins, and whoever presses is told at once', async () => {
  const [dead, other] = [await serve(), await serve()]
  const { again } = await unanswered(dead, 'close')
  await lapse()
  expect(await again(other)).toMatchObject({ EndedAt: now, Lines: [{ State: 'missed' }, { State: 'missed' }] })
  expect(left).toEqual([])
})

test('what is stored and not begun is missed when nobody presses again', async () => {
  const [dead, other] = [await serve(), await serve()]
  const { operationId, again } = await unanswered(dead, 'trip')
  await lapse()
  for (const _ of [1, 2]) await other.runner.look()
  expect(await statesOf(operationId)).toEqual(['missed', 'missed'])
  expect(await again(other)).toMatchObject({ EndedAt: now })
  expect(left).toEqual([])
})

test('what another server is taking over is not begun', async () => {
  const server = await serve()
  const { again } = await unanswered(server, 'trip')
  await sql`update due_work set fence = fence + 1`.execute(house.database.general)
  expect(await again()).toMatchObject({ Lines: [{ State: 'missed' }, { State: 'missed' }] })
  expect(left).toEqual([])
})

test('the same id with other lines begins nothing', async () => {
  const server = await serve()
  const { operationId, again } = await unanswered(server, 'trip')
  await again(server, house.actor, placed(1, 3))
  expect(server.runner.hasLease(operationId)).toBe(false)
  expect(left).toEqual([])
})

test('a group that somebody is stopping, or that is over, is not begun', async () => {
  const server = await serve()
  const { operationId, again } = await unanswered(server, 'trip')
  const release = await lockOperations()
  const stopping = server.stop(house.actor, operationId)
  await house.waiting(1)
  await again()
  await release()
  await stopping
  await again()
  expect(server.runner.hasLease(operationId)).toBe(false)
  expect(await statesOf(operationId)).toEqual(['stopped', 'stopped'])
  expect(left).toEqual([])
})
