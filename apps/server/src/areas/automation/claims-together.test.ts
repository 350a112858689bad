import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Runner } from '../../jobs/runner.ts'
import { Hub } from '../../plant/hub.ts'
import { insertTimer } from '../../store/automation/timer-write.ts'
import type { StoredCommand } from '../../store/control/command.ts'
import { clockOf } from '../../store/jobs/due-work.ts'
import { createStagger } from '../control/stagger.ts'
import { testLines } from '../control/test-lines.ts'
import type { AutomationDeps } from './deps.ts'
import { TimerDispatcher } from './dispatcher.ts'
import { foundOpen } from './test-found.ts'

// Timers that are due at the same time are claimed, asked about and stored together; each is still done by itself.
const due = Date.UTC(2026, 10, 24, 8)
let house: Awaited<ReturnType<typeof testLines>>
let left: StoredCommand[] = []
let asked: string[] = []
/** So often it cannot be read who somebody is. */
let unreadable = 0
let stop: () => Promise<void> = async () => {}
let now = due

beforeAll(async () => {
  house = await testLines()
})
afterAll(() => house?.drop())
beforeEach(async () => {
  left = []
  asked = []
  unreadable = 0
  now = due
  foundOpen(house.plant, due)
  await sql`truncate command, automation_run, operation_run, due_work, timer cascade`.execute(house.database.general)
})
afterEach(() => stop())

function serve(): TimerDispatcher {
  const log = { error: () => {}, warn: () => {} } as never
  const { database, plant } = house
  const runner = new Runner({ database, log })
  const gate = house.gate({ left, clock: () => now })
  const dispatcher = new TimerDispatcher({
    ...{ database, plant, runner, log, hub: new Hub(() => {}), clock: () => now, dueClock: clockOf(() => now) },
    ingest: { reach: () => 'yes', hasValidPosition: () => true } as unknown as AutomationDeps['ingest'],
    control: {
      operate: (order: Parameters<typeof gate.operate>[0]) => gate.operate(order),
      stagger: createStagger(() => performance.now()),
    } as unknown as AutomationDeps['control'],
    async actorNow({ accountId }) {
      asked.push(accountId)
      if (unreadable-- > 0) throw new Error('no connection')
      return house.actor
    },
  })
  stop = async () => {
    await dispatcher.close()
    await runner.close()
  }
  return dispatcher
}

/** A timer that trips a line, every day at this time; it is due today. `from`: when it closes it before. */
async function trips(name: string, at: string, lineNo: number, from: string | null = null): Promise<void> {
  const line = house.line(lineNo)
  const point = { pointNo: 1, at, action: 'trip' as const }
  const points = from === null ? [point] : [{ pointNo: 2, at: from, action: 'close' as const }, point]
  const dueAt = Date.parse(`2026-11-24T${at}:00Z`)
  const saved = await insertTimer(
    house.database,
    line.device.gateway.project.id,
    {
      ...{ name, function: 'switch', sceneId: null, keepWhileWanted: true, enabled: true, lineIds: [line.id] },
      ...{ ownerId: house.actor.accountId, ownerName: 'admin' },
      schedule: {
        period: { type: 'weekly', days: 127, fromDate: null, toDate: null },
        points,
        exceptions: [],
        skipNext: null,
      },
    },
    {
      clock: clockOf(() => now),
      next: () => ({
        timeZone: 'UTC',
        due: { at: dueAt, pointNo: 1, action: 'trip', date: '2026-11-24', clock: 'plain', skip: null, merged: [] },
      }),
    },
    { at: due, actor: 'admin', address: '', tenant: null, action: 'timer.edit', outcome: 'done' },
  )
  expect(saved).toMatchObject({ timerId: expect.any(Number) })
}

const stateOf = async (name: string) =>
  (await house.database.general.selectFrom('automation_run').select('state').where('name', '=', name).execute()).map(
    ({ state }) => state,
  )
const endsAs = (name: string, state: string) => vi.waitFor(async () => expect(await stateOf(name)).toEqual([state]))
const idsOf = (...lineNos: number[]) => lineNos.map((no) => house.line(no).id).toSorted()

test('a timer that is due before the next look is looked for when it is due', async () => {
  // No look comes by itself.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const dispatcher = serve()
    await trips('soon', '08:00', 1)
    now = due - 400
    await dispatcher.tick()
    expect(await stateOf('soon')).toEqual([])
    now = due
    await endsAs('soon', 'done')
  } finally {
    vi.useRealTimers()
  }
})

test('of a timer that shares its line with no other nobody is asked before its turn', async () => {
  await trips('alone', '08:00', 1)
  await trips('beside', '20:00', 2)
  await serve().tick()
  await endsAs('alone', 'done')
  expect(asked).toEqual([house.actor.accountId])
})

test('of many timers that are due at one instant each is done once, and one that cannot be stored keeps back no other', async () => {
  const { general } = house.database
  await sql`create function no_order() returns trigger language plpgsql as 'begin raise exception ''no order''; end'`.execute(
    general,
  )
  await sql`create trigger no_order before insert on command for each row when (new.reason like '%bad%') execute function no_order()`.execute(
    general,
  )
  try {
    const names = ['one', 'bad', 'three', 'four']
    for (const [index, name] of names.entries()) await trips(name, '08:00', index + 1)
    await serve().tick()
    for (const name of names) await endsAs(name, name === 'bad' ? 'refused' : 'done')
    expect(left.map(({ lineId }) => lineId).toSorted()).toEqual(idsOf(1, 3, 4))
  } finally {
    await sql`drop function no_order cascade`.execute(general)
  }
})

test.each([
  ['once', 1, 'skipped', []],
  ['again and again', 4, 'done', [1]],
] as const)('where it cannot be read %s whose timer wants a line on', async (_, times, state, tripped) => {
  await trips('short', '08:00', 1)
  await trips('long', '20:00', 1, '07:50')
  unreadable = times
  await serve().tick()
  await endsAs('short', state)
  expect(left.map(({ lineId }) => lineId)).toEqual(idsOf(...tripped))
})
