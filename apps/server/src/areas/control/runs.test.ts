import type { Refusal } from '@linewarden/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Actor } from '../../access/actor.ts'
import { isWritten } from '../../audit/audited.ts'
import { Runner } from '../../jobs/runner.ts'
import { Hub } from '../../plant/hub.ts'
import { toldLive, topicsOf } from '../../plant/test-topics.ts'
import { takeHandle } from '../../store/account/remember.ts'
import { deleteSessionsOf, endThese, sessionsOf } from '../../store/account/session.ts'
import type { StoredCommand } from '../../store/control/command.ts'
import { authorise } from '../../store/control/command.ts'
import { runById } from '../../store/control/run.ts'
import { databaseClock, renewLeases } from '../../store/jobs/due-work.ts'
import { createSessions } from '../people/sessions.ts'
import { Gate } from './gate.ts'
import { InterlockCheck } from './interlock-check.ts'
import { createRuns } from './runs.ts'
import type { Stagger } from './stagger.ts'
import { createStagger } from './stagger.ts'
import { testLines } from './test-lines.ts'

// Groups through the one gate, to lines that nothing stands against, on a real database.
const now = 60_000
let house: Awaited<ReturnType<typeof testLines>>
/** What left for the equipment. */
let left: StoredCommand[] = []
let errors: unknown[] = []
let servers: { close(): Promise<void> }[] = []

/** Transactions of somebody else's that are still in the midst of it. */
const held = new Set<() => Promise<void>>()
/** The remembered device that the session is on. */
const device = '1'
/** The newest entry of the log before the test. */
let logged = '0'

