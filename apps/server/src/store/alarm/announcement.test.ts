import { aboutNothing } from '@linewarden/contract'
import { dueStep, maxShelfMinutes } from '@linewarden/rules/alarm'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { TestIngest } from '../../field/test-ingest.ts'
import { linkEvent } from '../../field/watch/link-event.ts'
import type { PlantTag } from '../../plant/plant.ts'
import { Batch } from '../ingest/batch.ts'
import { Committer } from '../ingest/commit.ts'
import { acknowledge } from './acknowledge.ts'
import { announce, announcedAfter } from './announcement.ts'
import { changeEvents, eventsById } from './change.ts'
import { isDue, isInServiceOn, isSuppressed, stepOpenEvents } from './due.ts'
import { putOnShelf, shelvedWith, takeOffShelf } from './shelf.ts'
import { conditionOf } from './step.ts'

// What ingest raises while an alarm is silent, and who is told in which order.
const minuteMs = 60_000
let plant: TestIngest
let ingest: pg.Client
let other: pg.Client
beforeAll(async () => {
  plant = await TestIngest.start()
  await (await plant.edge()).birth()
  await plant.ingest.drained()
  ;[ingest, other] = await Promise.all([plant.database.connect(), plant.database.connect()])
})
afterAll(async () => {
  await ingest?.end()
  await other?.end()
  await plant?.close()
})
beforeEach(() => plant.rows('delete from event; delete from event_shelf'))

const gateway = () => plant.line().device.gateway

async function happens(act: 'raise' | 'return') {
  const batch = new Batch(1)
  batch.events.push(linkEvent(gateway(), 'stale', act, plant.now))
  const [stored] = await new Committer(ingest, 90).commit(batch, plant.now)
  return stored
}
const idOf = async () => (await happens('raise'))?.row.event_id ?? ''
const audit = (action: 'event.shelve' | 'event.unshelve' | 'event.acknowledge') =>
  ({ at: plant.now, actor: 'a', address: '', action, subject: aboutNothing, target: '', outcome: 'done', tenant: null }) as const

async function shelve(id: string, minutes = 10) {
  const until = plant.now + minutes * minuteMs
  return changeEvents(plant.database, await eventsById(plant.database, [id]), {
    stepOf: ({ state, ...row }) =>
      state && {
        step: { row: { ...row, state }, act: 'shelve', at: plant.now, until, actor: 'a', reason: 'r' },
        audit: audit('event.shelve'),
      },
    alsoStore: (trx, steps) => putOnShelf(trx, steps, new Date(until)),
  })
}
const announced = async () =>
  (await announcedAfter(plant.database, '0', { accountId: null, seen: null }, plant.now, 50, 'oldest')).map(
    ({ event_id }) => event_id,
  )
const stored = () =>
  plant.rows<{ event_id: string; why: string }>('select event_id, why from announcement order by announcement_id')
const due = (now = plant.now) => stepOpenEvents(plant.database, isDue(now), (row) => dueStep(conditionOf(row), now), now)

test('an alarm that is raised on a place on the shelf is stored, and nobody is told', async () => {
  const id = await idOf()
  await shelve(id)
  await acknowledge(plant.database, id, audit('event.acknowledge'))
  expect(await happens('return')).toMatchObject({ row: { event_id: id, state: 'normal' }, isNew: false })
  const again = await happens('raise')
  expect(again).toMatchObject({ row: { state: 'active', shelved_by: 'a', shelved_reason: 'r', announced: 0 }, isNew: false })
  expect(again?.row.event_id).not.toBe(id)
  expect(await stored()).toEqual([{ event_id: id, why: 'raise' }])
  expect((await shelvedWith(plant.database, [id], new Date(plant.now))).map(({ event_id }) => event_id).toSorted()).toEqual(
    [id, again?.row.event_id ?? ''].toSorted(),
  )
  // When its time is over, it is told.
  plant.now += 10 * minuteMs
  expect(await due()).toMatchObject([{ row: { event_id: again?.row.event_id, state: 'active', announced: 1 }, isNew: true }])
  expect(await due()).toEqual([])
})

test('one that returns and is raised again on the shelf stays silent, also after ten minutes', async () => {
  const id = await idOf()
  await shelve(id, maxShelfMinutes)
  await happens('return')
  plant.now += 20 * minuteMs
  expect(await happens('raise')).toMatchObject({ row: { event_id: id, raises: 2, announced: 1 }, isNew: false })
  expect(await announced()).toEqual([])
})

