import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Runner } from '../../jobs/runner.ts'
import type { PlantLine } from '../../plant/plant.ts'
import { wordsOfLines } from '../../store/automation/override.ts'
import { insertSceneRun } from '../../store/automation/scene-run.ts'
import { InterlockCheck } from '../control/interlock-check.ts'
import { positionsNow } from '../control/lines-begun.ts'
import { delayedTurn, now, TestGroupOperations } from '../control/test-group-operations.ts'
import { createSceneTurns } from './scene-turns.ts'

// What becomes of the closes of a scene while time, the database and people at the breakers go on.
const house = new TestGroupOperations()
let runner: Runner
let time = now
/** Whether lines have reported their position in this session. */
let isPositionValid = true

beforeAll(() => house.open())
afterAll(() => house.drop())
beforeEach(async () => {
  time = now
  isPositionValid = true
  await house.begin()
  await sql`truncate automation_run, scene cascade`.execute(house.database.general)
  runner = new Runner({ database: house.database, log: { error() {}, warn() {} } as never })
  await runner.start()
  for (const line of house.plant.lines.values()) {
    Object.assign(line, { liveAt: now, liveReceivedAt: now, positionSince: now - 1 })
    line.states.set('trip.cause', 'none')
  }
})
afterEach(async () => {
  await house.end()
  await runner.close()
})

const turnsOf = (monotonicMs?: () => number) => {
  const { database } = house
  const interlocks = new InterlockCheck({
    database,
    ingest: { reach: () => 'yes' },
    quietUntil: () => null,
    clock: () => time,
  })
  const ingest = { hasValidPosition: () => isPositionValid }
  return createSceneTurns({ database, plant: house.plant, ingest, control: { interlocks }, clock: () => time }, monotonicMs)
}

/** A run of a scene that was stored and not begun; which version of the scene whoever pressed has read. */
async function stored(actions: Partial<Record<'trip' | 'close', readonly PlantLine[]>>, version = 1) {
  const { general } = house.database
  const projectId = house.line(1).device.gateway.project.id
  const { rows } = await sql<{ sceneId: number }>`
    insert into scene (project_id, name, icon, if_refused, enabled, owner_name, changed_at)
    values (${projectId}, ${crypto.randomUUID().slice(0, 30)}, 'scene', 'stopCloses', true, 'admin', now())
    returning scene_id as "sceneId"`.execute(general)
  const { accountId, sessionId, userName } = house.actor
  const operations = (['trip', 'close'] as const).flatMap((action) => {
    const lines = actions[action] ?? []
    if (lines.length === 0) return []
    return {
      ...{
        id: crypto.randomUUID(),
        action,
        accountId,
        sessionId,
        actor: userName,
        reason: 'x',
        staggerMs: 1_000,
        startedAt: now,
      },
      lines: lines.map(({ id }) => ({
        ...{ lineId: id, commandId: crypto.randomUUID(), state: 'waiting' as const, refusal: null, command: null },
      })),
    }
  })
  const run = {
    ...{ executionId: crypto.randomUUID(), sourceId: rows[0]?.sceneId ?? 0, projectId, name: 's', claimedAt: now },
    ...{ accountId, actor: userName, version, trace: { version } },
  }
  const is = await insertSceneRun(house.database, run, operations, [], runner.holder)
  const idOf = (action: 'trip' | 'close') => operations.find((each) => each.action === action)?.id ?? ''
  return { is, run, trips: idOf('trip'), closes: idOf('close') }
}

const serve = (parts: Parameters<typeof house.serve>[0] = {}) =>
  house.serve({
    ...{ runner, gate: house.gateOf('yes', () => time), clock: () => time, stagger: { take: async () => () => {}, begins() {} } },
    ...parts,
  })

