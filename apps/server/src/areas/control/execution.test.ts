import { freshForMs, verifyGraceMs } from '@linewarden/rules/control'
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { PlantLine } from '../../plant/plant.ts'
import { pendingOf } from '../../plant/plant.ts'
import { TestExecution } from './test-execution.ts'

// When an order leaves, how often, and what proves it.
const server = new TestExecution()
const { answers, authorised, begun, ofId, position, reportOf, warned, whenSent } = server

beforeAll(() => server.open())
afterEach(() => server.close())
afterAll(() => server.drop())

const blocks: readonly (readonly [string, (line: PlantLine) => unknown])[] = [
  ['trip_ordered', (line) => Object.assign(line, { tripFence: Number.POSITIVE_INFINITY })],
  ['tripped', (line) => Object.assign(line, { lockoutCause: 'leakage' })],
  ['local_lock', (line) => line.states.set('lock.local', 'on')],
  ['offline', ({ device }) => Object.assign(device.gateway, { link: 'stale' })],
  ['clock_unsynchronised', ({ device }) => Object.assign(device.gateway, { clockSynchronised: false })],
  [
    'values_old',
    (line) => Object.assign(line, { liveAt: server.now - freshForMs - 1, liveReceivedAt: server.now - freshForMs - 1 }),
  ],
  ['position_changed', (line) => line.states.set('position', 'closed')],
  ['self_test_open', (line) => Object.assign(line, { selfTest: { at: server.now, result: 'failed', tripMs: 900 } })],
  ['inspection', (line) => Object.assign(line, { inspectionUntil: server.now + 1 })],
  ['tagged', (line) => Object.assign(line, { ownTags: [{ holder: 'zhang', reason: 'work', on: 'line' }] })],
  ['tagged', (line) => Object.assign(line.device, { ownTags: [{ holder: 'zhang', reason: 'work', on: 'line' }] })],
  ['tagged', (line) => Object.assign(line.device.gateway, { ownTags: [{ holder: 'zhang', reason: 'work', on: 'line' }] })],
]

test.each(blocks)('a close never leaves once there is something against it: %s', async (outcome, happens) => {
  await server.start()
  const command = await authorised(1, 'close')
  happens(server.line(1))
  await server.execution.begin(command)
  expect(await ofId(command.commandId)).toEqual({ state: 'expired', outcome })
  expect(server.sent(command.commandId)).toBe(0)
})

test.each(blocks)('nor when that comes while "sent" is being stored: %s', async (outcome, happens) => {
  await server.start()
  const command = await authorised(1, 'close')
  whenSent(command.commandId, () => happens(server.line(1)))
  await server.execution.begin(command)
  expect(await ofId(command.commandId)).toEqual({ state: 'refused', outcome })
  expect(server.sent(command.commandId)).toBe(0)
})

/** As another server stores it: the plant of this one does not hear of it. */
const elsewhere: readonly (readonly [string, (line: PlantLine) => RawBuilder<unknown>])[] = [
  ['tagged', ({ id }) => tagOn(sql`line_id`, id)],
  ['tagged', ({ device }) => tagOn(sql`device_id`, device.id)],
  ['tagged', ({ device }) => tagOn(sql`gateway_id`, device.gateway.id)],
  ['inspection', ({ id }) => sql`update line set inspection_until = ${new Date(server.now + 1)} where line_id = ${id}`],
  ['self_test_open', ({ id }) => failedTestOf(id, server.now)],
  ['tripped', ({ id }) => sql`update line set trip_latched = 'leakage', trip_latches = 1 where line_id = ${id}`],
]
const tagOn = (place: RawBuilder<unknown>, id: number) =>
  sql`insert into tag (tag_id, ${place}, kind, holder, reason, placed_at) values (gen_random_uuid(), ${id}, 'tag', 'zhang', 'work', now())`
const failedTestOf = (lineId: number, at: number) =>
  sql`insert into self_test (command_id, line_id, at, actor, result, trip_ms, limit_ms, model)
    select command_id, line_id, ${new Date(at)}, 'a', 'failed', 900, 300, '3P' from command where line_id = ${lineId} limit 1`
