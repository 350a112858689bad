import type { Refusal } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Hub } from '../../live/hub.ts'
import { Plant } from '../../live/plant.ts'
import { authorise } from '../../store/command.ts'
import type { Database } from '../../store/database.ts'
import { insertRun, runById } from '../../store/run.ts'
import type { TestDatabase } from '../../store/test-database.ts'
import { testDatabase } from '../../store/test-database.ts'
import { isWritten } from '../audited.ts'
import { createDistance } from './distance.ts'
import { createGate } from './gate.ts'
import { createRuns } from './runs.ts'
import { testLines } from './test-lines.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db?.drop())

test('a group that the server did not finish is over after a restart: the rest is missed and never operated', async () => {
  const client = await db.database.connect()
  await client.query("insert into project (city_id, name, time_zone) select city_id, 'p', 'UTC' from city limit 1")
  await client.query("insert into gateway (project_id, number, name, secret_hash) select project_id, 'g', 'g', '' from project")
  await client.query(
    "insert into device (gateway_id, controller_id, name, family, model) select gateway_id, 'd', 'd', 'breaker1p', '' from gateway",
  )
  const { rows } = await client.query(
    "insert into line (device_id, line_no, name) select device_id, 1, 'l' from device returning line_id",
  )
  await client.end()
  const id = crypto.randomUUID()
  const line = {
    lineId: rows[0].line_id,
    commandId: crypto.randomUUID(),
    state: 'waiting',
    refusal: null,
    command: null,
  } as const
  await insertRun(
    db.database,
    { id, action: 'close', accountId: null, actor: 'a', reason: 'x', staggerMs: 1_000, startedAt: 1, lines: [line] },
    [{ at: 1, actor: 'a', address: '', action: 'run.close', target: id, outcome: 'done' }],
  )
  const fail = () => {
    throw new Error('nothing may be operated')
  }
  const runs = await createRuns({
    database: db.database,
    plant: new Plant(),
    hub: new Hub(fail),
    gate: { operate: fail, refuseUnlessAnyPermitted: fail, takeRunGrant: fail },
    distance: createDistance(),
    actorNow: fail,
    clock: () => 5_000,
    log: { error: fail } as never,
  })
  expect(await runById(db.database, id)).toMatchObject({ endedAt: 5_000, lines: [{ state: 'missed', command: null }] })
  expect(await refusedIn(db.database)).toEqual([
    { actor: 'a', action: 'run.close', target: id, after: { missed: [`line ${line.lineId}`] } },
  ])
  await runs.close()
})

test('a run that loses its rights says so of the line whose turn came, and one that the server ends of the lines it missed', async () => {
  const house = await testLines()
  const { database, actor, plant } = house
  let turns = 0
  const runs = await createRuns({
    database,
    plant,
    hub: new Hub(() => {}),
    gate: {
      operate: () => Promise.reject(new Error('nothing may be operated')),
      refuseUnlessAnyPermitted: async () => {},
      takeRunGrant: async () => {},
    },
    distance: createDistance(),
    actorNow: async () => {
      turns += 1
      return { ...actor, seesGateway: () => false }
    },
    clock: () => 5_000,
    log: { error: console.error } as never,
  })
  const RunID = crypto.randomUUID()
  await runs.start(
    actor,
    'close',
    [1, 2, 3].map((lineNo) => house.line(lineNo)),
    { RunID, Reason: 'x', StaggerMs: 60_000 },
  )
  await vi.waitFor(async () => expect((await runById(database, RunID))?.lines[0]?.state).toBe('refused'))
  await runs.close()
  expect(turns).toBe(1)
  const denied = { source: 'group', reason: 'x', refusal: 'access denied', commandId: expect.any(String) }
  expect(await refusedIn(database)).toEqual([
    { actor: 'admin', action: 'line.close', target: 'dgp1/1', after: denied },
    { actor: 'admin', action: 'run.close', target: RunID, after: { missed: ['dgp1/2', 'dgp1/3'] } },
  ])
  await house.drop()
})

