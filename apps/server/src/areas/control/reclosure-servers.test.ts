import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Runner } from '../../jobs/runner.ts'
import { Hub } from '../../plant/hub.ts'
import type { PlantLine } from '../../plant/plant.ts'
import type { StoredCommand } from '../../store/control/command.ts'
import type { Order } from './gate.ts'
import { createReclosures } from './reclosures.ts'
import { createStagger } from './stagger.ts'
import { testLines } from './test-lines.ts'

// Two servers on one database, each with the settings it has read and the commits it has heard of. Tries go through the one gate.
let house: Awaited<ReturnType<typeof testLines>>
let now: number
/** What left for the equipment, from whichever server. */
let left: StoredCommand[]
let errors: unknown[]
let servers: { readonly reclosures: { close(): Promise<void> } }[]
let line: PlantLine
/** What happens while rights are read. */
let rights: () => unknown

beforeEach(async () => {
  house = await testLines()
  now = Date.UTC(2026, 0, 15, 8, 30)
  left = []
  errors = []
  servers = []
  rights = () => {}
  line = house.line(1)
  line.device.gateway.link = 'online'
  line.states.set('lock.local', 'off').set('selfTest', 'notDone')
})
afterEach(async () => {
  for (const { reclosures } of servers) await reclosures.close()
  await house?.drop()
})

/** `through`: how a try of this server comes to the gate. */
async function serve(through: (operate: () => Promise<unknown>) => Promise<unknown> = (operate) => operate()) {
  const { database, plant, actor } = house
  const hub = new Hub((error) => errors.push(error))
  const log = { error: ({ err }: { err: unknown }) => errors.push(err) } as never
  const runner = new Runner({ database, log, leaseClock: () => sql<Date>`${new Date(now)}::timestamptz` })
  const gate = house.gate({ left, clock: () => now })
  const reclosures = await createReclosures({
    ...{ database, plant, hub, runner, log },
    gate: {
      async operate(order: Order) {
        const operate = () => {
          line.liveAt = line.liveReceivedAt = now
          return gate.operate(order)
        }
        return (await through(operate)) as never
      },
      redeemGrant: async () => {},
    },
    // Whoever found a try claimed that was not yet stored as begun looks again a second later: that one has to pass.
    stagger: createStagger(() => now + performance.now()),
    unconfirmed: () => new Set(),
    actorNow: async () => {
      await rights()
      return actor
    },
    clock: () => now,
  })
  const server = { hub, reclosures, runner, state: () => reclosures.of(line) }
  servers.push(server)
  return server
}

type Server = Awaited<ReturnType<typeof serve>>

async function enable({ reclosures }: Server): Promise<void> {
  const { controllerId: ControllerID } = line.device
  await reclosures.set(house.actor, line, { ControllerID, LineNo: line.lineNo, Enabled: true, DelaysS: [10, 120], Version: 0 })
}

/** These servers hear that the line has opened, and plan its first try. */
async function opens(...notified: Server[]): Promise<void> {
  for (const value of ['closed', 'open'] as const) {
    line.states.set('position', value).set('trip.cause', value === 'open' ? 'undervoltage' : 'none')
    const report = { line, state: 'position', value, first: false, changed: true, deviceAt: now, receivedAt: now }
    for (const { hub } of notified) hub.publish({ lines: [line], reports: [report] })
  }
  for (const { state } of notified) await vi.waitFor(() => expect(state().NextAt).toBe(now + 10_000))
}

/** What is due is no more looked forward to here. */
const isOver = ({ state }: Server) => vi.waitFor(() => expect(state().NextAt).not.toBe(planned))
let planned: number
function comesDue(): void {
  planned = now + 10_000
  now = planned
}

/** Another minute, after which nothing was heard of whoever carries a try; and this server looks. */
async function takesOver({ runner }: Server): Promise<void> {
  now += 60_001
  await runner.look()
  await runner.look()
}

const works = async () => (await sql`select work_id, outcome, fence from due_work`.execute(house.database.general)).rows
const refusedInLog = async () =>
  (await house.database.general.selectFrom('audit').select('after').where('outcome', '=', 'refused').execute()).map(
    ({ after }) => (after as { refusal: string }).refusal,
  )