test('a close of a scene that something holds up past its time is missed, and nothing leaves late', async () => {
  const lines = house.placed(1, 2)
  const { closes } = await stored({ close: lines })
  const turn = delayedTurn()
  const operations = await serve({ actorNow: turn.actorNow })
  const rules = turnsOf().closingRules({ closesId: closes, tripsId: null, stopsCloses: false, before: positionsNow(lines) })
  await operations.beginStored(closes, house.actor, rules)
  await vi.waitFor(() => expect(turn.turns).toBe(1))
  time += 600_000
  for (const line of lines) Object.assign(line, { liveAt: time, liveReceivedAt: time })
  turn.go()
  await house.ended(closes)
  expect(await house.statesOf(closes)).toEqual(['missed', 'missed'])
  expect(house.left).toEqual([])
})

test('closes wait for the trips of their scene no longer than trips can take, however the clock was set', async () => {
  const { trips, closes } = await stored({ trip: house.placed(1), close: house.placed(2) })
  let monotonic = 0
  const rules = turnsOf(() => (monotonic += 40_000)).closingRules({
    ...{ closesId: closes, tripsId: trips, stopsCloses: true, before: new Map() },
  })
  const { signal } = new AbortController()
  expect((await rules.ready?.(signal))?.key).toBe('timed action missed')
  const order = { commandId: (await house.operation(closes))?.lines[0]?.commandId } as never
  expect((await rules.after?.(order, null, signal))?.key).toBe('timed action missed')
})

function passes(ms: number): void {
  time += ms
}
function forgetsPositions(): void {
  isPositionValid = false
}

test.each<[string, () => unknown, string | undefined]>([
  ['open', () => {}, undefined],
  ['closed', () => house.line(1).states.set('position', 'closed'), 'scene stops closing'],
  // What it reported before is nothing of now.
  ['open, and its device away', () => Object.assign(house.line(1).device, { link: 'offline' }), 'scene stops closing'],
  ['open, and silent for more than ten seconds', () => passes(10_001), 'scene stops closing'],
  ['open by a session before', forgetsPositions, 'scene stops closing'],
])('closes wait for a trip that was left to one under way, which leaves the line %s', async (_name, leaves, key) => {
  const { trips, closes } = await stored({ trip: house.placed(1), close: house.placed(2) })
  await sql`update operation_run_line set state = 'skipped', refusal = '{"key": "underWay", "text": {}}'
    where run_id = ${trips}::uuid`.execute(house.database.general)
  const line = house.line(1)
  line.underWay.set('theirs', 'trip')
  line.states.set('position', 'closed')
  let looks = 0
  const rules = turnsOf(() => {
    if (++looks === 3) {
      line.underWay.delete('theirs')
      line.states.set('position', 'open')
      line.device.gateway.link = 'online'
      line.device.link = 'online'
      leaves()
    }
    return 0
  }).closingRules({ closesId: closes, tripsId: trips, stopsCloses: true, before: new Map() })
  expect((await rules.ready?.(new AbortController().signal))?.key).toBe(key)
  expect(looks).toBeGreaterThan(2)
})

test('a line that somebody opens by hand while the scene runs is not closed behind their back', async () => {
  const lines = house.placed(1, 2)
  const { closes } = await stored({ close: lines })
  house.line(2).states.set('position', 'closed')
  const turn = delayedTurn()
  const operations = await serve({ actorNow: turn.actorNow })
  const rules = turnsOf().closingRules({ closesId: closes, tripsId: null, stopsCloses: false, before: positionsNow(lines) })
  await operations.beginStored(closes, house.actor, rules)
  await vi.waitFor(() => expect(turn.turns).toBe(1))
  house.line(2).states.set('position', 'open').set('trip.cause', 'manual')
  turn.go()
  await house.ended(closes)
  const { lines: [first, second] = [] } = (await house.operation(closes)) ?? {}
  expect([first?.state, second?.state, second?.refusal?.key]).toEqual(['ordered', 'refused', 'scene tripped meanwhile'])
  expect(house.left.map(({ lineId }) => lineId)).toEqual([house.line(1).id])
})