test('a line whose command left is ordered, even when writing that down failed', async () => {
  const house = await testLines()
  const { database, actor, plant } = house
  const client = await database.connect()
  await client.query(`
    create sequence fails;
    create function once() returns trigger language plpgsql as $$
      begin if new.state = 'ordered' and nextval('fails') = 1 then raise 'the database was away'; end if; return new; end $$;
    create trigger once before update on operation_run_line for each row execute function once()`)
  await client.end()
  const errors: unknown[] = []
  const runs = await createRuns({
    database,
    plant,
    hub: new Hub(() => {}),
    gate: {
      async operate({ line, commandId, runId = null }) {
        const [issuedAt, deadline] = [5_000, 10_000]
        const order = {
          commandId,
          lineId: line.id,
          action: 'close',
          accountId: actor.accountId,
          actor: 'admin',
          reason: 'x',
        } as const
        await authorise(database, { ...order, source: 'group', issuedAt, deadline, runId }, auditOf(commandId))
        return {} as never
      },
      refuseUnlessAnyPermitted: async () => {},
      takeRunGrant: async () => {},
    },
    distance: createDistance(),
    actorNow: async () => actor,
    clock: () => 5_000,
    log: { error: (error: unknown) => errors.push(error) } as never,
  })
  const RunID = crypto.randomUUID()
  await runs.start(actor, 'close', [house.line(1)], { RunID, Reason: 'x', StaggerMs: 1_000 })
  await vi.waitFor(async () =>
    expect(await runById(database, RunID)).toMatchObject({ endedAt: 5_000, lines: [{ state: 'ordered', refusal: null }] }),
  )
  expect(errors).toHaveLength(1)
  await runs.close()
  await house.drop()
})

test('a stop that could not be stored is done by the next one, and stands in the log once', async () => {
  const house = await testLines()
  const { database, actor, plant } = house
  const client = await database.connect()
  await client.query(`
    create sequence fails;
    create function once() returns trigger language plpgsql as $$
      begin if nextval('fails') = 1 then raise 'the database was away'; end if; return new; end $$;
    create trigger once before update on operation_run for each row execute function once()`)
  await client.end()
  const operated: number[] = []
  const runs = await createRuns({
    database,
    plant,
    hub: new Hub(() => {}),
    gate: {
      async operate({ line }) {
        operated.push(line.lineNo)
        return {} as never
      },
      refuseUnlessAnyPermitted: async () => {},
      takeRunGrant: async () => {},
    },
    distance: createDistance(),
    actorNow: async () => actor,
    clock: () => 5_000,
    log: { error: console.error } as never,
  })
  const RunID = crypto.randomUUID()
  await runs.start(
    actor,
    'close',
    [1, 2].map((lineNo) => house.line(lineNo)),
    { RunID, Reason: 'x', StaggerMs: 60_000 },
  )
  await vi.waitFor(async () => expect((await runById(database, RunID))?.lines[0]?.state).toBe('ordered'))
  await expect(runs.stop(actor, RunID)).rejects.toThrow('the database was away')
  // Nobody carries it out any more.
  await runs.close()
  expect((await runById(database, RunID))?.endedAt).toBeNull()
  await Promise.all([runs.stop(actor, RunID), runs.stop(actor, RunID)])
  await runs.stop(actor, RunID)
  expect(await runById(database, RunID)).toMatchObject({
    endedAt: 5_000,
    stoppedBy: 'admin',
    lines: [{ state: 'ordered' }, { state: 'stopped' }],
  })
  expect(operated).toEqual([1])
  const stops = database.general.selectFrom('audit').select('target').where('action', '=', 'run.stop')
  expect(await stops.execute()).toEqual([{ target: RunID }])
  await house.drop()
})

test('of a group that could not operate a single line, each owner reads why it was of a line of their own', async () => {
  const house = await testLines()
  const { database, actor } = house
  house.line(1, 2).device.gateway.project.ownerId = actor.accountId
  const gate = createGate({
    database,
    grants: { take: async () => true },
    execution: { begin: async (command) => command },
    ingest: { reach: () => 'not_connected' },
    quietUntil: () => null,
    clock: () => 5_000,
  })
  const places = [house.line(1), house.line(2), house.line(3, 2), house.line(4, 2)]
  const orders = places.map((line) => ({
    line,
    action: 'close' as const,
    actor,
    source: 'group' as const,
    reason: 'x',
    commandId: crypto.randomUUID(),
    grant: null,
    deadlineMs: null,
  }))
  const refusal = await gate.refuseUnlessAnyPermitted(orders).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ key: 'close not permitted' })
  expect(isWritten(refusal as Refusal)).toBe(true)
  const rows = await database.general.selectFrom('audit').select(['tree', 'target']).orderBy('audit_id').execute()
  expect(rows).toEqual([
    { tree: null, target: 'dgp1/1' },
    { tree: actor.accountId, target: 'dgp2/3' },
  ])
  await house.drop()
})

const refusedIn = ({ general }: Database) =>
  general
    .selectFrom('audit')
    .select(['actor', 'action', 'target', 'after'])
    .where('outcome', '=', 'refused')
    .orderBy('audit_id')
    .execute()

const auditOf = (target: string) =>
  ({ at: 1, actor: 'a', address: '', action: 'line.close', target, outcome: 'authorised' }) as const
