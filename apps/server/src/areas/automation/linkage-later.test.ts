import { Refusal } from '@linewarden/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { LaterRun } from '../../store/automation/linkage-later.ts'
import { marksOf, movesSince, tripsSince } from '../../store/automation/linkage-later.ts'
import { afterDangers } from '../../store/automation/override.ts'
import type { StoredCommand } from '../../store/control/command.ts'
import { createStagger } from '../control/stagger.ts'
import { testLines } from '../control/test-lines.ts'
import type { AutomationDeps } from './deps.ts'
import { createLinkageLater } from './linkage-later.ts'
import { foundOpen } from './test-found.ts'
import { AutomationTurns } from './turns.ts'

// What has become of a line since a linkage fired that closes it later, and that it counts until the order leaves.
const now = Date.UTC(2026, 10, 24, 8)
const uuid = () => crypto.randomUUID()
let house: Awaited<ReturnType<typeof testLines>>
let later: LaterRun
beforeAll(async () => {
  house = await testLines()
})
afterAll(() => house?.drop())
beforeEach(async () => {
  later = { firingId: uuid(), firedAt: now, position: 0, before: null }
  foundOpen(house.plant, now)
  await sql`truncate command, command_fence, automation_run, operation_run cascade`.execute(house.database.general)
  await runs(later.firingId, 'linkage', {})
})

const db = () => house.database.general
const lineId = () => house.line(1).id
async function runs(
  id: string,
  source: 'linkage' | 'scene' | 'timer',
  { parent = null as string | null, afterDanger = false as boolean | null },
): Promise<void> {
  await sql`insert into automation_run (run_id, source, source_id, project_id, name, claimed_at, state, actor, parent_run_id, after_danger)
    values (${id}, ${source}, 1, ${house.line(1).device.gateway.project.id}, '', ${new Date(now)}, 'running', '', ${parent}, ${afterDanger})`.execute(
    db(),
  )
}
interface Line {
  readonly state: 'waiting' | 'ordered' | 'refused' | 'skipped'
  readonly why?: string
  readonly at?: number
  readonly isOver?: boolean
  readonly outer?: string | null
}
/** A trip of the line as part of a run; answers the id of its group operation. */
async function trips(executionId: string | null, { state, why, at = now, isOver = false, outer = null }: Line): Promise<string> {
  const id = uuid()
  await sql`insert into operation_run (run_id, action, actor, reason, stagger_ms, started_at, ended_at, automation_run_id, outer_run_id)
    values (${id}, 'trip', '', '', 1000, ${new Date(at)}, ${isOver ? new Date(at) : null}, ${executionId}, ${outer})`.execute(
    db(),
  )
  await sql`insert into operation_run_line (run_id, position, line_id, command_id, state, refusal)
    values (${id}, 0, ${lineId()}, ${uuid()}, ${state}, ${why === undefined ? null : JSON.stringify({ key: why, text: {} })})`.execute(
    db(),
  )
  return id
}
/** A trip of the line that was ordered; `endedAt`: when it came to its end, null: not yet. */
async function ordered(operationId: string | null, at: number, fence: number, endedAt: number | null = at): Promise<void> {
  const [state, ended] = endedAt === null ? ['sent', null] : ['verified', new Date(endedAt)]
  await sql`insert into command (command_id, line_id, action, state, actor, source, reason, fence, issued_at, deadline, ended_at, run_id)
    values (${uuid()}, ${lineId()}, 'trip', ${state}, '', 'console', '', ${fence}, ${new Date(at)}, ${new Date(at)}, ${ended},
      ${operationId})`.execute(db())
}
async function found(marks: { fence: number; event: number } | null = { fence: 5, event: 0 }) {
  const rows = await tripsSince(db(), later, [{ lineId: lineId(), marks }])
  return rows.map(({ isOwn, afterDanger }) => (isOwn ? 'own' : afterDanger ? 'danger' : 'other'))
}