const manual = { position: 'open', cause: 'manual' } as const
test.each([
  ['open by hand when it was pressed, and still so', { ...manual, since: now - 9 }, { ...manual, since: now - 9 }, null],
  ['open by hand since nobody knows, and still so', { ...manual, since: null }, { ...manual, since: null }, null],
  ['closed, then opened by hand', { position: 'closed', since: now - 9 }, { ...manual, since: now + 1 }, 'tripped'],
  ['closed, then opened by hand by a clock that is slow', { position: 'closed', since: now }, { ...manual, since: 1 }, 'tripped'],
  ['closed, then found open at a birth', { position: 'closed', since: now - 9 }, { ...manual, since: null }, 'tripped'],
  [
    'closed, then opened by its protection',
    { position: 'closed', since: now },
    { ...manual, cause: 'overload', since: 1 },
    'tripped',
  ],
  ['open, closed and opened by hand again', { position: 'open', since: now - 9 }, { ...manual, since: now + 1 }, 'tripped'],
  ['open by hand, and moved unobserved', { ...manual, since: now - 9 }, { ...manual, since: null }, 'tripped'],
  ['open by hand since after it was pressed', { ...manual, since: now + 1 }, { ...manual, since: now + 1 }, 'tripped'],
  ['of no known position, then open by hand', { position: null, since: null }, { ...manual, since: null }, 'tripped'],
  ['open by order, and still so', { position: 'open', since: now - 9 }, { position: 'open', since: now - 9 }, null],
  ['open, and closed meanwhile', { position: 'open', since: now - 9 }, { position: 'closed', since: now + 1 }, null],
] as const)('a line that was %s', (_, then, later, refused) => {
  const line = house.line(1)
  const be = (stands: { position: string | null; since: number | null; cause?: string }) => {
    if (stands.position === null) line.states.delete('position')
    else line.states.set('position', stands.position)
    line.states.set('trip.cause', stands.cause ?? 'remote')
    line.positionSince = stands.since
  }
  be(then)
  const before = positionsNow([line])
  const rules = turnsOf().closingRules({ closesId: '', tripsId: null, stopsCloses: false, before })
  be(later)
  expect(rules.refusedNow?.(line, now)?.key ?? null).toBe(refused && 'scene tripped meanwhile')
})

test('a run is of the scene that was read: of one that was saved, disabled or removed since nothing is stored', async () => {
  expect((await stored({ trip: house.placed(1) }, 2)).is).toBe('changed')
  const { general } = house.database
  expect((await sql`select from automation_run union all select from operation_run`.execute(general)).rows).toHaveLength(0)
})

test('what a person ordered by a scene is their word on the line against its timers; of a scene that something else ran it is none', async () => {
  const { general } = house.database
  const line = house.line(1)
  const order = async (action: 'trip' | 'close', at: number, verified: boolean) => {
    const { run, [action === 'trip' ? 'trips' : 'closes']: operationId } = await stored({ [action]: [line] })
    await sql`insert into command (command_id, line_id, action, state, actor, source, reason, fence, issued_at, deadline, run_id, verified_at)
      values (gen_random_uuid(), ${line.id}, ${action}, 'unknown', 'admin', 'scene', 'x', ${at}, ${new Date(at)}, ${new Date(at)},
        ${operationId}, ${verified ? new Date(at) : null})`.execute(general)
    await sql`update automation_run set ended_at = now(), state = 'done' where run_id = ${run.executionId}`.execute(general)
    return run.executionId
  }
  const word = async () => (await wordsOfLines(general, [line.id])).get(line.id)?.ordered
  const parent = await order('trip', 1_000, false)
  expect(await word()).toEqual({ action: 'trip', at: 1_000, actor: 'admin', fence: 1_000 })
  await order('close', 2_000, false)
  expect(await word()).toMatchObject({ action: 'trip', at: 1_000 })
  await order('close', 3_000, true)
  expect(await word()).toMatchObject({ action: 'close', at: 3_000 })
  const byTimer = await order('trip', 4_000, true)
  await sql`update automation_run set parent_run_id = ${parent} where run_id = ${byTimer}`.execute(general)
  expect(await word()).toMatchObject({ action: 'close', at: 3_000 })
})
