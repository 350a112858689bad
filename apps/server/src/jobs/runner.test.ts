import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TestDatabase } from '../store/core/test-database.ts'
import { testDatabase } from '../store/core/test-database.ts'
import type { Claim } from '../store/jobs/due-work.ts'
import { claimInstant, endWorkOf, purgeEndedWork } from '../store/jobs/due-work.ts'
import { Runner } from './runner.ts'

// Servers on one database. One that is killed is one whose loops nobody calls any more.
let house: TestDatabase
/** The time by which leases are judged. */
let now: number
let errors: unknown[]
/** What was taken over, with its fence, and by whom. */
let takenOver: { readonly by: string; readonly key: string; readonly fence: number }[]

beforeAll(async () => {
  house = await testDatabase()
})
afterAll(() => house?.drop())
beforeEach(async () => {
  now = Date.UTC(2026, 0, 15, 8, 30)
  errors = []
  takenOver = []
  await sql`truncate due_work`.execute(house.database.general)
})

const dueAt = Date.UTC(2026, 0, 15, 8)
const kind = 'timer'

/** `takeOver`: what it does with works of a server that is gone; it ends them, if nothing is said. */
function serve(by: string, takeOver: (claim: Claim, runner: Runner) => Promise<void> = end) {
  const runner = new Runner({
    database: house.database,
    log: { error: ({ err }: { err: unknown }) => errors.push(err) } as never,
    leaseClock: () => sql<Date>`${new Date(now)}::timestamptz`,
  })
  runner.register({
    kind,
    async takeOver(claim) {
      takenOver.push({ by, key: claim.key, fence: claim.fence })
      await takeOver(claim, runner)
    },
  })
  return runner
}

async function end({ key, workId }: Claim, runner: Runner): Promise<void> {
  await endWorkOf(house.database.control, { kind, key }, 'done', now)
  runner.letGo(workId)
}

const claim = (runner: Runner, key: string, at = dueAt) =>
  claimInstant(house.database.control, { workId: crypto.randomUUID(), kind, key, dueAt: at }, runner.holder)

/** A work that goes on until it is stopped. */
async function carried(runner: Runner, key: string): Promise<{ readonly signal: AbortSignal; readonly claim: Claim }> {
  const claimed = await claim(runner, key)
  if (!claimed) throw new Error('somebody else has it')
  const begun = Promise.withResolvers<AbortSignal>()
  void runner.carry(claimed, async (signal) => begun.resolve(signal))
  return { signal: await begun.promise, claim: claimed }
}

/** Two looks in a row: what was found by the first is taken over by the second. */
async function looks(...runners: Runner[]): Promise<void> {
  for (let look = 0; look < 2; look += 1) await Promise.all(runners.map((each) => each.look()))
}

test('of servers that come to the same due instant at once, one has it; another instant of it is another work', async () => {
  const servers = ['a', 'b', 'c'].map((by) => serve(by))
  const keys = Array.from({ length: 20 }, (_, index) => `line ${index}`)
  const claims = await Promise.all(keys.flatMap((key) => servers.map((server) => claim(server, key))))
  expect(claims.flatMap((each) => each?.key ?? []).toSorted()).toEqual(keys.toSorted())
  expect(await claim(serve('d'), 'line 0', dueAt + 1)).toMatchObject({ key: 'line 0', dueAt: dueAt + 1, fence: 1 })
})

test('an instant that is over is claimed by nobody again', async () => {
  const server = serve('a')
  const first = await claim(server, 'line 1')
  await end(first as Claim, server)
  expect(await claim(server, 'line 1')).toBeNull()
  expect(await claim(serve('b'), 'line 1')).toBeNull()
})

test('an instant that is over is remembered for a week, and one that is not over for as long as it takes', async () => {
  const server = serve('a')
  await end((await claim(server, 'over')) as Claim, server)
  await claim(server, 'open')
  await purgeEndedWork(house.database, now + 7 * 86_400_000)
  expect(await claim(server, 'over')).toBeNull()
  await purgeEndedWork(house.database, now + 7 * 86_400_000 + 1)
  expect(await claim(server, 'over')).toMatchObject({ fence: 1 })
  expect(await claim(server, 'open')).toBeNull()
})

