import type { Client } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import { alarmFlood, listEvents } from '@linewarden/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { foldedSince } from '../../../apps/server/src/store/alarm/announcement.ts'
import { raiseEvents } from '../../kit/raised-events.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'
import { storeIncident } from '../../kit/stored-incident.ts'

// More alarms than anybody can work on, and series in the list. Time moves only here.
let stack: Stack
let now = Date.now()
let admin: Client
beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => now })
  calm(stack)
})
afterAll(() => stack?.close())
beforeEach(async () => {
  await stored('delete from event')
  admin = await signedIn(stack.url, stack.admin, () => now)
})

async function stored(query: string, values: unknown[] = []): Promise<void> {
  const db = await stack.server.database.connect()
  await db.query(query, values)
  await db.end()
}

/** So many alarms of a project are announced at that moment. */
async function announced(count: number, controllerId = 'A-T1'): Promise<void> {
  const ids = await raiseEvents(
    stack,
    Array.from({ length: count }, () => ({ controllerId })),
  )
  await stored('update announcement set at = $1 where event_id = any($2::bigint[])', [new Date(now), ids])
}
const flood = async (by = admin) => (await by.call(alarmFlood, {})).Flood

test('more than ten alarms in ten minutes are a flood, until fewer than five are', async () => {
  await announced(10)
  expect(await flood()).toBeNull()
  now += 60_000
  const since = now
  await announced(3)
  expect(await flood()).toEqual({ Since: since, Announced: 13, Folded: 0, Incidents: 0, More: false })
  now = since + 9 * 60_000 - 1
  expect(await flood()).toMatchObject({ Announced: 13 })
  now += 1
  // The ten of a minute before are beyond the window: three are left.
  expect(await flood()).toBeNull()
})

test('a flood says how many of its alarms are folded, and under how many roots', async () => {
  const [early = ''] = await raiseEvents(stack, [{}])
  now += 11 * 60_000
  // The fifth is the root of the second incident: of one gateway there is one at a time.
  const ids = await raiseEvents(
    stack,
    Array.from({ length: 20 }, (_, nth) => (nth === 4 ? { controllerId: 'B-T1' } : {})),
  )
  await stored('update announcement set at = $1', [new Date(now)])
  await stored('update announcement set at = $1 where event_id = $2', [new Date(now - 11 * 60_000), early])
  await storeIncident(stack, ids.slice(0, 4))
  // One of them came before the flood.
  await storeIncident(stack, [...ids.slice(4, 9), early])
  expect(await flood()).toEqual({ Since: now, Announced: 13, Folded: 7, Incidents: 2, More: false })
  // Where more are folded than are counted, it is said so.
  const { database } = stack.server
  expect(await foldedSince(database, null, now, 7)).toMatchObject({ events: 7, isMore: false })
  expect(await foldedSince(database, null, now, 6)).toMatchObject({ events: 6, isMore: true })
})

test('what is on the shelf, and what belongs to others, floods nobody', async () => {
  await announced(12)
  expect(await flood()).not.toBeNull()
  await stored('update event set shelved_until = $1', [new Date(now + 3_600_000)])
  expect(await flood()).toBeNull()
})

test('of a flood without end the newest two thousand announcements are read, and it is told as of those', async () => {
  const [eventId] = await raiseEvents(stack, [{}])
  await stored('delete from announcement')
  await stored(
    `insert into announcement (event_id, at, why)
     select $1, $2::timestamptz - nth * interval '1 second', 'raise' from generate_series(0, 2999) as nth order by nth desc`,
    [eventId, new Date(now)],
  )
  expect(await flood()).toMatchObject({ Since: now - 1_989_000, Announced: 2_000 })
})

test('a list of one row for each alarm has the newest event of each series', async () => {
  const [older = '', newer = '', alone = ''] = await raiseEvents(stack, [
    { key: 'trip.short', state: 'normal' },
    { key: 'trip.short' },
    { key: 'trip.short', lineNo: 2 },
  ])
  await stored('update event set superseded = event_id = $1, series_id = case when event_id = $2 then $1::bigint end', [
    older,
    newer,
  ])
  const { items } = await admin.call(listEvents, { body: { Newest: true } })
  expect(items.map(({ EventID }) => EventID)).toEqual([alone, newer])
  expect(items.map(({ SeriesID, IsNewest }) => [SeriesID, IsNewest])).toEqual([
    [alone, true],
    [older, true],
  ])
})

test('as of a moment the row of a series is its newest event until then, though it went on later', async () => {
  const hourMs = 3_600_000
  const [first = '', second = '', third = ''] = await raiseEvents(stack, [
    { key: 'trip.short', state: 'normal', raisedAt: now - 3 * hourMs },
    { key: 'trip.short', state: 'normal', raisedAt: now - 2 * hourMs },
    { key: 'trip.short', raisedAt: now - hourMs },
  ])
  await stored(`update event set superseded = event_id <> $2, series_id = case when event_id <> $1 then $1::bigint end`, [
    first,
    third,
  ])
  const rowsOf = async (body: Request<typeof listEvents>['body']) =>
    (await admin.call(listEvents, { body: { Newest: true, ...body } })).items.map(({ EventID }) => EventID)
  expect(await rowsOf({})).toEqual([third])
  expect(await rowsOf({ To: now - hourMs })).toEqual([second])
  expect(await rowsOf({ To: now - 2 * hourMs })).toEqual([first])
  // A page of what was shown before the series went on.
  expect(await rowsOf({ UpTo: second })).toEqual([second])
})
