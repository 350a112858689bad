import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Actor } from '../../access/actor.ts'
import { delayedTurn, now, TestGroupOperations } from './test-group-operations.ts'

// Groups that trip go on to their last line, and a trip by hand waits for no group.
const groups = new TestGroupOperations()
const { crash, ended, everyLine, gateOf, lock, left, placed, operation, serve, start, statesOf, waiting } = groups

beforeAll(() => groups.open())
beforeEach(() => groups.begin())
afterEach(() => groups.end())
afterAll(() => groups.drop())

test('a trip whose server was not heard of goes on to its last line', async () => {
  const turn = delayedTurn()
  const first = await serve(turn)
  const operationId = await start(first, everyLine(), 'trip')
  await vi.waitFor(() => expect(turn.turns).toBeGreaterThan(0))
  await crash()
  await (await serve()).sweep()
  expect(await operation(operationId)).toMatchObject({ endedAt: now, lines: everyLine().map(() => ({ state: 'missed' })) })
  await first.sweep()
  turn.go()
  await first.close()
  expect(await statesOf(operationId)).toEqual(everyLine().map(() => 'ordered'))
  expect(left).toHaveLength(everyLine().length)
})

test('a trip that a person stops on another server cuts no further line than those that have their turn', async () => {
  const turn = delayedTurn()
  const first = await serve(turn)
  const operationId = await start(first, everyLine(), 'trip')
  await vi.waitFor(() => expect(turn.turns).toBe(4))
  await (await serve()).stop(groups.actor, operationId)
  await first.sweep()
  turn.go()
  await first.close()
  expect(await statesOf(operationId)).toEqual(everyLine().map((_, index) => (index < 4 ? 'ordered' : 'stopped')))
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
  const operations = await serve({ actorNow })
  const trip = await start(operations, placed(1, 2), 'trip')
  await ended(trip)
  expect(await statesOf(trip)).toEqual(['ordered', 'ordered'])
  const close = await start(operations, placed(3, 4))
  await vi.waitFor(async () => expect((await operation(close))?.lines[0]).toMatchObject({ state: 'refused', refusal: { key } }))
  expect(left.map(({ action, actor }) => [action, actor])).toEqual([1, 2].map(() => ['trip', 'admin']))
})

const byHand = (action: 'trip' | 'close') => ({
  line: groups.line(1),
  action,
  actor: groups.actor,
  source: 'console' as const,
  reason: 'x',
  commandId: crypto.randomUUID(),
  grant: null,
  deadlineMs: null,
})

test('a trip by hand does not wait for a line whose turn waits for whoever ends its group', async () => {
  const turn = delayedTurn()
  const operations = await serve(turn)
  await start(operations, placed(1))
  await vi.waitFor(() => expect(turn.turns).toBe(1))
  const release = await lock('select from operation_run for update')
  turn.go()
  await waiting(1)
  await gateOf().operate(byHand('trip'))
  expect(left.map(({ action }) => action)).toEqual(['trip'])
  await release()
})

test('however many press Stop while the database makes them wait, the lane of commands stays open', async () => {
  const turn = delayedTurn()
  const operations = await serve(turn)
  const operationIds = await Promise.all(everyLine().map((line) => start(operations, [line])))
  const release = await lock('select from operation_run for update')
  const stops = [...operationIds, ...operationIds].map((operationId) => operations.stop(groups.actor, operationId))
  await waiting(1)
  await gateOf().operate(byHand('trip'))
  await release()
  turn.go()
  expect((await Promise.all(stops)).map(({ StoppedBy }) => StoppedBy)).toEqual(stops.map(() => 'admin'))
})
