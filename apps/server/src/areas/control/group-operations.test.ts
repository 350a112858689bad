import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { authorise } from '../../store/control/command.ts'
import type { Stagger } from './stagger.ts'
import { delayedTurn, now, TestGroupOperations } from './test-group-operations.ts'

// A group on one server: each line in its turn, and what becomes of the rest.
const groups = new TestGroupOperations()
const { ended, errors, failing, firstOrdered, lock, left, placed, refusedIn, operation, serve, start, statesOf, waiting } = groups

beforeAll(() => groups.open())
beforeEach(() => groups.begin())
afterEach(() => groups.end())
afterAll(() => groups.drop())

test('a line whose turn is delayed when somebody stops its group is told stopped, and never operated', async () => {
  const turn = delayedTurn()
  const operations = await serve(turn)
  const operationId = await start(operations)
  await vi.waitFor(() => expect(turn.turns).toBe(1))
  const stopped = await operations.stop(groups.actor, operationId)
  expect(stopped).toMatchObject({ EndedAt: now, StoppedBy: 'admin' })
  expect(stopped.Lines.map(({ State, Command }) => [State, Command])).toEqual([1, 2, 3].map(() => ['stopped', null]))
  turn.go()
  await operations.close()
  expect(left).toEqual([])
  expect(await operation(operationId)).toMatchObject({
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
  const release = await lock('lock table command_step in exclusive mode')
  const operations = await serve()
  const operationId = await start(operations, placed(1, 2))
  await waiting(1)
  const stopping = operations.stop(groups.actor, operationId)
  await waiting(2)
  await release()
  expect((await stopping).Lines.map(({ State, Command }) => [State, Command?.State ?? null])).toEqual([
    ['ordered', 'authorised'],
    ['stopped', null],
  ])
  await vi.waitFor(() => expect(left.map(({ lineId }) => lineId)).toEqual([groups.line(1).id]))
})

test('a line that was told stopped stays so, whatever its turn comes to', async () => {
  const turn = delayedTurn((actor) => ({ ...actor, seesGateway: () => false }))
  const operations = await serve(turn)
  const operationId = await start(operations)
  await vi.waitFor(() => expect(turn.turns).toBe(1))
  await operations.stop(groups.actor, operationId)
  turn.go()
  await operations.close()
  expect(await operation(operationId)).toMatchObject({ lines: [1, 2, 3].map(() => ({ state: 'stopped', refusal: null })) })
})

test('a line is not closed a millisecond before the stagger to the last one is over', async () => {
  const asked: number[] = []
  const waits = [1, 0.5]
  const stagger: Stagger = {
    async take() {
      const wait = waits.shift() ?? 0
      asked.push(wait)
      return wait > 0 ? wait : () => {}
    },
    begins() {},
  }
  const operations = await serve({ stagger })
  const operationId = await start(operations, placed(1))
  await ended(operationId)
  expect(asked).toEqual([1, 0.5, 0])
})

test('a command that left is answered as it stands, also when its group is over by then', async () => {
  const operations = await serve()
  const operationId = await start(operations)
  await firstOrdered(operationId)
  await operations.stop(groups.actor, operationId)
  const [command] = left
  if (!command) throw new Error('nothing left')
  const again = await authorise(groups.database, { ...command, accountId: groups.actor.accountId }, {} as never)
  expect(again).toMatchObject({ is: 'known', command: { commandId: command.commandId } })
})

test('a group that loses its rights says so of the line whose turn came, one that the server ends of those missed', async () => {
  const operations = await serve({ actorNow: async (actor) => ({ ...actor, seesGateway: () => false }) })
  const operationId = await start(operations)
  await vi.waitFor(async () => expect((await statesOf(operationId))?.[0]).toBe('refused'))
  await operations.close()
  expect(left).toEqual([])
  const denied = { source: 'group', reason: 'x', refusal: 'access denied', commandId: expect.any(String) }
  expect(await refusedIn()).toEqual([
    { actor: 'admin', action: 'line.close', target: 'dgp1/1', after: denied },
    { actor: 'admin', action: 'run.close', target: operationId, after: { missed: ['dgp1/2', 'dgp1/3'] } },
  ])
})

test('a line whose command left is ordered, even when writing that down failed', async () => {
  await failing('operation_run_line', 1, "new.state = 'ordered'")
  const operations = await serve()
  const operationId = await start(operations, placed(1))
  await ended(operationId)
  expect(await operation(operationId)).toMatchObject({ endedAt: now, lines: [{ state: 'ordered', refusal: null }] })
  expect(errors).toHaveLength(1)
})

test('a stop that could not be stored is made up for as what it was, by whom it was, and stands in the log once', async () => {
  await failing('operation_run', 2, 'new.ended_at is not null')
  const operations = await serve()
  const operationId = await start(operations)
  await firstOrdered(operationId)
  await expect(operations.stop(groups.actor, operationId)).rejects.toThrow('the database was away')
  // Nothing more of it is operated, and it is not taken for missed.
  await operations.sweep()
  expect(errors).toHaveLength(1)
  expect((await operation(operationId))?.endedAt).toBeNull()
  await operations.sweep()
  const stopped = { endedAt: now, stoppedBy: 'admin', lines: [{ state: 'ordered' }, { state: 'stopped' }, { state: 'stopped' }] }
  expect(await operation(operationId)).toMatchObject(stopped)
  await Promise.all([operations.stop(groups.actor, operationId), operations.stop(groups.actor, operationId)])
  await operations.close()
  expect(await operation(operationId)).toMatchObject(stopped)
  expect(left).toHaveLength(1)
  const stops = groups.database.general
    .selectFrom('audit')
    .select(['target', 'actor'])
    .where('action', '=', 'run.stop')
    .where('audit_id', '>', groups.logged)
  expect(await stops.execute()).toEqual([{ target: operationId, actor: 'admin' }])
})

test('the end of a group that could not be stored is made up for', async () => {
  await failing('operation_run', 1, 'new.ended_at is not null')
  const operations = await serve()
  const operationId = await start(operations, placed(1))
  await vi.waitFor(() => expect(errors).toHaveLength(1))
  expect((await operation(operationId))?.endedAt).toBeNull()
  await operations.sweep()
  expect(await operation(operationId)).toMatchObject({ endedAt: now, lines: [{ state: 'ordered' }] })
})
