import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Hub } from '../../plant/hub.ts'
import { liveMessages, topicsOf } from '../../plant/test-topics.ts'
import { deleteSessionsOf } from '../../store/account/session.ts'
import { databaseClock, renewLeases } from '../../store/jobs/due-work.ts'
import { createStagger } from './stagger.ts'
import { delayedTurn, gone, now, TestGroupOperations } from './test-group-operations.ts'

// Several servers on one database: a group is carried by one of them, and ended by another when that one is gone.
const groups = new TestGroupOperations()
const { crash, errors, failing, firstOrdered, lock, left, lost, placed, refusedIn, operation, serve, start, statesOf, waiting } =
  groups

beforeAll(() => groups.open())
beforeEach(() => groups.begin())
afterEach(async () => {
  await groups.end()
  vi.useRealTimers()
})
afterAll(() => groups.drop())

test('a second server that starts leaves alone what the first carries out; stopped there, the first operates nothing more', async () => {
  const hub = new Hub((error) => errors.push(error))
  const over: unknown[] = []
  hub.subscribe((committed) =>
    over.push(...liveMessages('run', committed).flatMap(({ run: published }) => published.EndedAt ?? [])),
  )
  const first = await serve({ hub })
  const operationId = await start(first)
  await firstOrdered(operationId)
  const elsewhere = new Hub((error) => errors.push(error))
  const publishedElsewhere: unknown[] = []
  elsewhere.subscribe((committed) =>
    publishedElsewhere.push(...liveMessages('run', committed).map(({ run: published }) => published.EndedAt)),
  )
  const second = await serve({ hub: elsewhere })
  await second.sweep()
  expect(await statesOf(operationId)).toEqual(['ordered', 'waiting', 'waiting'])
  expect((await second.stop(groups.actor, operationId)).Lines.map(({ State }) => State)).toEqual([
    'ordered',
    'stopped',
    'stopped',
  ])
  // Whoever watches there is told as well.
  expect(publishedElsewhere).toEqual([now])
  // The first hears of it when it looks after its groups, and does not wait out the pause.
  await first.sweep()
  await vi.waitFor(() => expect(over).toEqual([now]))
  expect(left).toHaveLength(1)
  expect(await operation(operationId)).toMatchObject({ stoppedBy: 'admin', endedAt: now })
})

test('a line whose turn is delayed when another server stops its group is not operated either', async () => {
  const turn = delayedTurn()
  const first = await serve(turn)
  const operationId = await start(first, placed(1, 2))
  const second = await serve()
  await second.stop(groups.actor, operationId)
  turn.go()
  await first.close()
  expect(left).toEqual([])
  expect(await statesOf(operationId)).toEqual(['stopped', 'stopped'])
})

test('a group whose server is gone is over: the rest is missed, never operated, and stands in the log', async () => {
  const turn = delayedTurn()
  const gone = await serve(turn)
  const operationId = await start(gone, placed(1, 2))
  await crash()
  const other = await serve()
  // Whoever carries it may only have been away with the database: it has a while to say that it lives.
  expect((await operation(operationId))?.endedAt).toBeNull()
  await other.sweep()
  expect(await operation(operationId)).toMatchObject({ endedAt: now, lines: [{ state: 'missed' }, { state: 'missed' }] })
  expect(await refusedIn()).toEqual([
    { actor: 'admin', action: 'run.close', target: operationId, after: { missed: ['dgp1/1', 'dgp1/2'] } },
  ])
  // It was only cut off, and comes back.
  turn.go()
  await gone.close()
  expect(left).toEqual([])
  expect(await statesOf(operationId)).toEqual(['missed', 'missed'])
})

test('a server that lives keeps its groups, and takes up those that died with another', async () => {
  const operations = await serve()
  const own = await start(operations)
  await firstOrdered(own)
  await crash()
  const [bad, good] = [await lost(), await lost()]
  await failing('operation_run', 1, `new.run_id = '${bad}' and new.ended_at is not null`)
  await operations.sweep()
  expect((await operation(good))?.endedAt).toBeNull()
  await operations.sweep()
  expect((await operation(own))?.endedAt).toBeNull()
  // One that cannot be ended keeps no other from it, and is tried again.
  expect((await operation(bad))?.endedAt).toBeNull()
  expect((await operation(good))?.endedAt).toBe(now)
  expect(errors).toHaveLength(1)
  await operations.sweep()
  expect((await operation(bad))?.endedAt).toBe(now)
  await (await serve()).sweep()
  expect((await operation(own))?.endedAt).toBeNull()
})