/** A server that stands still where its try comes to the gate, as one that was killed there; `before` its command is written, or after. */
function standsStill(before: boolean) {
  const [reached, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  return {
    reached: reached.promise,
    release: release.resolve,
    async through(operate: () => Promise<unknown>) {
      if (!before) await operate()
      reached.resolve()
      await release.promise
      return before ? operate() : null
    },
  }
}

test('of two servers that have planned the same try one makes it, under the id of its command', async () => {
  const first = await serve()
  await enable(first)
  const second = await serve()
  await opens(first, second)
  comesDue()
  await isOver(first)
  await isOver(second)
  await vi.waitFor(async () => expect(await works()).toMatchObject([{ outcome: 'ordered' }]))
  expect(left.map(({ lineId, source }) => [lineId, source])).toEqual([[line.id, 'reclosure']])
  expect(await works()).toEqual([{ work_id: left[0]?.commandId, outcome: 'ordered', fence: 1 }])
  expect(errors).toEqual([])
})

test('a server that has not heard that a try was called off does not make it', async () => {
  const first = await serve()
  await enable(first)
  const second = await serve()
  await opens(first, second)
  first.reclosures.settled({ lineId: line.id, action: 'close', source: 'console', state: 'verified' } as StoredCommand)
  await vi.waitFor(() => expect(first.state().NextAt).toBeNull())
  comesDue()
  await isOver(second)
  await vi.waitFor(async () => expect(await works()).toMatchObject([{ outcome: 'superseded' }]))
  expect(second.state()).toMatchObject({ Attempts: 0, NextAt: null })
  expect(left).toEqual([])
})

test('a try whose server is gone before its command was written is missed; that server, heard of again, closes nothing', async () => {
  const still = standsStill(true)
  const first = await serve(still.through)
  await enable(first)
  await opens(first)
  comesDue()
  await still.reached
  const second = await serve()
  await takesOver(second)
  expect(second.state()).toMatchObject({ Attempts: 2, NextAt: now + 120_000 })
  still.release()
  // It has heard nothing of it: the claim that it no longer has keeps the command from being written.
  await vi.waitFor(() => expect(first.state()).toMatchObject({ Attempts: 2, NextAt: now + 120_000 }))
  expect(left).toEqual([])
  expect(await refusedInLog()).toEqual(['reclosure missed', 'reclosure missed'])
  expect(await works()).toMatchObject([{ outcome: 'missed', fence: 2 }])
})

test('a try whose server is gone after its command was written is followed, and never made again', async () => {
  const still = standsStill(false)
  const first = await serve(still.through)
  await enable(first)
  await opens(first)
  comesDue()
  await still.reached
  const second = await serve()
  await takesOver(second)
  expect(second.state()).toMatchObject({ Attempts: 1, NextAt: null })
  await takesOver(second)
  expect(left).toHaveLength(1)
  expect(await refusedInLog()).toEqual([])
  expect(await works()).toMatchObject([{ outcome: 'ordered', fence: 2 }])
  still.release()
})

test('a try whose moment passes while rights are read is not made late', async () => {
  const server = await serve()
  await enable(server)
  await opens(server)
  rights = () => {
    now += 5_001
  }
  comesDue()
  await vi.waitFor(() => expect(server.state()).toMatchObject({ Attempts: 2, NextAt: now + 120_000 }))
  expect(left).toEqual([])
  expect(await refusedInLog()).toEqual(['reclosure missed'])
})

test('a try that a server has claimed and not begun when it is gone is missed, not made late', async () => {
  const server = await serve()
  await enable(server)
  await opens(server)
  const gone = { work_id: crypto.randomUUID(), kind: 'reclosing', key: String(line.id), holder: crypto.randomUUID(), fence: 1 }
  const values = { ...gone, due_at: new Date(now + 10_000), lease_until: new Date(now + 60_000), ended_at: null, outcome: null }
  await house.database.general.insertInto('due_work').values(values).execute()
  comesDue()
  await takesOver(server)
  expect(server.state()).toMatchObject({ Attempts: 2, NextAt: now + 120_000 })
  expect(left).toEqual([])
  expect(await refusedInLog()).toEqual(['reclosure missed'])
})

test('a try that breaks off before it is stored as begun is missed once its lease is over', async () => {
  const server = await serve()
  await enable(server)
  await opens(server)
  await sql`create function away() returns trigger language plpgsql as $$ begin raise 'the database was away'; end $$`.execute(
    house.database.general,
  )
  await sql`create trigger away before update on reclosure for each row execute function away()`.execute(house.database.general)
  comesDue()
  await vi.waitFor(() => expect(errors).toHaveLength(1))
  await sql`drop trigger away on reclosure`.execute(house.database.general)
  await takesOver(server)
  expect(server.state()).toMatchObject({ Attempts: 2, NextAt: now + 120_000 })
  expect(left).toEqual([])
})

test('a try that came to nothing, and whose end was not stored, counts once', async () => {
  const server = await serve(() => Promise.reject(new Error('the database was away')))
  await enable(server)
  await opens(server)
  await sql`create function away() returns trigger language plpgsql as $$ begin raise 'the database was away'; end $$`.execute(
    house.database.general,
  )
  await sql`create trigger away before update on due_work for each row execute function away()`.execute(house.database.general)
  comesDue()
  await vi.waitFor(() => expect(server.state()).toMatchObject({ Attempts: 2, NextAt: now + 120_000 }))
  const next = server.state().NextAt
  await server.runner.settled()
  await sql`drop trigger away on due_work`.execute(house.database.general)
  await takesOver(server)
  expect(server.state()).toMatchObject({ Attempts: 2, NextAt: next })
  expect(await refusedInLog()).toEqual([])
  expect(await works()).toMatchObject([{ outcome: 'missed', fence: 2 }])
})

/** A server that stands still while rights are read for its try. */
function readsRightsLong() {
  const [reached, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  rights = async () => {
    rights = () => {}
    reached.resolve()
    await release.promise
  }
  return { reached: reached.promise, release: release.resolve }
}
const ended = (server: Server, command: Partial<StoredCommand>) =>
  server.reclosures.settled({ lineId: line.id, ...command } as StoredCommand)
const tripByPerson = { action: 'trip', source: 'console', state: 'verified' } as const
const triesStored = async () =>
  (await house.database.general.selectFrom('reclosure').select(['attempts', 'next_at', 'locked_out_why']).execute())[0]

test('whoever was cut off in a try lifts no lock-out that a person made meanwhile', async () => {
  const first = await serve()
  await enable(first)
  await opens(first)
  const long = readsRightsLong()
  comesDue()
  await long.reached
  const second = await serve()
  await takesOver(second)
  ended(second, tripByPerson)
  const lockedOut = { attempts: 2, next_at: null, locked_out_why: 'person_tripped' }
  await vi.waitFor(async () => expect(await triesStored()).toEqual(lockedOut))
  long.release()
  await vi.waitFor(() => expect(first.state()).toMatchObject({ Attempts: 2, LockedOutWhy: 'person_tripped' }))
  expect(await triesStored()).toEqual(lockedOut)
  expect(left).toEqual([])
  expect(await refusedInLog()).toEqual(['reclosure missed'])
})

test('an opening is added to what is stored of the line, and not to what this server read long ago', async () => {
  const first = await serve()
  await enable(first)
  const second = await serve()
  await opens(first)
  ended(first, tripByPerson)
  await vi.waitFor(() => expect(first.state()).toMatchObject({ LockedOutWhy: 'person_tripped' }))
  for (const value of ['closed', 'open'] as const) {
    line.states.set('position', value).set('trip.cause', value === 'open' ? 'undervoltage' : 'none')
    const report = { line, state: 'position', value, first: false, changed: true, deviceAt: now, receivedAt: now }
    second.hub.publish({ lines: [line], reports: [report] })
  }
  await vi.waitFor(() => expect(second.state()).toMatchObject({ LockedOutWhy: 'person_tripped', NextAt: null }))
  expect(await triesStored()).toMatchObject({ next_at: null, locked_out_why: 'person_tripped' })
})

test('what delays the house on the way makes no try late', async () => {
  const server = await serve((operate) => {
    now += 5_001
    return operate()
  })
  await enable(server)
  await opens(server)
  comesDue()
  await vi.waitFor(() => expect(server.state()).toMatchObject({ Attempts: 2 }))
  expect(left).toEqual([])
  expect(await refusedInLog()).toEqual(['reclosure missed'])
})

test('a try whose command was stored, though nobody was told so, counts once: when that command ends', async () => {
  const server = await serve(async (operate) => {
    await operate()
    throw new Error('the answer of the database was lost')
  })
  await enable(server)
  await opens(server)
  comesDue()
  await vi.waitFor(() => expect(errors).toHaveLength(1))
  expect(await triesStored()).toMatchObject({ attempts: 1, next_at: null })
  ended(server, { ...left[0], state: 'expired' })
  await vi.waitFor(async () => expect(await triesStored()).toMatchObject({ attempts: 2, locked_out_why: null }))
})
