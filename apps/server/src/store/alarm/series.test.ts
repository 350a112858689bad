import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestEdge } from '../../field/test-ingest.ts'
import { TestIngest } from '../../field/test-ingest.ts'
import { announceChattered } from './due.ts'

// An alarm that comes and goes, as a gateway reports it.
let plant: TestIngest
let edge: TestEdge
const secondMs = 1_000
const hourMs = 3_600_000

beforeEach(async () => {
  plant = await TestIngest.start()
  edge = await plant.edge()
  await edge.birth()
})
afterEach(() => plant.close())

/** The breaker trips on a short circuit, and somebody closes it; nobody acknowledges unless it is said. */
async function trips(): Promise<void> {
  await edge.data({ states: { position: 0, 'trip.cause': 2 } })
}
async function closes(afterMs: number): Promise<void> {
  plant.now += afterMs
  await edge.data({ states: { position: 1, 'trip.cause': 0 } })
}
const acknowledged = () =>
  plant.rows("update event set state = 'normal', acknowledged_at = now() where state in ('active', 'returned')")

const events = () =>
  plant.rows<{ event_id: string; series: string; occurrences: number; superseded: boolean; raises: number; announced: number }>(
    `select event_id, coalesce(series_id, event_id) as series, occurrences, superseded, raises, announced from event
     where key = 'trip.short' order by event_id`,
  )

test('an alarm that comes back within a day is one series, of which the newest event is the row', async () => {
  for (let time = 0; time < 3; time += 1) {
    await trips()
    await closes(60 * secondMs)
    await acknowledged()
    plant.now += 20 * hourMs
  }
  const [first, ...others] = await events()
  expect([first, ...others]).toEqual([
    expect.objectContaining({ series: first?.event_id, occurrences: 1, superseded: true }),
    expect.objectContaining({ series: first?.event_id, occurrences: 2, superseded: true }),
    expect.objectContaining({ series: first?.event_id, occurrences: 3, superseded: false }),
  ])
  plant.now += 5 * hourMs
  await trips()
  expect((await events()).at(-1)).toMatchObject({ occurrences: 1, superseded: false })
  expect((await events())[2]).toMatchObject({ superseded: false })
})

test('raises of an event that is still open count in its series', async () => {
  await trips()
  await closes(60 * secondMs)
  plant.now += 700 * secondMs
  await trips()
  expect(await events()).toEqual([expect.objectContaining({ occurrences: 2, raises: 2, announced: 2 })])
})

test('what chatters is announced once in ten minutes, also where somebody acknowledges it in between, and each raise is stored', async () => {
  for (let time = 0; time < 12; time += 1) {
    await trips()
    await closes(5 * secondMs)
    await acknowledged()
    plant.now += 5 * secondMs
  }
  const all = await events()
  expect(all).toHaveLength(12)
  // The first two were no chatter yet.
  expect(all.map(({ announced }) => announced)).toEqual([1, 1, ...Array.from({ length: 10 }, () => 0)])
  const [row] = await plant.rows<{ since: Date; last: Date }>(
    "select chatter_since as since, chatter_at as last from event where key = 'trip.short' order by event_id desc limit 1",
  )
  expect([row?.since.getTime(), row?.last.getTime()]).toEqual([plant.now - 100 * secondMs, plant.now - 10 * secondMs])
  expect((await plant.rows('select from announcement')).length).toBe(2)
  plant.now += 600 * secondMs
  await trips()
  expect((await events()).at(-1)).toMatchObject({ announced: 1, occurrences: 13 })
})

test('an alarm that chattered, was acknowledged, and then stays is announced after ten minutes, once, on whichever server', async () => {
  for (let time = 0; time < 3; time += 1) {
    await trips()
    if (time === 2) break
    await closes(5 * secondMs)
    await acknowledged()
    plant.now += 5 * secondMs
  }
  const look = async () =>
    (await announceChattered(plant.database, plant.now)).map(({ row, isNew }) => [row.key, row.announced, isNew])
  expect((await events()).at(-1)).toMatchObject({ announced: 0 })
  plant.now += 599 * secondMs
  expect(await look()).toEqual([])
  plant.now += secondMs
  const [here, there] = await Promise.all([look(), look()])
  expect([...here, ...there]).toEqual([['trip.short', 1, true]])
  expect(await look()).toEqual([])
  expect((await plant.rows('select from announcement')).length).toBe(3)
})

test('one that returned meanwhile, or stands on the shelf, is not', async () => {
  for (let time = 0; time < 3; time += 1) {
    await trips()
    if (time < 2) await closes(5 * secondMs)
    if (time < 2) await acknowledged()
    plant.now += 5 * secondMs
  }
  await plant.rows(`update event set shelved_until = to_timestamp(${plant.now / 1_000 + 3_600}) where state = 'active'`)
  plant.now += 600 * secondMs
  expect(await announceChattered(plant.database, plant.now)).toEqual([])
  await plant.rows('update event set shelved_until = null')
  await closes(0)
  expect(await announceChattered(plant.database, plant.now)).toEqual([])
})

test('the same alarm of another line is another series', async () => {
  const other = await plant.edge('G2')
  await other.birth()
  await trips()
  await other.data({ states: { position: 0, 'trip.cause': 2 } })
  expect((await events()).map(({ occurrences }) => occurrences)).toEqual([1, 1])
})
