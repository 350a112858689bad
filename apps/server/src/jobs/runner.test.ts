import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Mutex } from '../lib/serial.ts'
import type { TestDatabase } from '../store/core/test-database.ts'
import { testDatabase } from '../store/core/test-database.ts'
import type { Claim } from '../store/jobs/due-work.ts'
import { claimInstant, endWork, endWorkOf, hasLease, purgeEndedWork } from '../store/jobs/due-work.ts'
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
function serve(by: string, takeOver: (claim: Claim, runner: Runner, lost: AbortSignal) => Promise<void> = end) {
  const runner = new Runner({
    database: house.database,
    log: { error: ({ err }: { err: unknown }) => errors.push(err) } as never,
    leaseClock: () => sql<Date>`${new Date(now)}::timestamptz`,
  })
  runner.register({
    kind,
    async takeOver(claim, lost) {
      takenOver.push({ by, key: claim.key, fence: claim.fence })
      await takeOver(claim, runner, lost)
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

test('a work that is leased here is never taken over by its own server, though it could not say that it lives', async () => {
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

test('a taking over that hangs holds up no other', async () => {
  for (const key of ['hangs', 'good']) await carried(serve('killed'), key)
  const [hanging, good] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const other = serve('other', async (claimed, runner) => {
    if (claimed.key === 'hangs') await hanging.promise
    await end(claimed, runner)
    if (claimed.key === 'good') good.resolve()
  })
  now += 60_001
  const looking = looks(other)
  await good.promise
  hanging.resolve()
  await looking
  expect(takenOver.map(({ key }) => key).toSorted()).toEqual(['good', 'hangs'])
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

test('what was taken over elsewhere is not given back by its former holder', async () => {
  const cutOff = serve('cut off')
  await carried(cutOff, 'line 1')
  now += 60_001
  await looks(serve('other', async () => {}))
  await cutOff.close()
  await looks(serve('third'))
  expect(takenOver).toEqual([{ by: 'other', key: 'line 1', fence: 2 }])
})

test('a taking over hears that its work is lost again', async () => {
  let lost: AbortSignal | undefined
  await carried(serve('killed'), 'line 1')
  const cutOff = serve('cut off', async (_claimed, _runner, signal) => {
    lost = signal
  })
  now += 60_001
  await looks(cutOff)
  now += 60_001
  await looks(serve('third'))
  expect(lost?.aborted).toBe(false)
  await cutOff.renew()
  expect(lost?.aborted).toBe(true)
})

test('a work that breaks off is written down, and keeps its server from nothing', async () => {
  const server = serve('a')
  await server.carry((await claim(server, 'line 1')) as Claim, () => Promise.reject(new Error('a bug')))
  expect(errors).toEqual([new Error('a bug')])
})

test('a server can say that it lives while a step of its work is being written, and nobody takes that work over then', async () => {
  const [server, other] = [serve('a'), serve('b')]
  const { claim: claimed } = await carried(server, 'line 1')
  const [reached, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const writing = house.database.general.transaction().execute(async (trx) => {
    expect(await hasLease(trx, claimed)).toBe(true)
    reached.resolve()
    await release.promise
  })
  await reached.promise
  now += 60_001
  await looks(other)
  expect(takenOver).toEqual([])
  await server.renew()
  release.resolve()
  await writing
  await looks(other)
  expect(takenOver).toEqual([])
})

/** Three steps of a work, each written before it is sent; whoever has lost the work writes nothing of it. */
const lastStep = 3
const stepsOf = async ({ key }: Claim): Promise<number> =>
  (await sql`select from step where key = ${key}`.execute(house.database.general)).rows.length

class Carrier {
  /** What it believes to hold, and how many steps of it were written when it last looked. */
  readonly #leased = new Map<Claim, number>()
  readonly runner: Runner
  dead = false
  readonly #sent: string[]
  readonly #stepping = new Mutex()

  constructor(name: string, sent: string[]) {
    this.#sent = sent
    this.runner = serve(name, async (claimed) => {
      this.#keep(claimed, await stepsOf(claimed))
    })
  }

  async begin(key: string): Promise<void> {
    const claimed = await claim(this.runner, key)
    if (claimed) this.#keep(claimed, 0)
  }

  /** The next step of each work that it believes to hold; `dies`: after a step is written, and before it is sent. */
  step(dies = false): Promise<void> {
    return this.#stepping.run(async () => {
      await Promise.all([...this.#leased.keys()].map((claimed) => this.#stepOf(claimed, dies)))
    })
  }

  #keep(claimed: Claim, written: number): void {
    if (this.dead) return
    this.#leased.set(claimed, written)
    void this.runner.carry(claimed, async () => {})
  }

  async #stepOf(claimed: Claim, dies: boolean): Promise<void> {
    const written = await house.database.general.transaction().execute(async (trx) => {
      if (!(await hasLease(trx, claimed))) return null
      const step = (this.#leased.get(claimed) ?? 0) + 1
      await sql`insert into step values (${claimed.key}, ${step})`.execute(trx)
      if (step === lastStep) await endWork(trx, claimed, 'done', now)
      return step
    })
    if (written === null || written === lastStep) this.#leased.delete(claimed)
    else this.#leased.set(claimed, written)
    if (dies) this.dead = true
    if (written !== null && !this.dead) this.#sent.push(`${claimed.key} ${written}`)
  }
}

test('whatever server is killed when, each step of each work is written once, sent at most once, and none is lost', async () => {
  await sql`create table step (key text, step int)`.execute(house.database.general)
  const keys = ['line 1', 'line 2', 'line 3']
  const which = fc.nat({ max: 2 })
  const acts = fc.constantFrom('begin', 'begin', 'step', 'step', 'die', 'kill', 'renew', 'look', 'look', 'wait')
  const act = fc.record({ act: acts, which, key: fc.constantFrom(...keys) })
  const together = fc.array(fc.array(act, { minLength: 1, maxLength: 4 }), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(together, async (rounds) => {
      await sql`truncate due_work, step`.execute(house.database.general)
      const sent: string[] = []
      const servers = [0, 1, 2].map((index) => new Carrier(`server ${index}`, sent))
      for (const round of rounds) {
        await Promise.all(
          round.map(async ({ act: what, which: index, key }) => {
            const server = servers[index]
            if (!server || server.dead) return
            if (what === 'begin') await server.begin(key)
            else if (what === 'step' || what === 'die') await server.step(what === 'die')
            else if (what === 'renew') await server.runner.renew()
            else if (what === 'look') await looks(server.runner)
            else if (what === 'kill') server.dead = true
            else now += 60_001
          }),
        )
        for (const [index, { dead }] of servers.entries()) if (dead) servers[index] = new Carrier('new', sent)
      }
      const last = new Carrier('last', sent)
      for (const key of keys) await last.begin(key)
      for (let left = lastStep; left > 0; left -= 1) await last.step()
      // All others are gone by now.
      now += 60_001
      await looks(last.runner)
      for (let left = lastStep; left > 0; left -= 1) await last.step()
      const { rows } = await sql<{ key: string; step: number }>`select key, step from step order by key, step`.execute(
        house.database.general,
      )
      expect(rows).toEqual(keys.flatMap((key) => [1, 2, 3].map((step) => ({ key, step }))))
      expect(new Set(sent).size).toBe(sent.length)
      expect(errors).toEqual([])
    }),
    { numRuns: 40 },
  )
})