test('a trip counts that is behind the fence of the firing, by whatever clock, or was ordered since', async () => {
  await ordered(null, now - 1_000, 5)
  expect(await found()).toEqual([])
  await ordered(null, now - 3_600_000, 6)
  expect(await found()).toEqual(['other'])
  await ordered(null, now, 4)
  expect(await found()).toEqual(['other', 'other'])
  // Where no fence was kept, by the clocks alone.
  expect(await found(null)).toEqual(['other'])
})

test('a trip of anybody counts that was under way at the firing, and none that had come to its end by then', async () => {
  await ordered(null, now - 5_000, 3, now - 1)
  expect(await found()).toEqual([])
  await ordered(null, now - 5_000, 4, now)
  expect(await found()).toEqual(['other'])
  await ordered(null, now - 5_000, 5, null)
  expect(await found()).toEqual(['other', 'other'])
})

test('a trip of the firing is its own, also by what it does later and by scenes of either', async () => {
  const [scene, after, sceneAfter, another] = [uuid(), uuid(), uuid(), uuid()]
  await runs(scene, 'scene', { parent: later.firingId })
  await runs(after, 'linkage', { parent: later.firingId })
  await runs(sceneAfter, 'scene', { parent: after })
  await runs(another, 'timer', {})
  const own = [
    await trips(later.firingId, { state: 'ordered' }),
    await trips(scene, { state: 'ordered', outer: later.firingId }),
    await trips(after, { state: 'ordered' }),
    await trips(sceneAfter, { state: 'ordered', outer: after }),
  ]
  for (const [index, id] of own.entries()) await ordered(id, now, 6 + index)
  expect(await found()).toEqual(['own', 'own', 'own', 'own'])
  await ordered(await trips(another, { state: 'ordered' }), now, 20)
  expect((await found()).toSorted()).toEqual(['other', 'own', 'own', 'own', 'own'])
})

test('a danger counts that led to a trip, or may have, and where a trip was left out for one under way', async () => {
  const [danger, older] = [uuid(), uuid()]
  await runs(danger, 'linkage', { afterDanger: true })
  await runs(older, 'linkage', { afterDanger: null })
  await ordered(await trips(danger, { state: 'ordered' }), now, 6)
  await ordered(await trips(older, { state: 'ordered' }), now, 7)
  expect(await found()).toEqual(['danger', 'danger'])
  await trips(danger, { state: 'skipped', why: 'underWay', isOver: true })
  expect(await found()).toEqual(['danger', 'danger', 'danger'])
})

test('a trip that is about to be ordered counts, and none that came to nothing or was left out before', async () => {
  await trips(null, { state: 'waiting', isOver: true })
  await trips(null, { state: 'refused' })
  await trips(null, { state: 'skipped', why: 'stillWanted' })
  await trips(null, { state: 'skipped', why: 'underWay', at: now - 1 })
  expect(await found()).toEqual([])
  await trips(null, { state: 'waiting', at: now - 60_000 })
  expect(await found()).toEqual(['other'])
})

test('what is observed to move counts from the last event of then on, in its order', async () => {
  const noted = (key: string, at: number) =>
    sql`insert into event (kind, priority, key, label_zh, label_en, project_id, gateway_id, device_id, line_id, raised_at, stored_at)
      select 'journal', 'low', ${key}, '', '', project_id, gateway_id, device_id, line_id, ${new Date(0)}, ${new Date(at)}
      from line join device using (device_id) join gateway using (gateway_id) where line_id = ${lineId()}`.execute(db())
  await noted('position.open', now - 1)
  const marks = (await marksOf(db(), [lineId()])).get(lineId())
  if (!marks) throw new Error('no line')
  const moves = async () => (await movesSince(db(), lineId(), marks)).map(({ to, at }) => [to, at])
  expect([marks.fence, await moves()]).toEqual([0, []])
  await noted('position.closed', now + 2)
  await noted('something.else', now + 3)
  await noted('position.open', now + 1)
  expect(await moves()).toEqual([
    ['closed', now + 2],
    ['open', now + 1],
  ])
})

