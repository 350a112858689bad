import { aboutNothing } from '@linewarden/contract'
import { notReclosing } from '@linewarden/rules/control'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { factsOf } from '../../field/orders/facts.ts'
import { Runner } from '../../jobs/runner.ts'
import { Hub } from '../../plant/hub.ts'
import type { PlantLine } from '../../plant/plant.ts'
import type { StoredCommand } from '../../store/control/command.ts'
import { authorise } from '../../store/control/command.ts'
import { saveReclosing, saveReclosure } from '../../store/control/reclosure.ts'
import { createSelfTests } from './self-tests.ts'
import { createControl } from './service.ts'
import { testLines } from './test-lines.ts'

let house: Awaited<ReturnType<typeof testLines>>
beforeAll(async () => {
  house = await testLines()
})
afterAll(() => house?.drop())

/** Whatever the house has to do with lines, none of which is connected. */
const begin = (clock: () => number) =>
  createControl({
    database: house.database,
    plant: house.plant,
    runner: new Runner({ database: house.database, log: { error() {} } as never }),
    hub: new Hub((error) => {
      throw error
    }),
    ingest: { send: () => 'no_session', reach: () => 'not_connected', hasValidPosition: () => true, testRecorded() {} },
    confirmAboveLines: 5,
    unconfirmed: () => new Set(),
    grants: { take: async () => false },
    actorNow: async () => house.actor,
    clock,
    log: { error() {}, warn() {} } as never,
  })

test('a trip that a person ordered before the server restarted ends the tries of re-closing', async () => {
  const { database, actor } = house
  const line = house.line(1)
  const now = Date.UTC(2026, 0, 15, 8, 30)
  const audit = {
    at: now,
    actor: 'admin',
    address: '',
    action: 'line.trip',
    subject: aboutNothing,
    target: 'x',
    outcome: 'done',
  } as const
  const { accountId } = actor
  const setting = { lineId: line.id, enabled: true, delaysS: [10, 60], accountId, actor: 'admin', version: 0 }
  const saved = await saveReclosure(database, setting, audit)
  if (!saved) throw new Error('it was set before')
  await saveReclosing(database, { ...saved, state: { ...notReclosing, attempts: 1, nextAt: now + 10_000 } }, saved)
  const order = { commandId: crypto.randomUUID(), lineId: line.id, action: 'trip', source: 'console', reason: 'x' } as const
  await authorise(
    database,
    { ...order, accountId, actor: 'admin', issuedAt: now, deadline: now + 30_000, operationId: null },
    audit,
  )
  // The trip's time has run out; within it, it would be taken up again.
  const control = await begin(() => now + 60_000)
  await vi.waitFor(() => expect(control.reclosures.of(line)).toMatchObject({ NextAt: null, LockedOutAt: now + 60_000 }))
  await control.close()
})

test('refused closes that wait for their turn at the log leave a connection to whoever trips', async () => {
  const { database, actor } = house
  const control = await begin(Date.now)
  const writer = await database.connect()
  await writer.query("begin; select pg_advisory_xact_lock(hashtext('audit'))")
  const order = {
    line: house.line(1),
    action: 'close',
    actor,
    source: 'console',
    reason: 'x',
    grant: null,
    deadlineMs: null,
  } as const
  const closes = Array.from({ length: 9 }, () => control.operate({ ...order, commandId: crypto.randomUUID() }))
  const outcomes = Promise.allSettled(closes)
  await vi.waitFor(async () => {
    const waiting = sql`select from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and not granted and datname = current_database()`
    expect((await waiting.execute(database.general)).rows.length).toBeGreaterThanOrEqual(2)
  })
  await database.ping()
  await writer.query('rollback')
  await writer.end()
  expect(new Set((await outcomes).map(({ status }) => status))).toEqual(new Set(['rejected']))
  await control.close()
})

test('a failed self-test that the last run recorded without its alarm has it raised by the next', async () => {
  const { database, plant, actor } = house
  const [failed, passed] = [house.line(2), house.line(3)]
  failed.selfTest = { at: 1_000, result: 'failed', tripMs: null }
  passed.selfTest = { at: 1_000, result: 'passed', tripMs: 45 }
  const recorded: unknown[] = []
  const control = await createControl({
    database,
    plant,
    runner: new Runner({ database, log: { error() {} } as never }),
    hub: new Hub((error) => {
      throw error
    }),
    ingest: {
      send: () => 'no_session',
      reach: () => 'not_connected',
      hasValidPosition: () => true,
      testRecorded: (line, at) => recorded.push([line, at]),
    },
    confirmAboveLines: 5,
    unconfirmed: () => new Set(),
    grants: { take: async () => false },
    actorNow: async () => actor,
    clock: Date.now,
    log: { error() {}, warn() {} } as never,
  })
  expect(recorded).toEqual([[failed, 1_000]])
  await control.close()
})