beforeAll(async () => {
  house = await testLines()
  for (const line of house.plant.lines.values()) {
    line.device.gateway.link = 'online'
    line.liveAt = now
    line.liveReceivedAt = now
    for (const [state, value] of [
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
  errors = []
  servers = []
  for (const line of house.plant.lines.values()) line.states.set('position', 'open')
  house.line(1, 2).device.gateway.project.ownerId = null
  const { general } = house.database
  for (const query of [
    sql`drop function if exists failing() cascade`,
    sql`drop sequence if exists fails`,
    sql`truncate command, operation_run, due_work, session, remember cascade`,
    sql`insert into remember (remember_id, account_id, handle_hash, created_at, used_at, expires_at, address)
      overriding system value values (${device}, ${house.actor.accountId}, 'next', now(), now(), now(), '')`,
    sql`insert into remember_spent (handle_hash, remember_id) values ('spent', ${device})`,
    sql`insert into session (session_id, account_id, token, created_at, last_used_at, address, remember_id)
      overriding system value values (${house.actor.sessionId}, ${house.actor.accountId}, '', now(), now(), '', ${device})`,
  ])
    await query.execute(general)
  const { newest } = await general
    .selectFrom('audit')
    .select(({ fn }) => fn.max('audit_id').as('newest'))
    .executeTakeFirstOrThrow()
  logged = newest ?? '0'
})
afterEach(async () => {
  for (const release of held) await release()
  for (const server of servers) await server.close()
  vi.useRealTimers()
})

const gateOf = (reach: 'yes' | 'not_connected' = 'yes') =>
  new Gate({
    database: house.database,
    grants: { take: async () => true },
    execution: {
      async begin(command) {
        left.push(command)
        return command
      },
    },
    interlocks: new InterlockCheck({
      database: house.database,
      ingest: { reach: () => reach },
      quietUntil: () => null,
      clock: () => now,
    }),
    impacts: { refuseUnlessConfirmed: async () => {} },
    clock: () => now,
  })

/** A server with this plant; several share the database. */
async function serve(parts: Partial<Parameters<typeof createRuns>[0]> = {}) {
  const log = { error: (error: unknown) => errors.push(error) } as never
  const runner = new Runner({ database: house.database, log })
  const runs = createRuns({
    database: house.database,
    plant: house.plant,
    hub: new Hub((error) => errors.push(error)),
    gate: gateOf(),
    stagger: createStagger(() => performance.now()),
    runner,
    actorNow: async (actor) => actor,
    clock: () => now,
    log,
    ...parts,
  })
  await runner.start()
  const server = {
    ...runs,
    /** All that it does every few seconds. */
    async sweep() {
      await runner.renew()
      await runs.sweep()
      await runner.look()
    },
    async close() {
      await runs.close()
      await runner.close()
    },
  }
  servers.push(server)
  return server
}

type Runs = Awaited<ReturnType<typeof serve>>

const placed = (...lineNos: number[]) => lineNos.map((lineNo) => house.line(lineNo))
/** Each line long after the one before, unless it is woken. */
async function start(runs: Runs, lines = placed(1, 2, 3), action: 'close' | 'trip' | 'selfTest' = 'close', actor = house.actor) {
  const RunID = crypto.randomUUID()
  await runs.start(actor, action, lines, { RunID, Reason: 'x', StaggerMs: 60_000 })
  return RunID
}
const run = (runId: string) => runById(house.database, runId)
const statesOf = async (runId: string) => (await run(runId))?.lines.map(({ state }) => state)
const firstOrdered = (runId: string) => vi.waitFor(async () => expect((await statesOf(runId))?.[0]).toBe('ordered'))
const ended = (runId: string) => vi.waitFor(async () => expect((await run(runId))?.endedAt).not.toBeNull())

/** A transaction of somebody else's, in the midst of it. */
async function hold(query: string) {
  const client = await house.database.connect()
  await client.query(`begin; ${query}`)
  const release = async (how: 'rollback' | 'commit' = 'rollback') => {
    if (!held.delete(release)) return
    await client.query(how)
    await client.end()
  }
  held.add(release)
  return release
}
/** Turns wait where the rights of now are asked for; `turns`: how many. */
function heldUp(then: (actor: Actor) => Actor = (actor) => actor) {
  const open: { go(): void; turns: number } = { go() {}, turns: 0 }
  const asked = new Promise<void>((resolve) => {
    open.go = resolve
  })
  return Object.assign(open, {
    async actorNow(actor: Actor) {
      open.turns += 1
      await asked
      return then(actor)
    },
  })
}
/** So many wait for a lock. */
const waiting = (count: number) =>
  vi.waitFor(async () => {
    const { rows } =
      await sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
        house.database.general,
      )
    expect(rows).toHaveLength(count)
  })
/** The database fails the first few times that this table is written so. */
const failing = (table: string, times: number, when = 'true') =>
  sql
    .raw(`
    create sequence fails;
    create function failing() returns trigger language plpgsql as $$
      begin if ${when} and nextval('fails') <= ${times} then raise 'the database was away'; end if; return new; end $$;
    create trigger failing before update on ${table} for each row execute function failing()`)
    .execute(house.database.general)
const crash = () => sql`update due_work set lease_until = now()`.execute(house.database.general)
/** A server that is no more. */
const gone = crypto.randomUUID()
/** One that nobody carries. */
async function lost(runId: string = crypto.randomUUID()) {
  await sql`insert into operation_run (run_id, action, account_id, actor, reason, stagger_ms, started_at)
    values (${runId}, 'close', ${house.actor.accountId}, 'a', 'x', 1000, now())`.execute(house.database.general)
  await sql`insert into due_work (work_id, kind, key, due_at, holder, lease_until, fence)
    values (${runId}, 'groupOperation', ${runId}, now(), ${gone}, now(), 1)`.execute(house.database.general)
  return runId
}

test('a line whose turn is held up when somebody stops its group is told stopped, and never operated', async () => {
  const turn = heldUp()
  const runs = await serve(turn)
  const runId = await start(runs)
  await vi.waitFor(() => expect(turn.turns).toBe(1))
  const stopped = await runs.stop(house.actor, runId)
  expect(stopped).toMatchObject({ EndedAt: now, StoppedBy: 'admin' })
  expect(stopped.Lines.map(({ State, Command }) => [State, Command])).toEqual([1, 2, 3].map(() => ['stopped', null]))
  turn.go()
  await runs.close()
  expect(left).toEqual([])
  expect(await run(runId)).toMatchObject({
    stoppedBy: 'admin',
    lines: [1, 2, 3].map(() => ({ state: 'stopped', command: null })),
  })
  expect(await refusedIn()).toEqual([
    {
      actor: 'admin',
      action: 'line.close',
      target: 'dgp1/1',
      after: expect.objectContaining({ refusal: 'group operation over' }),
    },
  ])
})

test('one whose command is being written when somebody stops its group is told ordered: the stop comes after it', async () => {
  const release = await hold('lock table command_step in exclusive mode')
  const runs = await serve()
  const runId = await start(runs, placed(1, 2))
  await waiting(1)
  const stopping = runs.stop(house.actor, runId)
  await waiting(2)
  await release()
  expect((await stopping).Lines.map(({ State, Command }) => [State, Command?.State ?? null])).toEqual([
    ['ordered', 'authorised'],
    ['stopped', null],
  ])
  await vi.waitFor(() => expect(left.map(({ lineId }) => lineId)).toEqual([house.line(1).id]))
})

test('a second server that starts leaves alone what the first carries out; stopped there, the first operates nothing more', async () => {
  const hub = new Hub((error) => errors.push(error))
  const over: unknown[] = []
  hub.subscribe((committed) => over.push(...toldLive('run', committed).flatMap(({ run: told }) => told.EndedAt ?? [])))
  const first = await serve({ hub })
  const runId = await start(first)
  await firstOrdered(runId)
  const elsewhere = new Hub((error) => errors.push(error))
  const toldElsewhere: unknown[] = []
  elsewhere.subscribe((committed) => toldElsewhere.push(...toldLive('run', committed).map(({ run: told }) => told.EndedAt)))
  const second = await serve({ hub: elsewhere })
  await second.sweep()
  expect(await statesOf(runId)).toEqual(['ordered', 'waiting', 'waiting'])
  expect((await second.stop(house.actor, runId)).Lines.map(({ State }) => State)).toEqual(['ordered', 'stopped', 'stopped'])
  // Whoever watches there is told as well.
  expect(toldElsewhere).toEqual([now])
  // The first hears of it when it looks after its groups, and does not wait out the pause.
  await first.sweep()
  await vi.waitFor(() => expect(over).toEqual([now]))
  expect(left).toHaveLength(1)
  expect(await run(runId)).toMatchObject({ stoppedBy: 'admin', endedAt: now })
})

test('a line whose turn is held up when another server stops its group is not operated either', async () => {
  const turn = heldUp()
  const first = await serve(turn)
  const runId = await start(first, placed(1, 2))
  const second = await serve()
  await second.stop(house.actor, runId)
  turn.go()
  await first.close()
  expect(left).toEqual([])
  expect(await statesOf(runId)).toEqual(['stopped', 'stopped'])
})

test('a line that was told stopped stays so, whatever its turn comes to', async () => {
  const turn = heldUp((actor) => ({ ...actor, seesGateway: () => false }))
  const runs = await serve(turn)
  const runId = await start(runs)
  await vi.waitFor(() => expect(turn.turns).toBe(1))
  await runs.stop(house.actor, runId)
  turn.go()
  await runs.close()
  expect(await run(runId)).toMatchObject({ lines: [1, 2, 3].map(() => ({ state: 'stopped', refusal: null })) })
})

test('a group whose server is gone is over: the rest is missed, never operated, and stands in the log', async () => {
  const turn = heldUp()
  const gone = await serve(turn)
  const runId = await start(gone, placed(1, 2))
  await crash()
  const other = await serve()
  // Whoever carries it may only have been away with the database: it has a while to say that it lives.
  expect((await run(runId))?.endedAt).toBeNull()
  await other.sweep()
  expect(await run(runId)).toMatchObject({ endedAt: now, lines: [{ state: 'missed' }, { state: 'missed' }] })
  expect(await refusedIn()).toEqual([
    { actor: 'admin', action: 'run.close', target: runId, after: { missed: ['dgp1/1', 'dgp1/2'] } },
  ])
  // It was only cut off, and comes back.
  turn.go()
  await gone.close()
  expect(left).toEqual([])
  expect(await statesOf(runId)).toEqual(['missed', 'missed'])
})

test('a server that lives keeps its groups, and takes up those that died with another', async () => {
  const runs = await serve()
  const own = await start(runs)
  await firstOrdered(own)
  await crash()
  const [bad, good] = [await lost(), await lost()]
  await failing('operation_run', 1, `new.run_id = '${bad}' and new.ended_at is not null`)
  await runs.sweep()
  expect((await run(good))?.endedAt).toBeNull()
  await runs.sweep()
  expect((await run(own))?.endedAt).toBeNull()
  // One that cannot be ended keeps no other from it, and is tried again.
  expect((await run(bad))?.endedAt).toBeNull()
  expect((await run(good))?.endedAt).toBe(now)
  expect(errors).toHaveLength(1)
  await runs.sweep()
  expect((await run(bad))?.endedAt).toBe(now)
  await (await serve()).sweep()
  expect((await run(own))?.endedAt).toBeNull()
})

test('a group that is carried here is not ended by its own server, though that could not say that it lives', async () => {
  const runs = await serve()
  const runId = await start(runs)
  await firstOrdered(runId)
  await crash()
  await failing('due_work', 1_000)
  await runs.sweep()
  await runs.sweep()
  expect((await run(runId))?.endedAt).toBeNull()
  expect(await statesOf(runId)).toEqual(['ordered', 'waiting', 'waiting'])
})

test('a group whose server is heard of again while another is about to end it goes on', async () => {
  const first = await serve()
  const runId = await start(first)
  await firstOrdered(runId)
  await crash()
  const second = await serve()
  const release = await hold("update due_work set lease_until = now() + interval '1 minute'")
  await second.sweep()
  await release('commit')
  await second.sweep()
  await first.sweep()
  expect(await run(runId)).toMatchObject({
    endedAt: null,
    lines: [{ state: 'ordered' }, ...[2, 3].map(() => ({ state: 'waiting' }))],
  })
  expect(errors).toEqual([])
})

test('two looks count only in a row: one that failed between them begins anew', async () => {
  const runs = await serve()
  const runId = await lost()
  await runs.sweep()
  const { general } = house.database
  await sql`alter table due_work rename to away`.execute(general)
  await runs.sweep()
  // Nor does it keep a server from starting.
  await serve()
  await sql`alter table away rename to due_work`.execute(general)
  expect(errors).toHaveLength(2)
  await runs.sweep()
  expect((await run(runId))?.endedAt).toBeNull()
  await runs.sweep()
  expect((await run(runId))?.endedAt).toBe(now)
})

test('a line is not closed a millisecond before the stagger to the last one is over', async () => {
  const asked: number[] = []
  const waits = [1, 0.5]
  const stagger: Stagger = {
    waitMs: () => asked[asked.push(waits.shift() ?? 0) - 1] ?? 0,
    begins() {},
  }
  const runs = await serve({ stagger })
  const runId = await start(runs, placed(1))
  await ended(runId)
  expect(asked).toEqual([1, 0.5, 0])
})

test('whoever watches is told of the end of a group that nobody carried', async () => {
  const hub = new Hub((error) => errors.push(error))
  const told: unknown[] = []
  hub.subscribe((committed) =>
    told.push(...topicsOf('run', committed).map(({ heard, to }) => [heard.run.RunID, heard.run.EndedAt, to])),
  )
  const runs = await serve({ hub })
  const runId = await lost()
  await runs.sweep()
  expect(told).toEqual([])
  await runs.sweep()
  expect(told).toEqual([[runId, now, { account: house.actor.accountId }]])
})

test('by itself a server says that it lives, stores the end that it could not and ends what nobody carries', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  await failing('operation_run', 1, 'new.ended_at is not null')
  // Time stands, so the second group has not had its turn when it is stopped.
  const runs = await serve({ stagger: createStagger(() => 0) })
  const [own, stopped] = [await start(runs, placed(1, 2)), await start(runs, [house.line(1, 2)])]
  await expect(runs.stop(house.actor, stopped)).rejects.toThrow('the database was away')
  await crash()
  const abandoned = await lost()
  const inTime = (fact: () => Promise<void>) =>
    vi.waitFor(() => {
      vi.advanceTimersByTime(5_000)
      return fact()
    })
  await inTime(async () => {
    expect([await run(stopped), await run(abandoned)]).toMatchObject([{ stoppedBy: 'admin' }, { endedAt: now }])
    const carried = sql`select key from due_work where ended_at is null and lease_until > clock_timestamp()`
    expect((await carried.execute(house.database.general)).rows).toEqual([{ key: own }])
  })
})

const everyLine = () => [...house.plant.lines.values()]

test('a trip whose server was not heard of goes on to its last line', async () => {
  const turn = heldUp()
  const first = await serve(turn)
  const runId = await start(first, everyLine(), 'trip')
  await vi.waitFor(() => expect(turn.turns).toBeGreaterThan(0))
  await crash()
  await (await serve()).sweep()
  expect(await run(runId)).toMatchObject({ endedAt: now, lines: everyLine().map(() => ({ state: 'missed' })) })
  await first.sweep()
  turn.go()
  await first.close()
  expect(await statesOf(runId)).toEqual(everyLine().map(() => 'ordered'))
  expect(left).toHaveLength(everyLine().length)
})

test('a trip that a person stops on another server cuts no further line than those that have their turn', async () => {
  const turn = heldUp()
  const first = await serve(turn)
  const runId = await start(first, everyLine(), 'trip')
  await vi.waitFor(() => expect(turn.turns).toBe(4))
  await (await serve()).stop(house.actor, runId)
  await first.sweep()
  turn.go()
  await first.close()
  expect(await statesOf(runId)).toEqual(everyLine().map((_, index) => (index < 4 ? 'ordered' : 'stopped')))
})

test.each([
  ['is gone', 'access denied', async (): Promise<Actor | null> => null],
  [
    'cannot be looked up',
    'failed',
    async () => {
      throw new Error('the database was away')
    },
  ],
] as const)('a trip goes on when whoever ordered it %s, and nothing is closed then', async (_, key, actorNow) => {
  const runs = await serve({ actorNow })
  const trip = await start(runs, placed(1, 2), 'trip')
  await ended(trip)
  expect(await statesOf(trip)).toEqual(['ordered', 'ordered'])
  const close = await start(runs, placed(3, 4))
  await vi.waitFor(async () => expect((await run(close))?.lines[0]).toMatchObject({ state: 'refused', refusal: { key } }))
  expect(left.map(({ action, actor }) => [action, actor])).toEqual([1, 2].map(() => ['trip', 'admin']))
})

const byHand = (action: 'trip' | 'close') => ({
  line: house.line(1),
  action,
  actor: house.actor,
  source: 'console' as const,
  reason: 'x',
  commandId: crypto.randomUUID(),
  grant: null,
  deadlineMs: null,
})

test('a trip by hand does not wait for a line whose turn waits for whoever ends its group', async () => {
  const turn = heldUp()
  const runs = await serve(turn)
  await start(runs, placed(1))
  await vi.waitFor(() => expect(turn.turns).toBe(1))
  const release = await hold('select from operation_run for update')
  turn.go()
  await waiting(1)
  await gateOf().operate(byHand('trip'))
  expect(left.map(({ action }) => action)).toEqual(['trip'])
  await release()
})

test('a command that left is answered as it stands, also when its group is over by then', async () => {
  const runs = await serve()
  const runId = await start(runs)
  await firstOrdered(runId)
  await runs.stop(house.actor, runId)
  const [command] = left
  if (!command) throw new Error('nothing left')
  const again = await authorise(house.database, { ...command, accountId: house.actor.accountId }, {} as never)
  expect(again).toMatchObject({ is: 'known', command: { commandId: command.commandId } })
})

test('however many press Stop while the database makes them wait, the lane of commands stays open', async () => {
  const turn = heldUp()
  const runs = await serve(turn)
  const runIds = await Promise.all(everyLine().map((line) => start(runs, [line])))
  const release = await hold('select from operation_run for update')
  const stops = [...runIds, ...runIds].map((runId) => runs.stop(house.actor, runId))
  await waiting(1)
  await gateOf().operate(byHand('trip'))
  await release()
  turn.go()
  expect((await Promise.all(stops)).map(({ StoppedBy }) => StoppedBy)).toEqual(stops.map(() => 'admin'))
})

test('a stop counts more than a miss that could not be stored yet', async () => {
  await failing('operation_run', 1, 'new.ended_at is not null')
  const runs = await serve()
  const runId = await start(runs)
  await firstOrdered(runId)
  await ways['somebody ends the session it was started from']?.()
  await runs.sweep()
  await vi.waitFor(() => expect(errors).toHaveLength(1))
  await runs.stop(house.actor, runId)
  expect(await run(runId)).toMatchObject({
    stoppedBy: 'admin',
    lines: [{ state: 'ordered' }, { state: 'stopped' }, { state: 'stopped' }],
  })
})

test('a close that begins while its sign-in is being ended waits for that, and is not begun; a trip waits for nothing', async () => {
  const release = await hold('delete from session')
  const runs = await serve()
  const close = start(runs)
  const outcome = expect(close).rejects.toMatchObject({ key: 'session expired' })
  await waiting(1)
  await ended(await start(runs, placed(1), 'trip'))
  await release('commit')
  await outcome
  expect(left.map(({ action }) => action)).toEqual(['trip'])
})

const claimsOf = (runIds: readonly string[]) =>
  runIds.map((workId) => ({ workId, kind: 'groupOperation', key: workId, dueAt: now, fence: 1 }))

test.each<[string, string, (runIds: string[]) => Promise<unknown>]>([
  [
    'says that it carries them',
    'select from due_work where key',
    (runIds) => renewLeases(house.database.control, claimsOf(runIds), { server: gone, clock: databaseClock }),
  ],
  [
    'ends their sign-in',
    'select from operation_run where run_id::text',
    () => deleteSessionsOf(house.database.control, house.actor.accountId),
  ],
])('whoever %s has groups one after the other, so that nobody waits in a circle', async (_, rows, lock) => {
  const [low = '', high = ''] = [crypto.randomUUID(), crypto.randomUUID()].toSorted()
  for (const runId of [high, low]) await lost(runId)
  const release = await hold(`${rows} = '${low}' for update`)
  const locking = lock([high, low])
  await waiting(1)
  await sql.raw(`${rows} = '${high}' for update nowait`).execute(house.database.general)
  await release()
  await locking
})

test('a run that loses its rights says so of the line whose turn came, and one that the server ends of the lines it missed', async () => {
  const runs = await serve({ actorNow: async (actor) => ({ ...actor, seesGateway: () => false }) })
  const runId = await start(runs)
  await vi.waitFor(async () => expect((await statesOf(runId))?.[0]).toBe('refused'))
  await runs.close()
  expect(left).toEqual([])
  const denied = { source: 'group', reason: 'x', refusal: 'access denied', commandId: expect.any(String) }
  expect(await refusedIn()).toEqual([
    { actor: 'admin', action: 'line.close', target: 'dgp1/1', after: denied },
    { actor: 'admin', action: 'run.close', target: runId, after: { missed: ['dgp1/2', 'dgp1/3'] } },
  ])
})

test('a line whose command left is ordered, even when writing that down failed', async () => {
  await failing('operation_run_line', 1, "new.state = 'ordered'")
  const runs = await serve()
  const runId = await start(runs, placed(1))
  await ended(runId)
  expect(await run(runId)).toMatchObject({ endedAt: now, lines: [{ state: 'ordered', refusal: null }] })
  expect(errors).toHaveLength(1)
})

test('a stop that could not be stored is made up for as what it was, by whom it was, and stands in the log once', async () => {
  await failing('operation_run', 2, 'new.ended_at is not null')
  const runs = await serve()
  const runId = await start(runs)
  await firstOrdered(runId)
  await expect(runs.stop(house.actor, runId)).rejects.toThrow('the database was away')
  // Nothing more of it is operated, and it is not taken for missed.
  await runs.sweep()
  expect(errors).toHaveLength(1)
  expect((await run(runId))?.endedAt).toBeNull()
  await runs.sweep()
  const stopped = { endedAt: now, stoppedBy: 'admin', lines: [{ state: 'ordered' }, { state: 'stopped' }, { state: 'stopped' }] }
  expect(await run(runId)).toMatchObject(stopped)
  await Promise.all([runs.stop(house.actor, runId), runs.stop(house.actor, runId)])
  await runs.close()
  expect(await run(runId)).toMatchObject(stopped)
  expect(left).toHaveLength(1)
  const stops = house.database.general
    .selectFrom('audit')
    .select(['target', 'actor'])
    .where('action', '=', 'run.stop')
    .where('audit_id', '>', logged)
  expect(await stops.execute()).toEqual([{ target: runId, actor: 'admin' }])
})

test('the end of a group that could not be stored is made up for', async () => {
  await failing('operation_run', 1, 'new.ended_at is not null')
  const runs = await serve()
  const runId = await start(runs, placed(1))
  await vi.waitFor(() => expect(errors).toHaveLength(1))
  expect((await run(runId))?.endedAt).toBeNull()
  await runs.sweep()
  expect(await run(runId)).toMatchObject({ endedAt: now, lines: [{ state: 'ordered' }] })
})

/** Somebody else who gave their password. */
async function signedIn(): Promise<Actor> {
  const { rows } = await sql<{ account_id: string; session_id: string }>`
    with chief as (insert into account (user_name, kind, password_hash) values ('chief', 'platform', '') returning account_id)
    insert into session (account_id, token, created_at, last_used_at, address, proved_at)
      select account_id, 'chief', now(), now(), '', now() from chief returning account_id, session_id`.execute(
    house.database.general,
  )
  const [row] = rows
  if (!row) throw new Error('nobody')
  return { ...house.actor, userName: 'chief', accountId: row.account_id, sessionId: row.session_id }
}

/** Ends sign-ins as who does it asks for it. */
const endSignIns = (actor: Actor) =>
  createSessions({
    database: house.database,
    accounts: {
      aliveSessions: (accountId) => sessionsOf(house.database.control, accountId),
      endThese: (which, audit) => endThese(house.database.control, which, audit),
    },
    reach: async () => ({ ...house.actor, ownerId: null }) as never,
    clock: () => now,
  }).end({ ...actor, provedAt: now }, { AccountID: house.actor.accountId })

const ways: Readonly<Record<string, () => Promise<unknown>>> = {
  'they end their other sign-ins from elsewhere': () => endSignIns({ ...house.actor, sessionId: '999' }),
  'somebody ends the session it was started from': () =>
    endThese(house.database.control, { sessionIds: [house.actor.sessionId], rememberIds: [] }, null),
  'the device it was started on is forgotten, whatever session is on it by then': () =>
    endThese(house.database.control, { sessionIds: [], rememberIds: [device] }, null),
  'a copied handle of its device is used': () =>
    takeHandle(house.database.control, {
      ...{ handleHash: 'spent', nextHash: '', address: 'elsewhere', now, attended: true, expiresAt: now, maxMs: now },
    }),
  'the password is changed, the account disabled or deleted': () =>
    deleteSessionsOf(house.database.control, house.actor.accountId),
}

test.each(Object.keys(ways))('when %s, closes and tests go no further, also on another server, and say why', async (way) => {
  for (const line of placed(3, 4)) line.states.set('position', 'closed')
  const turn = heldUp()
  const [closer, tester] = [await serve(turn), await serve(turn)]
  const close = await start(closer, placed(1, 2))
  const selfTest = await start(tester, placed(3, 4), 'selfTest')
  await vi.waitFor(() => expect(turn.turns).toBe(2))
  await ways[way]?.()
  turn.go()
  for (const runId of [close, selfTest]) {
    await ended(runId)
    const refusal = { key: 'run sign-in ended', text: { zh: expect.any(String), en: expect.any(String) } }
    expect(await run(runId)).toMatchObject({ stoppedBy: null, lines: [1, 2].map(() => ({ state: 'missed', refusal })) })
  }
  expect(left).toEqual([])
  const missed = (await refusedIn()).filter(({ action }) => action.startsWith('run.'))
  expect(new Map(missed.map(({ target, after }) => [target, after]))).toEqual(
    new Map([
      [close, { missed: ['dgp1/1', 'dgp1/2'], refusal: 'run sign-in ended' }],
      [selfTest, { missed: ['dgp1/3', 'dgp1/4'], refusal: 'run sign-in ended' }],
    ]),
  )
})

test('a group that waits out its pause when its sign-in is ended is over at the next look', async () => {
  const runs = await serve()
  const runId = await start(runs)
  await firstOrdered(runId)
  await ways['somebody ends the session it was started from']?.()
  await runs.sweep()
  await ended(runId)
  expect(await statesOf(runId)).toEqual(['ordered', 'missed', 'missed'])
})

test('all that a person left running is over when all their sign-ins are ended, also when none is open by then', async () => {
  const { control } = house.database
  const administrator = await signedIn()
  const runs = await serve()
  const close = await start(runs)
  await firstOrdered(close)
  await endThese(control, { sessionIds: [house.actor.sessionId], rememberIds: [], signingOut: true }, null)
  expect(await endSignIns(administrator)).toEqual({ Ended: 0 })
  await runs.sweep()
  await ended(close)
  expect(await statesOf(close)).toEqual(['ordered', 'missed', 'missed'])
  const entries = house.database.general.selectFrom('audit').select(['actor', 'after']).where('action', '=', 'session.end')
  expect(await entries.where('audit_id', '>', logged).execute()).toEqual([{ actor: 'chief', after: { ended: 0 } }])
})

test('whoever ends their other sign-ins keeps what they started from here and on this device, and nothing else', async () => {
  const runs = await serve()
  const [here, onDevice, elsewhere] = [await lost(), await lost(), await lost()]
  const { general } = house.database
  await sql`update operation_run set session_id = ${house.actor.sessionId} where run_id = ${here}`.execute(general)
  await sql`update operation_run set session_id = 998, remember_id = ${device} where run_id = ${onDevice}`.execute(general)
  await sql`update operation_run set session_id = 998 where run_id = ${elsewhere}`.execute(general)
  await endSignIns(house.actor)
  const over = await sql`select run_id from operation_run where revoked_at is not null`.execute(general)
  expect(over.rows).toEqual([{ run_id: elsewhere }])
  // Without a device it is the session alone.
  await sql`update session set remember_id = null`.execute(general)
  await endSignIns(house.actor)
  const open = await sql`select run_id from operation_run where revoked_at is null`.execute(general)
  expect(open.rows).toEqual([{ run_id: here }])
  await runs.close()
})

test('a group goes on when its person signs out or another session ends, and a trip goes on whatever ends', async () => {
  const { control } = house.database
  const runs = await serve()
  const close = await start(runs)
  await firstOrdered(close)
  await endThese(control, { sessionIds: ['999'], rememberIds: [] }, null)
  await endThese(control, { sessionIds: [house.actor.sessionId], rememberIds: [], signingOut: true }, null)
  await runs.sweep()
  expect(await statesOf(close)).toEqual(['ordered', 'waiting', 'waiting'])
  await runs.stop(house.actor, close)
  // By now the session is gone: nothing is energised from it, and power is still cut.
  await expect(start(runs)).rejects.toMatchObject({ key: 'session expired' })
  left = []
  const turn = heldUp()
  const tripper = await serve(turn)
  const every = [...house.plant.lines.values()]
  const trip = await start(tripper, every, 'trip')
  await vi.waitFor(() => expect(turn.turns).toBeGreaterThan(0))
  await deleteSessionsOf(control, house.actor.accountId)
  await tripper.sweep()
  turn.go()
  await ended(trip)
  expect(await statesOf(trip)).toEqual(every.map(() => 'ordered'))
  expect(left).toHaveLength(every.length)
})

/** Somebody who sees the equipment of one project; `of`: who it is. */
const seeing = (project: 1 | 2, of: Partial<Actor> = {}): Actor => {
  const seen = house.line(1, project).device.gateway.project.id
  const actor = {
    ...house.actor,
    platform: false,
    administrator: false,
    accountId: crypto.randomUUID(),
    userName: 'other',
    ...of,
  }
  return {
    ...actor,
    sees: (id) => id === seen,
    seesPart: (id) => id === seen,
    seesGateway: (gateway) => gateway.project.id === seen,
    scope: { all: false, projectIds: [seen], gatewayIds: [], tenant: null, administrator: false, accountId: actor.accountId },
  }
}
const nobody = (of: Partial<Actor> = {}): Actor => {
  const actor = seeing(1, of)
  return {
    ...actor,
    sees: () => false,
    seesPart: () => false,
    seesGateway: () => false,
    scope: { ...actor.scope, projectIds: [] },
  }
}

test('whoever sees one of its lines, or started it, reads of a group what they see, finds it and stops it; a stranger does not', async () => {
  const runs = await serve()
  const mixed = [house.line(1), house.line(2), house.line(1, 2)]
  const { accountId } = house.actor
  const read = async (actor: Actor, runId: string) => {
    const { Whole, Lines } = await runs.get(actor, runId)
    const { items, total } = await runs.list(actor, { Running: true })
    return [Whole, Lines.map(({ ControllerID, LineNo }) => `${ControllerID}/${LineNo}`), items.map(({ Total }) => Total), total]
  }
  const runId = await start(runs, mixed)
  await firstOrdered(runId)
  expect(await read(house.actor, runId)).toEqual([true, ['dgp1/1', 'dgp1/2', 'dgp2/1'], [3], 1])
  // Nor is it whole to whoever sees everything, when a line of it is gone.
  const gone = house.line(2)
  house.plant.lines.delete(gone.id)
  expect((await read(house.actor, runId)).slice(0, 2)).toEqual([false, ['dgp1/1', 'dgp2/1']])
  house.plant.lines.set(gone.id, gone)
  expect(await read(seeing(1), runId)).toEqual([false, ['dgp1/1', 'dgp1/2'], [2], 1])
  expect(await read(seeing(2), runId)).toEqual([false, ['dgp2/1'], [1], 1])
  expect(await read(seeing(2, { accountId }), runId)).toEqual([false, ['dgp2/1'], [1], 1])
  expect(await read(nobody({ accountId }), runId)).toEqual([false, [], [0], 1])
  // Sent again, it is answered the same way.
  const again = await runs.start(seeing(2, { accountId }), 'close', mixed, { RunID: runId, Reason: 'x' })
  expect(again.Lines.map(({ ControllerID }) => ControllerID)).toEqual(['dgp2'])
  const stranger = nobody()
  await expect(runs.get(stranger, runId)).rejects.toMatchObject({ key: 'operation not exists' })
  await expect(runs.stop(stranger, runId)).rejects.toMatchObject({ key: 'operation not exists' })
  expect(await runs.list(stranger, {})).toEqual({ items: [], total: 0 })
  expect((await run(runId))?.endedAt).toBeNull()
  expect((await runs.stop(seeing(2), runId)).Lines.map(({ State }) => State)).toEqual(['stopped'])
  const own = await start(runs, mixed)
  expect(await runs.stop(nobody({ accountId, userName: 'admin' }), own)).toMatchObject({
    StoppedBy: 'admin',
    Whole: false,
    Lines: [],
  })
})

test('of many groups a page of the newest is listed, and all that are seen are counted', async () => {
  await sql`insert into operation_run (run_id, action, actor, reason, stagger_ms, started_at, ended_at)
    select gen_random_uuid(), 'trip', n::text, '', 1000, to_timestamp(n), now() from generate_series(1, 7) n`.execute(
    house.database.general,
  )
  await sql`insert into operation_run_line (run_id, position, line_id, command_id, state)
    select run_id, 0, case when actor::int % 2 = 0 then ${house.line(1).id}::int else ${house.line(1, 2).id}::int end, gen_random_uuid(), 'ordered'
    from operation_run`.execute(house.database.general)
  const runs = await serve()
  const page = async (actor: Actor, query: { Page?: number; Size?: number; Running?: boolean }) => {
    const { items, total } = await runs.list(actor, query)
    return [items.map(({ Actor: name, Ordered }) => `${name}: ${Ordered}`), total]
  }
  expect(await page(house.actor, { Size: 2 })).toEqual([['7: 1', '6: 1'], 7])
  expect(await page(house.actor, { Size: 3, Page: 3 })).toEqual([['1: 1'], 7])
  expect(await page(seeing(2), { Size: 3 })).toEqual([['7: 1', '5: 1', '3: 1'], 4])
  expect(await page(seeing(2), { Size: 3, Page: 9 })).toEqual([[], 4])
  expect(await page(seeing(1), { Running: true })).toEqual([[], 0])
})

test('of a group that could not operate a single line, each owner reads why it was of a line of their own', async () => {
  const { database, actor } = house
  house.line(1, 2).device.gateway.project.ownerId = actor.accountId
  const gate = gateOf('not_connected')
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
  const rows = await database.general
    .selectFrom('audit')
    .select(['tree', 'target'])
    .where('audit_id', '>', logged)
    .orderBy('audit_id')
    .execute()
  expect(rows).toEqual([
    { tree: null, target: 'dgp1/1' },
    { tree: actor.accountId, target: 'dgp2/3' },
  ])
})

const refusedIn = () =>
  house.database.general
    .selectFrom('audit')
    .select(['actor', 'action', 'target', 'after'])
    .where('outcome', '=', 'refused')
    .where('audit_id', '>', logged)
    .orderBy('audit_id')
    .execute()