test('what the firing has tripped counts as open only where it has reported of late', async () => {
  await ordered(await trips(later.firingId, { state: 'ordered' }), now, 6)
  await sql`update gateway set link_since = ${new Date(now - 60_000)}`.execute(db())
  const line = house.line(2)
  const { link } = line.device
  line.device.link = 'online'
  let at = now
  const { laterCloses } = createLinkageLater({
    ...{ database: house.database, plant: house.plant, clock: () => at },
    ingest: { hasValidPosition: () => true } as unknown as AutomationDeps['ingest'],
  })
  const before = [{ lineId: line.id, position: 'open' as const, since: null, fence: 0, event: 0 }]
  let isTrue = true
  const waited = { until: performance.now(), over: new AbortController().signal, isStillTrue: () => isTrue }
  const closes = await laterCloses({ actions: [] } as never, { ...later, before }, [line.id], waited)
  const against = await closes.standsAgainst(line)
  expect(against()).toBeNull()
  at = now + 20_000
  expect(against()?.key).toBe('linkage trip failed')
  isTrue = false
  expect(against()?.key).toBe('linkage conditions over')
  line.device.link = link
})

test('a danger that left a line to a trip under way is the last word on it as well', async () => {
  const isAfterDanger = async () => (await afterDangers(db(), [lineId()])).has(lineId())
  const [timer, danger] = [uuid(), uuid()]
  await runs(timer, 'timer', {})
  await runs(danger, 'linkage', { afterDanger: true })
  await trips(danger, { state: 'skipped', why: 'underWay', isOver: true })
  await ordered(await trips(timer, { state: 'ordered' }), now - 2_000, 6, now - 1)
  await ordered(await trips(timer, { state: 'ordered' }), now + 1, 7, now + 2_000)
  expect(await isAfterDanger()).toBe(false)
  await ordered(await trips(timer, { state: 'ordered' }), now - 1_000, 8, now + 1_000)
  expect(await isAfterDanger()).toBe(true)
})

test('a danger that is about to trip a line is the last word on it already', async () => {
  const isAfterDanger = async () => (await afterDangers(db(), [lineId()])).has(lineId())
  const danger = uuid()
  await runs(danger, 'linkage', { afterDanger: true })
  await trips(danger, { state: 'waiting', isOver: true })
  expect(await isAfterDanger()).toBe(false)
  await trips(danger, { state: 'waiting' })
  expect(await isAfterDanger()).toBe(true)
})

test('a danger stays the last word on a line until a close is verified, it is closed at the breaker, or a person releases it', async () => {
  const isAfterDanger = async () => (await afterDangers(db(), [lineId()])).has(lineId())
  const trippedBy = async (source: 'linkage' | 'timer', afterDanger: boolean | null, fence: number, at = now) => {
    const run = uuid()
    await runs(run, source, { afterDanger })
    await ordered(await trips(run, { state: 'ordered' }), at, fence)
  }
  await trippedBy('linkage', false, 6)
  expect(await isAfterDanger()).toBe(false)
  await trippedBy('linkage', true, 7)
  await trippedBy('timer', null, 8)
  expect(await isAfterDanger()).toBe(true)
  await sql`insert into command (command_id, line_id, action, state, actor, source, reason, fence, issued_at, deadline, verified_at)
    values (${uuid()}, ${lineId()}, 'close', 'verified', '', 'console', '', 9, ${new Date(now)}, ${new Date(now)}, ${new Date(now)})`.execute(
    db(),
  )
  expect(await isAfterDanger()).toBe(false)
  // Of an older server.
  await trippedBy('linkage', null, 10)
  expect(await isAfterDanger()).toBe(true)
  await sql`insert into line_override (line_id, kind, since, actor, reason, fence)
    values (${lineId()}, 'released', ${new Date(now)}, '', '', 11)`.execute(db())
  expect(await isAfterDanger()).toBe(false)
  await trippedBy('linkage', true, 12, now + 1_000)
  const closedAt = (raisedAt: number) =>
    sql`insert into event (kind, priority, key, label_zh, label_en, project_id, gateway_id, device_id, line_id, raised_at, stored_at)
      select 'journal', 'low', 'position.closed', '', '', project_id, gateway_id, device_id, line_id, ${new Date(raisedAt)}, ${new Date(now + 3_000)}
      from line join device using (device_id) join gateway using (gateway_id) where line_id = ${lineId()}`.execute(db())
  await closedAt(now)
  expect(await isAfterDanger()).toBe(true)
  await closedAt(now + 2_000)
  expect(await isAfterDanger()).toBe(false)
  await sql`delete from line_override`.execute(db())
})