test('a failed self-test stands against closing at once, also when the database takes its record only later', async () => {
  const { database, plant, line } = house
  const failing = line(1, 2)
  failing.states.set('selfTest', 'passed')
  failing.selfTest = { at: 1_000, result: 'passed', tripMs: 45 }
  const recorded: unknown[] = []
  const errors: string[] = []
  const selfTests = await createSelfTests({
    database,
    plant,
    hub: new Hub(() => {}),
    ingest: { testRecorded: (line, at) => line === failing && recorded.push(at) },
    clock: () => 20_000,
    log: { error: (_: unknown, what: string) => errors.push(what) } as never,
  })
  const kept = async () => (await selfTests.ofLine(failing)).items.map(({ Result, At }) => [Result, At])
  const facts = () => factsOf(failing, { reach: 'yes', quietUntil: null }).selfTest
  const table = (to: string) => sql.raw(to).execute(database.general)
  const failed = await endedTest(failing, { state: 'verified', outcome: 'too_slow', tripMs: 480, endedAt: 9_000 })

  await table('alter table self_test rename to away')
  selfTests.settled(failed)
  expect([facts(), recorded]).toEqual(['failed', [9_000]])
  await selfTests.sweep()
  expect(errors).toContain('a self-test was not recorded; it is tried again')
  await table('alter table away rename to self_test')
  expect(await kept()).toEqual([])

  await selfTests.sweep()
  expect(await kept()).toEqual([['failed', 9_000]])
  expect(recorded).toHaveLength(1)
  await selfTests.sweep()
  expect(await kept()).toHaveLength(1)

  // That one passed counts only once it is on record.
  const passed = await endedTest(failing, { state: 'verified', outcome: null, tripMs: 45, endedAt: 15_000 })
  await table('alter table self_test rename to away')
  selfTests.settled(passed)
  await selfTests.sweep()
  expect(facts()).toBe('failed')
  await table('alter table away rename to self_test')
  await selfTests.sweep()
  expect([facts(), recorded.length]).toEqual(['passed', 2])
  await selfTests.close()
})

test('a breaker that opened unseen and was closed again on site has not failed its self-test; one that stayed closed has', async () => {
  const { database, plant } = house
  const [reclosed, welded] = [house.line(3), house.line(4)]
  const selfTests = await createSelfTests({
    database,
    plant,
    hub: new Hub(() => {}),
    ingest: { testRecorded() {} },
    clock: () => 20_000,
    log: {} as never,
  })
  for (const [line, positionAfter] of [
    [reclosed, null],
    [welded, 'closed'],
  ] as const) {
    const ended = { state: 'failed', outcome: 'not_done', tripMs: 45, endedAt: 12_000 } as const
    selfTests.settled(await endedTest(line, { ...ended, positionAfter }))
  }
  await selfTests.close()
  // Of a test with no known outcome the due list says so, and it moves no due date.
  const due = () => selfTests.plans.due(house.actor, null, false).items.find(({ LineID }) => LineID === reclosed.id)
  const { LastAt, DueAt } = due() ?? {}
  const unknown = await endedTest(reclosed, { state: 'unknown', outcome: 'not_watched', issuedAt: 2_000, tripMs: 45 })
  selfTests.settled(unknown)
  expect(due()).toMatchObject({ UnknownAt: unknown.issuedAt, LastAt, DueAt })
  selfTests.settled({ ...unknown, state: 'failed', outcome: 'not_done', endedAt: 30_000 })
  expect(due()?.UnknownAt).toBeNull()
  expect((await selfTests.ofLine(welded)).items).toMatchObject([{ Result: 'failed', TripMs: null }])
  expect((await selfTests.ofLine(reclosed)).items).toEqual([])
})

/** A self-test of a line that has ended so; it is stored and was never sent. */
async function endedTest(line: PlantLine, ended: Partial<StoredCommand>): Promise<StoredCommand> {
  const { database, actor } = house
  const order = { commandId: crypto.randomUUID(), lineId: line.id, action: 'selfTest', source: 'console', reason: 'x' } as const
  const authorised = await authorise(
    database,
    { ...order, accountId: actor.accountId, actor: 'admin', issuedAt: 1_000, deadline: 6_000, operationId: null },
    {
      at: 1_000,
      actor: 'admin',
      address: '',
      action: 'line.selfTest',
      subject: aboutNothing,
      target: 'x',
      outcome: 'authorised',
    },
  )
  if (authorised.is !== 'new') throw new Error(authorised.is)
  await sql`update command set state = 'failed' where command_id = ${order.commandId}::uuid`.execute(database.general)
  return { ...authorised.command, ...ended }
}