test('a place whose shelf was ended by hand is silent no more', async () => {
  const id = await idOf()
  await shelve(id)
  await acknowledge(plant.database, id, audit('event.acknowledge'))
  const { rows } = await plant.database.general.transaction().execute(async (trx) => {
    await takeOffShelf(trx, await eventsById({ general: trx }, [id]), new Date(plant.now))
    return { rows: await trx.selectFrom('event_shelf').select('ended_at').execute() }
  })
  expect(rows).toEqual([{ ended_at: new Date(plant.now) }])
  await happens('return')
  expect(await happens('raise')).toMatchObject({ row: { shelved_until: null, announced: 1 }, isNew: true })
})

test('where a tag hangs an alarm is stored out of service, and told when the tag is gone', async () => {
  const tag: PlantTag = {
    ...{ id: crypto.randomUUID(), on: 'gateway', onId: gateway().id, kind: 'tag', accountId: null, holder: 'a', reason: '' },
    ...{ photo: false, placedAt: plant.now, expectedEnd: null },
  }
  gateway().ownTags = [tag]
  const raised = await happens('raise').finally(() => {
    gateway().ownTags = []
  })
  expect(raised).toMatchObject({ row: { suppressed: 'tag', announced: 0 }, isNew: false })
  expect(await announced()).toEqual([])
  const release = () => stepOpenEvents(plant.database, isSuppressed, () => ({ act: 'release', at: plant.now }), plant.now)
  expect(await release()).toMatchObject([{ row: { suppressed: null, announced: 1 }, isNew: true }])
  expect([await announced(), await release()]).toEqual([[raised?.row.event_id], []])
})

test('a tag takes out of service what is there already, on its own place only, and never what endangers people', async () => {
  const id = await idOf()
  const on = { lineIds: [], deviceIds: [], gatewayIds: [gateway().id] }
  const suppress = (places: typeof on, except: readonly string[]) =>
    stepOpenEvents(plant.database, isInServiceOn(places, except), () => ({ act: 'suppress', at: plant.now }), plant.now)
  expect(await suppress({ ...on, gatewayIds: [gateway().id + 1_000] }, [])).toEqual([])
  expect(await suppress(on, ['gateway.stale'])).toEqual([])
  expect(await suppress(on, [])).toMatchObject([{ row: { event_id: id, suppressed: 'tag', announced: 1 }, isNew: false }])
})

test('what two servers find due at the same moment is done and told once', async () => {
  const id = await idOf()
  await shelve(id, 1)
  plant.now += minuteMs
  const done = await Promise.all([due(), due(), due()])
  expect(done.flat()).toHaveLength(1)
  expect(await stored()).toEqual([
    { event_id: id, why: 'raise' },
    { event_id: id, why: 'shelfEnd' },
  ])
})

test('a shelf that ended while no server ran ends at its true moment', async () => {
  const id = await idOf()
  await shelve(id, 1)
  const ended = plant.now + minuteMs
  plant.now += 8 * 60 * minuteMs
  await due()
  expect(await plant.rows(`select at, act from event_transition where event_id = ${id} order by step_id desc limit 1`)).toEqual([
    { at: new Date(ended), act: 'shelfEnd' },
  ])
})

test('whoever announces next waits for who has announced: no number is told before a smaller one is', async () => {
  const id = await idOf()
  await ingest.query('begin')
  await announce(ingest, [{ eventId: id, why: 'expire' }], plant.now)
  await other.query('begin')
  const next = announce(other, [{ eventId: id, why: 'release' }], plant.now)
  const waiting = "select count(*)::int as waiting from pg_locks where locktype = 'advisory' and not granted"
  await vi.waitFor(async () => expect(await plant.rows(waiting)).toEqual([{ waiting: 1 }]))
  await ingest.query('commit')
  await next
  await other.query('commit')
  expect((await stored()).map(({ why }) => why)).toEqual(['raise', 'expire', 'release'])
})

test('each step begins where the one before ended, and the last is how the alarm stands', async () => {
  const id = await idOf()
  await acknowledge(plant.database, id, audit('event.acknowledge'))
  await shelve(id, 1)
  plant.now += minuteMs
  await due()
  await happens('return')
  await happens('raise')
  await acknowledge(plant.database, id, audit('event.acknowledge'))
  await happens('return')
  const steps = await plant.rows<{ act: string; from_state: string | null; to_state: string }>(
    `select act, from_state, to_state from event_transition where event_id = ${id} order by step_id`,
  )
  expect(steps.map(({ act }) => act)).toEqual([
    'raise',
    'acknowledge',
    'shelve',
    'shelfEnd',
    'return',
    'raise',
    'acknowledge',
    'return',
  ])
  expect(steps.slice(1).map(({ from_state }) => from_state)).toEqual(steps.slice(0, -1).map(({ to_state }) => to_state))
  const [row] = await eventsById(plant.database, [id])
  expect(row?.state).toBe(steps.at(-1)?.to_state)
})