/** Gives the line its turn for a linkage; `meanwhile`: what happens before its order comes to the gate. Answers what was refused there and what left. */
async function gives(action: 'trip' | 'close', { meanwhile, standsAgainst }: { meanwhile?: () => unknown } & StandsAgainst = {}) {
  const left: StoredCommand[] = []
  const refused: unknown[] = []
  const gate = house.gate({ left, clock: () => now })
  const turns = new AutomationTurns({
    ...{ database: house.database, plant: house.plant, clock: () => now, log: { error: () => {} } as never },
    ingest: { hasValidPosition: () => true } as unknown as AutomationDeps['ingest'],
    control: {
      // By itself: neither the group that it is part of nor its work is stored.
      async operate({ operationId: _, claim: __, ...order }: Parameters<typeof gate.operate>[0]) {
        await meanwhile?.()
        return gate.operate(order).catch((error) => {
          refused.push((error as Refusal).key)
          throw error
        })
      },
      stagger: createStagger(() => performance.now()),
    } as unknown as AutomationDeps['control'],
    actorNow: async () => house.actor,
  })
  const at = { at: now, monotonic: performance.now(), clock: now }
  const work = { workId: uuid(), kind: 'automationRun', key: '', lease: 1, dueAt: now } as never
  const { project } = house.line(1).device.gateway
  await turns.give(
    {
      ...{ claim: work, projectId: project.id, operationId: uuid(), action, source: 'linkage', name: '' },
      ...{ owner: { accountId: house.actor.accountId, userName: 'admin' }, dueAt: now, claimed: at },
      lines: [{ lineId: lineId(), commandId: uuid() }],
      ...(standsAgainst && { standsAgainst }),
    },
    new AbortController().signal,
  )
  turns.close()
  return { refused, left: left.map((command) => command.action) }
}
type StandsAgainst = Pick<Parameters<AutomationTurns['give']>[0], 'standsAgainst'>

test('what comes to stand against a close between its turn and the gate still keeps it open', async () => {
  let isOpened = false
  const given = await gives('close', {
    meanwhile() {
      isOpened = true
    },
    standsAgainst: async () => () => (isOpened ? new Refusal('opened meanwhile') : null),
  })
  expect(given).toEqual({ refused: ['opened meanwhile'], left: [] })
})

test('a danger that leaves a line to an older trip between the turn of a close and the gate still keeps it open', async () => {
  await sql`delete from event`.execute(db())
  await ordered(null, now - 60_000, 1, now + 1)
  // By no person: their word would be asked before.
  await sql`update command set source = 'timer'`.execute(db())
  await sql`insert into command_fence (line_id, fence) values (${lineId()}, 1)`.execute(db())
  expect(await gives('close')).toEqual({ refused: [], left: ['close'] })
  await sql`update command set state = 'expired' where action = 'close'`.execute(db())
  const danger = uuid()
  await runs(danger, 'linkage', { afterDanger: true })
  const leaves = () => trips(danger, { state: 'skipped', why: 'underWay', isOver: true })
  expect(await gives('close', { meanwhile: leaves })).toEqual({ refused: ['linkage may not close'], left: [] })
})

test('a trip for a danger is left to one under way, and never where something was ordered behind that', async () => {
  await ordered(null, now, 1, null)
  await sql`insert into command_fence (line_id, fence) values (${lineId()}, 1)`.execute(db())
  house.line(1).underWay.set('theirs', 'trip')
  expect(await gives('trip')).toEqual({ refused: [], left: [] })
  await sql`update command set state = 'verified', ended_at = ${new Date(now)}`.execute(db())
  expect(await gives('trip')).toEqual({ refused: [], left: ['trip'] })
  house.line(1).underWay.clear()
})