const cleared = async () => {
  await sql`delete from self_test`.execute(server.database.general)
  await sql`update tag set removed_at = now()`.execute(server.database.general)
  await sql`update line set inspection_until = null, trip_latched = null`.execute(server.database.general)
}

test.each(elsewhere)('nor when another server was told of it after the close was authorised: %s', async (outcome, stores) => {
  await server.start()
  const command = await authorised(1, 'close')
  await stores(server.line(1)).execute(server.database.general)
  await server.execution.begin(command)
  expect(await ofId(command.commandId)).toEqual({ state: 'refused', outcome })
  expect(server.sent(command.commandId)).toBe(0)
  await cleared()
})

test.each(elsewhere)('a trip leaves whatever another server was told of: %s', async (_, stores) => {
  await server.start()
  const command = await authorised(31, 'trip')
  await stores(server.line(31)).execute(server.database.general)
  await server.execution.begin(command)
  expect(server.sent(command.commandId)).toBe(1)
  await cleared()
})

describe('while the database cannot say who works at a line', () => {
  const away = () => sql`alter table tag rename to tag_away`.execute(server.database.general)
  const back = () => sql`alter table if exists tag_away rename to tag`.execute(server.database.general)
  afterEach(async () => {
    server.errors.length = 0
    await back()
  })

  test('a close does not leave, and ends as what was never sent', async () => {
    await server.start()
    const command = await authorised(1, 'close')
    await away()
    await server.execution.begin(command)
    expect(await ofId(command.commandId)).toEqual({ state: 'refused', outcome: 'interlocks_unknown' })
    expect([server.sent(command.commandId), server.errors.length]).toEqual([0, 1])
  })

  test('a trip leaves: it asks nobody', async () => {
    await server.start()
    const command = await authorised(1, 'trip')
    await away()
    await server.execution.begin(command)
    expect([server.sent(command.commandId), server.errors.length]).toEqual([1, 0])
    await position(1, 'open')
  })

  test('a close that could not even be ended then ends so once the database is back, however late', async () => {
    await server.start()
    const command = await authorised(1, 'close')
    await away()
    await sql`create function refuses() returns trigger language plpgsql as $$ begin raise 'the database was away'; end $$;
      create trigger refuses before update on command for each row when (new.state = 'refused') execute function refuses()`.execute(
      server.database.general,
    )
    await server.execution.begin(command)
    server.now = command.deadline + verifyGraceMs + 1
    await server.execution.tick()
    expect((await ofId(command.commandId)).state).toBe('sent')
    await sql`drop trigger refuses on command; drop function refuses`.execute(server.database.general)
    await server.execution.tick()
    expect(await ofId(command.commandId)).toEqual({ state: 'refused', outcome: 'interlocks_unknown' })
    expect(server.sent(command.commandId)).toBe(0)
  })
})

test('a close whose deadline passes while "sent" is being stored never leaves', async () => {
  await server.start()
  const command = await authorised(1, 'close')
  whenSent(command.commandId, () => {
    server.now = command.deadline + 1
  })
  await server.execution.begin(command)
  expect(await ofId(command.commandId)).toEqual({ state: 'refused', outcome: 'deadline_passed' })
  expect(server.sent(command.commandId)).toBe(0)
})

test('a gateway that hangs up at the last moment gets no close later; a trip it gets, and the log tells of both', async () => {
  await server.start()
  const { gateway } = server.line(1).device
  server.gone.add(gateway)
  warned.length = 0
  const operatedAt = () => [1, 2].map((each) => server.line(each).lastOperationAt)
  const before = operatedAt()
  const close = await begun(1, 'close')
  const trip = await begun(2, 'trip')
  expect(await ofId(close)).toEqual({ state: 'refused', outcome: 'offline' })
  expect(await ofId(trip)).toEqual({ state: 'sent', outcome: null })
  expect(warned).toEqual([close, trip])
  // What never left operated nothing: no close has to keep its distance from it.
  expect(operatedAt()).toEqual(before)
  server.gone.delete(gateway)
  server.now += 1_000
  await server.execution.tick()
  expect([server.sent(close), server.sent(trip)]).toEqual([0, 1])
  expect(warned).toEqual([close, trip])
  await position(2, 'open')
})

