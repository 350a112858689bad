import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TestDatabase } from '../store/core/test-database.ts'
import { testDatabase } from '../store/core/test-database.ts'
import { claimInstant } from '../store/jobs/due-work.ts'
import { Runner } from './runner.ts'

// Servers on one database, of which some end in order. No time passes: no lease is over here.
let house: TestDatabase
/** What was taken over, with its fence, and by whom. */
let takenOver: string[]

beforeAll(async () => {
  house = await testDatabase()
})
afterAll(() => house?.drop())
beforeEach(async () => {
  takenOver = []
  await house.database.general.deleteFrom('due_work').execute()
})

const kind = 'rollout'

function serve(by: string, isOnlyServer = false) {
  const log = {
    error: ({ err }: { err: unknown }) => takenOver.push(`${by} failed: ${err}`),
    warn: ({ works }: { works: number }) => takenOver.push(`${by} warned: ${works}`),
  } as never
  const runner = new Runner({ database: house.database, log, isOnlyServer })
  runner.register({ kind, takeOver: async ({ key, fence }) => void takenOver.push(`${by}: ${key}, ${fence}`) })
  return runner
}

async function leased(runner: Runner, key: string): Promise<AbortSignal> {
  const work = { workId: crypto.randomUUID(), kind, key, dueAt: Date.UTC(2026, 0, 15, 8) }
  const claim = await claimInstant(house.database.control, work, runner.holder)
  if (!claim) throw new Error('somebody else has it')
  return runner.keepLease(claim)
}

test('what is leased at an orderly end is given back, and the first look of another goes on with it', async () => {
  const [server, other] = [serve('server'), serve('other')]
  const lost = await leased(server, 'campaign 1')
  await other.look()
  expect([takenOver, lost.aborted]).toEqual([[], false])
  await server.close()
  expect(lost.aborted).toBe(true)
  await other.look()
  expect(takenOver).toEqual(['other: campaign 1, 3'])
})

test('a server whose database is away ends all the same, and says what it could not give back', async () => {
  const server = serve('server')
  const lost = await leased(server, 'campaign 1')
  const client = await house.database.connect()
  await client.query('alter table due_work rename to away')
  await server.close()
  await client.query('alter table away rename to due_work')
  await client.end()
  expect([lost.aborted, takenOver]).toEqual([true, ['server warned: 1']])
})

test('of servers that look at once, one goes on with what was given back', async () => {
  const server = serve('server')
  await leased(server, 'campaign 1')
  await server.close()
  await Promise.all(['a', 'b', 'c'].map((by) => serve(by).look()))
  expect(takenOver).toEqual([expect.stringMatching(/campaign 1, 3/)])
})

test('the only server of a database goes on at once with what a killed one had leased, and with nothing of its own anew', async () => {
  await leased(serve('killed'), 'campaign 1')
  const only = serve('only', true)
  await leased(only, 'campaign 2')
  await only.start()
  expect(takenOver).toEqual(['only: campaign 1, 3'])
  await only.close()
})

test('one of several servers leaves alone at its start what another has leased', async () => {
  await leased(serve('other'), 'campaign 1')
  const server = serve('server')
  await server.start()
  expect(takenOver).toEqual([])
  await server.close()
})

test('a server that is about to close takes nothing over', async () => {
  const [server, closing] = [serve('server'), serve('closing')]
  await leased(server, 'campaign 1')
  await closing.start()
  await closing.rest()
  await server.close()
  expect(takenOver).toEqual([])
  await closing.close()
})
