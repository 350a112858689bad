import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { authorise } from '../../store/control/command.ts'
import type { Stagger } from './stagger.ts'
import { heldUp, now, TestRuns } from './test-runs.ts'

// A group on one server: each line in its turn, and what becomes of the rest.
const groups = new TestRuns()
const { ended, errors, failing, firstOrdered, hold, left, placed, refusedIn, run, serve, start, statesOf, waiting } = groups

beforeAll(() => groups.open())
beforeEach(() => groups.begin())
afterEach(() => groups.end())
afterAll(() => groups.drop())

test('a line whose turn is held up when somebody stops its group is told stopped, and never operated', async () => {
  const turn = heldUp()
  const runs = await serve(turn)
  const runId = await start(runs)
  await vi.waitFor(() => expect(turn.turns).toBe(1))
  const stopped = await runs.stop(groups.actor, runId)
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
  const stopping = runs.stop(groups.actor, runId)
  await waiting(2)
  await release()
  expect((await stopping).Lines.map(({ State, Command }) => [State, Command?.State ?? null])).toEqual([
    ['ordered', 'authorised'],
    ['stopped', null],
  ])
  await vi.waitFor(() => expect(left.map(({ lineId }) => lineId)).toEqual([groups.line(1).id]))
})

test('a line that was told stopped stays so, whatever its turn comes to', async () => {
  const turn = heldUp((actor) => ({ ...actor, seesGateway: () => false }))
  const runs = await serve(turn)
  const runId = await start(runs)
  await vi.waitFor(() => expect(turn.turns).toBe(1))
  await runs.stop(groups.actor, runId)
  turn.go()
  await runs.close()
  expect(await run(runId)).toMatchObject({ lines: [1, 2, 3].map(() => ({ state: 'stopped', refusal: null })) })
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

test('a command that left is answered as it stands, also when its group is over by then', async () => {
  const runs = await serve()
  const runId = await start(runs)
  await firstOrdered(runId)
  await runs.stop(groups.actor, runId)
  const [command] = left
  if (!command) throw new Error('nothing left')
  const again = await authorise(groups.database, { ...command, accountId: groups.actor.accountId }, {} as never)
  expect(again).toMatchObject({ is: 'known', command: { commandId: command.commandId } })
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
  await expect(runs.stop(groups.actor, runId)).rejects.toThrow('the database was away')
  // Nothing more of it is operated, and it is not taken for missed.
  await runs.sweep()
  expect(errors).toHaveLength(1)
  expect((await run(runId))?.endedAt).toBeNull()
  await runs.sweep()
  const stopped = { endedAt: now, stoppedBy: 'admin', lines: [{ state: 'ordered' }, { state: 'stopped' }, { state: 'stopped' }] }
  expect(await run(runId)).toMatchObject(stopped)
  await Promise.all([runs.stop(groups.actor, runId), runs.stop(groups.actor, runId)])
  await runs.close()
  expect(await run(runId)).toMatchObject(stopped)
  expect(left).toHaveLength(1)
  const stops = groups.database.general
    .selectFrom('audit')
    .select(['target', 'actor'])
    .where('action', '=', 'run.stop')
    .where('audit_id', '>', groups.logged)
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