test('a group that is carried here is not ended by its own server, though that could not say that it lives', async () => {
  const operations = await serve()
  const operationId = await start(operations)
  await firstOrdered(operationId)
  await crash()
  await failing('due_work', 1_000)
  await operations.sweep()
  await operations.sweep()
  expect((await operation(operationId))?.endedAt).toBeNull()
  expect(await statesOf(operationId)).toEqual(['ordered', 'waiting', 'waiting'])
})

test('a group whose server is heard of again while another is about to end it goes on', async () => {
  const first = await serve()
  const operationId = await start(first)
  await firstOrdered(operationId)
  await crash()
  const second = await serve()
  const release = await lock("update due_work set lease_until = now() + interval '1 minute'")
  await second.sweep()
  await release('commit')
  await second.sweep()
  await first.sweep()
  expect(await operation(operationId)).toMatchObject({
    endedAt: null,
    lines: [{ state: 'ordered' }, ...[2, 3].map(() => ({ state: 'waiting' }))],
  })
  expect(errors).toEqual([])
})

test('two looks count only in a row: one that failed between them begins anew', async () => {
  const operations = await serve()
  const operationId = await lost()
  await operations.sweep()
  const { general } = groups.database
  await sql`alter table due_work rename to away`.execute(general)
  await operations.sweep()
  // Nor does it keep a server from starting.
  await serve()
  await sql`alter table away rename to due_work`.execute(general)
  expect(errors).toHaveLength(2)
  await operations.sweep()
  expect((await operation(operationId))?.endedAt).toBeNull()
  await operations.sweep()
  expect((await operation(operationId))?.endedAt).toBe(now)
})

test('whoever watches is told of the end of a group that nobody carried', async () => {
  const hub = new Hub((error) => errors.push(error))
  const published: unknown[] = []
  hub.subscribe((committed) =>
    published.push(
      ...topicsOf('run', committed).map(({ received: message, to }) => [message.run.RunID, message.run.EndedAt, to]),
    ),
  )
  const operations = await serve({ hub })
  const operationId = await lost()
  await operations.sweep()
  expect(published).toEqual([])
  await operations.sweep()
  expect(published).toEqual([[operationId, now, { account: groups.actor.accountId }]])
})

test('by itself a server says that it lives, stores the end that it could not and ends what nobody carries', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  await failing('operation_run', 1, 'new.ended_at is not null')
  // Time stands, so the second group has not had its turn when it is stopped.
  const operations = await serve({ stagger: createStagger(() => 0) })
  const [own, stopped] = [await start(operations, placed(1, 2)), await start(operations, [groups.line(1, 2)])]
  await expect(operations.stop(groups.actor, stopped)).rejects.toThrow('the database was away')
  await crash()
  const abandoned = await lost()
  const inTime = (fact: () => Promise<void>) =>
    vi.waitFor(() => {
      vi.advanceTimersByTime(5_000)
      return fact()
    })
  await inTime(async () => {
    expect([await operation(stopped), await operation(abandoned)]).toMatchObject([{ stoppedBy: 'admin' }, { endedAt: now }])
    const carried = sql`select key from due_work where ended_at is null and lease_until > clock_timestamp()`
    expect((await carried.execute(groups.database.general)).rows).toEqual([{ key: own }])
  })
})

const claimsOf = (operationIds: readonly string[]) =>
  operationIds.map((workId) => ({ workId, kind: 'groupOperation', key: workId, dueAt: now, fence: 1 }))

test.each<[string, string, (operationIds: string[]) => Promise<unknown>]>([
  [
    'says that it carries them',
    'select from due_work where key',
    (operationIds) => renewLeases(groups.database.control, claimsOf(operationIds), { server: gone, clock: databaseClock }),
  ],
  [
    'ends their sign-in',
    'select from operation_run where run_id::text',
    () => deleteSessionsOf(groups.database.control, groups.actor.accountId),
  ],
])('whoever %s has groups one after the other, so that nobody waits in a circle', async (_, rows, takeBoth) => {
  const [low = '', high = ''] = [crypto.randomUUID(), crypto.randomUUID()].toSorted()
  for (const operationId of [high, low]) await lost(operationId)
  const release = await lock(`${rows} = '${low}' for update`)
  const locking = takeBoth([high, low])
  await waiting(1)
  await sql.raw(`${rows} = '${high}' for update nowait`).execute(groups.database.general)
  await release()
  await locking
})