test('a close that is begun after a trip is blocked by the trip and does not hide it', async () => {
  await server.start()
  const close = await authorised(2, 'close')
  const trip = await begun(2, 'trip')
  await server.execution.begin(close)
  expect(server.sent(close.commandId)).toBe(0)
  expect(pendingOf(server.line(2))).toEqual({ commandId: trip, action: 'trip' })
  expect(server.sent(trip)).toBe(1)
})

test('also when that trip is over by then', async () => {
  await server.start()
  const close = await authorised(14, 'close')
  const trip = await begun(14, 'trip')
  await answers(14, trip, {})
  await position(14, 'open')
  expect((await ofId(trip)).state).toBe('verified')
  await server.execution.begin(close)
  expect(server.sent(close.commandId)).toBe(0)
  expect(await ofId(close.commandId)).toEqual({ state: 'expired', outcome: 'trip_ordered' })
})

test('a trip that ends leaves the close before it in sight, until that has ended too', async () => {
  await server.start()
  const close = await begun(15, 'close')
  const trip = await begun(15, 'trip')
  expect(pendingOf(server.line(15))).toEqual({ commandId: trip, action: 'trip' })
  await answers(15, trip, {})
  await position(15, 'open')
  expect(pendingOf(server.line(15))).toEqual({ commandId: close, action: 'close' })
  await answers(15, close, { status: 'refused', reason: 'older_fence' })
  expect(pendingOf(server.line(15))).toBeNull()
})

test('while a close may still travel, "open" proves a trip only after the gateway took the trip', async () => {
  await server.start()
  const close = await begun(3, 'close')
  const trip = await begun(3, 'trip')
  await position(3, 'open')
  expect((await ofId(trip)).state).toBe('sent')
  await answers(3, trip, { status: 'refused', reason: 'seen_id' })
  expect((await ofId(trip)).state).toBe('acknowledged')
  await position(3, 'open')
  expect((await ofId(trip)).state).toBe('verified')
  await answers(3, close, { status: 'refused', reason: 'older_fence' })
  expect(await ofId(close)).toEqual({ state: 'refused', outcome: 'older_fence' })
})

test('without one, or long after it, "open" proves it at once', async () => {
  await server.start()
  const alone = await begun(4, 'trip')
  await position(4, 'open')
  expect((await ofId(alone)).state).toBe('verified')
  await begun(5, 'close')
  const trip = await begun(5, 'trip')
  server.now += 10_001
  await position(5, 'open')
  expect((await ofId(trip)).state).toBe('verified')
})

test('a trip is sent again every second until the position proves it, also after the gateway took it', async () => {
  await server.start()
  const trip = await begun(6, 'trip')
  await answers(6, trip, {})
  server.now += 1_000
  await server.execution.tick()
  expect(server.sent(trip)).toBe(2)
  await answers(6, trip, { status: 'refused', reason: 'seen_id' })
  await answers(6, trip, { status: 'refused', reason: 'older_fence' })
  expect((await ofId(trip)).state).toBe('acknowledged')
  server.now += 1_000
  await position(6, 'open')
  const sent = server.sent(trip)
  server.now += 1_000
  await server.execution.tick()
  expect(server.sent(trip)).toBe(sent)
  expect((await ofId(trip)).state).toBe('verified')
})

test('a trip is not sent again after its deadline, and a close never is', async () => {
  await server.start()
  const trip = await begun(7, 'trip')
  const close = await begun(8, 'close')
  server.now += 1_500
  await server.execution.tick()
  expect([server.sent(trip), server.sent(close)]).toEqual([2, 1])
  server.now += 29_000
  await server.execution.tick()
  expect(server.sent(trip)).toBe(2)
})