test('what a killed server carried is taken over once its lease is over, and not a moment before', async () => {
  await carried(serve('killed'), 'line 1')
  const other = serve('other')
  now += 60_000
  await looks(other)
  expect(takenOver).toEqual([])
  now += 1
  await other.look()
  expect(takenOver).toEqual([])
  await other.look()
  expect(takenOver).toEqual([{ by: 'other', key: 'line 1', fence: 2 }])
  now += 120_000
  await looks(other, serve('third'))
  expect(takenOver).toHaveLength(1)
})

test('a server that says that it lives keeps its work for another lease', async () => {
  const [server, other] = [serve('a'), serve('b')]
  const { signal } = await carried(server, 'line 1')
  now += 60_001
  await other.look()
  await server.renew()
  await other.look()
  now += 60_000
  await looks(other)
  expect(takenOver).toEqual([])
  expect(signal.aborted).toBe(false)
})

test('of many works of a killed server each is taken over by one of those that live, though they look at once', async () => {
  const keys = Array.from({ length: 30 }, (_, index) => `line ${index}`)
  const killed = serve('killed')
  for (const key of keys) await carried(killed, key)
  now += 60_001
  await looks(serve('a'), serve('b'), serve('c'))
  expect(takenOver.map(({ key }) => key).toSorted()).toEqual(keys.toSorted())
  expect(new Set(takenOver.map(({ fence }) => fence))).toEqual(new Set([2]))
})

test('a server that was only cut off hears that its work was taken over, and goes no further with it', async () => {
  const cutOff = serve('cut off')
  const { signal } = await carried(cutOff, 'line 1')
  now += 60_001
  // It is still being looked after there.
  await looks(serve('other', async () => {}))
  expect(takenOver).toHaveLength(1)
  await cutOff.renew()
  expect(signal.aborted).toBe(true)
  now += 60_001
  await looks(cutOff)
  expect(takenOver).toHaveLength(1)
})

test('a work that is held here is never taken over by its own server, though it could not say that it lives', async () => {
  const server = serve('a')
  const { signal } = await carried(server, 'line 1')
  now += 60_001
  await looks(server)
  expect(takenOver).toEqual([])
  await server.renew()
  expect(signal.aborted).toBe(false)
})

test('a server that dies while it takes a work over loses nothing: a third takes it over when that lease is over', async () => {
  await carried(serve('killed'), 'line 1')
  now += 60_001
  await looks(serve('killed too', async () => {}))
  now += 60_001
  await looks(serve('third'))
  expect(takenOver.map(({ by, fence }) => [by, fence])).toEqual([
    ['killed too', 2],
    ['third', 3],
  ])
})

test('a taking over that fails is tried again when the lease is over, and keeps back no other', async () => {
  await carried(serve('killed'), 'bad')
  await carried(serve('killed'), 'good')
  let fails = true
  const other = serve('other', async (claimed, runner) => {
    if (fails && claimed.key === 'bad') throw new Error('the database was away')
    await end(claimed, runner)
  })
  now += 60_001
  await looks(other)
  expect(takenOver.map(({ key }) => key).toSorted()).toEqual(['bad', 'good'])
  expect(errors).toHaveLength(1)
  fails = false
  now += 60_001
  await looks(other)
  expect(takenOver.map(({ key }) => key).toSorted()).toEqual(['bad', 'bad', 'good'])
})

test('a work whose end is stored, or that is stopped here, goes no further', async () => {
  const server = serve('a')
  const [ended, stopped] = [await carried(server, 'line 1'), await carried(server, 'line 2')]
  await end(ended.claim, server)
  server.stop(stopped.claim.workId)
  expect([ended.signal.aborted, stopped.signal.aborted]).toEqual([true, true])
})

test('closing waits for what is carried out', async () => {
  const server = serve('a')
  const claimed = (await claim(server, 'line 1')) as Claim
  const gate = Promise.withResolvers<void>()
  const done: string[] = []
  void server.carry(claimed, async () => {
    await gate.promise
    done.push('work')
  })
  const closed = server.close().then(() => done.push('closed'))
  gate.resolve()
  await closed
  expect(done).toEqual(['work', 'closed'])
})

test('a work that breaks off is written down, and keeps its server from nothing', async () => {
  const server = serve('a')
  await server.carry((await claim(server, 'line 1')) as Claim, () => Promise.reject(new Error('a bug')))
  expect(errors).toEqual([new Error('a bug')])
})
