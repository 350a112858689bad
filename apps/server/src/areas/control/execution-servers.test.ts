import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { pendingOf } from '../../plant/plant.ts'
import { TestExecution } from './test-execution.ts'

// Two servers on one database: the second starts while the first carries its orders, and only the first hears of the equipment.
const server = new TestExecution()
const { answers, authorised, begun, ofId, position } = server

beforeAll(() => server.open())
afterEach(() => server.close())
afterAll(() => server.drop())

const stepsOf = async (id: string) =>
  (
    await sql<{ state: string }>`select state from command_step where command_id = ${id}::uuid order by step_no`.execute(
      server.database.general,
    )
  ).rows.map(({ state }) => state)

test('a trip that was verified stays so, whatever a server thinks of it that started in between', async () => {
  await server.start()
  const trip = await begun(1, 'trip')
  const second = await server.startBeside()
  expect(pendingOf(second.line(1))).toEqual({ commandId: trip, action: 'trip' })
  await answers(1, trip, {})
  await position(1, 'open')
  server.now += 35_001
  await second.execution.tick()
  expect(await ofId(trip)).toEqual({ state: 'verified', outcome: null })
  expect(await stepsOf(trip)).toEqual(['authorised', 'sent', 'acknowledged', 'verified'])
  // It has learnt how the trip ended.
  expect(pendingOf(second.line(1))).toBeNull()
})

test('a close that a starting server has called expired never leaves from the one that has it', async () => {
  await server.start()
  const close = await authorised(2, 'close')
  const second = await server.startBeside()
  await server.execution.begin(close)
  expect([server.sent(close.commandId), second.wire]).toEqual([0, []])
  expect(await ofId(close.commandId)).toEqual({ state: 'expired', outcome: 'server_restarted' })
  expect(pendingOf(server.line(2))).toBeNull()
})

test('a close that has left is proven although a starting server has called it unknown', async () => {
  await server.start()
  const close = await begun(3, 'close')
  await server.startBeside()
  expect(await ofId(close)).toEqual({ state: 'unknown', outcome: 'server_restarted' })
  await answers(3, close, {})
  await position(3, 'closed')
  expect(await ofId(close)).toEqual({ state: 'verified', outcome: null })
  expect(await stepsOf(close)).toEqual(['authorised', 'sent', 'unknown', 'verified'])
})

test('of two servers that begin one close in the same moment one sends it; both send a trip', async () => {
  await server.start()
  const second = await server.startBeside()
  second.line(4).device.gateway.link = 'online'
  const orders = [await authorised(4, 'close'), await authorised(5, 'trip')]
  for (const lineNo of [4, 5])
    Object.assign(second.line(lineNo), { states: server.line(lineNo).states, liveAt: server.now, liveReceivedAt: server.now })
  await Promise.all(orders.flatMap((each) => [server.execution.begin(each), second.execution.begin(each)]))
  const left = orders.map(
    ({ commandId }) => server.sent(commandId) + second.wire.filter((each) => each.commandId === commandId).length,
  )
  expect(left).toEqual([1, 2])
  await position(4, 'closed')
  await position(5, 'open')
})

test('what was stored although nobody heard of it is known by its next step, and told once', async () => {
  await server.start()
  const trip = await begun(6, 'trip')
  // The answer to the COMMIT of its proof was lost.
  await sql`update command set state = 'verified', acknowledged_at = now(), verified_at = now(), ended_at = now()
    where command_id = ${trip}::uuid`.execute(server.database.general)
  await position(6, 'open')
  expect(pendingOf(server.line(6))).toBeNull()
  expect(await stepsOf(trip)).toEqual(['authorised', 'sent'])
})

test.each([
  ['all stored', 'sent', ['authorised', 'sent', 'acknowledged', 'verified']],
  ['folded on what another server has stored meanwhile', 'unknown', ['authorised', 'sent', 'verified']],
] as const)('several facts that come at once are %s', async (_, state, steps) => {
  await server.start()
  const trip = await begun(7, 'trip')
  await sql`update command set state = ${state} where command_id = ${trip}::uuid`.execute(server.database.general)
  const { gateway } = server.line(7).device
  server.hub.publish({
    results: [{ gateway, commandId: trip, status: 'accepted', reason: null, tripMs: null, receivedAt: server.now }],
    reports: [server.reportOf(server.line(7), 'open')],
  })
  await server.execution.tick()
  expect(await stepsOf(trip)).toEqual(steps)
})