test('in the moment of its deadline a trip is sent again, also when the server starts just then', async () => {
  await server.start()
  const command = await authorised(7, 'trip')
  await server.execution.begin(command)
  server.now = command.deadline
  await server.execution.tick()
  expect(server.sent(command.commandId)).toBe(2)
  await server.execution.close()
  await server.start()
  await server.execution.tick()
  expect(server.sent(command.commandId)).toBe(1)
  expect(await ofId(command.commandId)).toEqual({ state: 'sent', outcome: null })
  await position(7, 'open')
})

test('a trip goes on after a restart of the server while its time lasts; a close is unknown from there', async () => {
  await server.start()
  const [trip, close] = [await begun(9, 'trip'), await begun(10, 'close')]
  const { commandId: waiting } = await authorised(11, 'trip')
  await answers(9, trip, {})
  await server.execution.close()
  server.now += 2_000
  await server.start()
  expect(pendingOf(server.line(9))?.action).toBe('trip')
  await server.execution.tick()
  expect([server.sent(trip), server.sent(waiting), server.sent(close)]).toEqual([1, 1, 0])
  expect(await ofId(close)).toEqual({ state: 'unknown', outcome: 'server_restarted' })
  await position(9, 'open')
  expect((await ofId(trip)).state).toBe('verified')
  const { commandId: late } = await authorised(12, 'trip')
  await server.execution.close()
  server.now += 30_001
  await server.start()
  await server.execution.tick()
  expect(server.sent(late)).toBe(0)
  expect((await ofId(late)).state).toBe('expired')
})

test('what was reported before the server listened is proof all the same', async () => {
  await server.start()
  const close = await begun(13, 'close')
  await server.execution.close()
  server.now += 1_000
  await server.start((line) => ({ reports: [reportOf(line(13), 'closed')] }))
  await server.execution.tick()
  expect((await ofId(close)).state).toBe('verified')
})

test('a line that tripped again after closing is not said to have failed to close', async () => {
  await server.start()
  const close = await begun(14, 'close')
  server.now += 10_001
  await server.execution.tick()
  server.line(14).lockoutCause = 'short'
  await position(14, 'open')
  expect(await ofId(close)).toEqual({ state: 'failed', outcome: 'tripped_again' })
})

test('only the gateway that was asked answers for an order', async () => {
  await server.start()
  const close = await begun(15, 'close')
  const other = server.plant.gatewayByNumber.get('G-2')
  if (!other) throw new Error('no gateway')
  await answers(15, close, { gateway: other, status: 'refused', reason: 'local_lock' })
  expect((await ofId(close)).state).toBe('sent')
  await answers(15, close, { status: 'refused', reason: 'local_lock' })
  expect((await ofId(close)).state).toBe('refused')
})

test('a refusal ends an order, whatever text the gateway gives as its reason', async () => {
  await server.start()
  const close = await begun(24, 'close')
  await answers(24, close, { status: 'refused', reason: 'half of a character: \ud83d' })
  expect(await ofId(close)).toEqual({ state: 'refused', outcome: 'half of a character: \ufffd' })
  expect(pendingOf(server.line(24))).toBeNull()
})

test('an order that is begun twice is sent once, also when it was over in between', async () => {
  await server.start()
  const command = await authorised(16, 'close')
  await Promise.all([server.execution.begin(command), server.execution.begin(command)])
  await position(16, 'closed')
  await server.execution.begin(command)
  expect(server.sent(command.commandId)).toBe(1)
  expect((await ofId(command.commandId)).state).toBe('verified')
})

test('an order that nobody carries is over some seconds after its deadline, and stands in the way no longer', async () => {
  await server.start()
  const lost = await authorised(17, 'close')
  const carried = await begun(18, 'trip')
  server.now = lost.deadline + 10_000
  await server.execution.sweep()
  expect((await ofId(lost.commandId)).state).toBe('authorised')
  server.now += 1
  await server.execution.sweep()
  expect(await ofId(lost.commandId)).toEqual({ state: 'expired', outcome: 'deadline_passed' })
  expect((await ofId(carried)).state).toBe('sent')
  await expect(authorised(17, 'close')).resolves.toMatchObject({ state: 'authorised' })
})
