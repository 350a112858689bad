import { zoneClock } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import type { LocalDays } from '@linewarden/rules/hazard'
import type pg from 'pg'
import { addTally, PlaceNumbers } from './count-rows.ts'
import { beginStaging, replaceByStaged, stageTally, sumAnew } from './recount-rows.ts'
import { readBareEvents, readSteps } from './steps.ts'
import { Tally } from './tally.ts'

/** So many notes in one transaction. */
const notesAtOnce = 2_000
/** So many events at once, with all their steps. */
const eventsAtOnce = 5_000
/** So many gateways and projects in one transaction. */
const placesAtOnce = 500

/** Days of a time zone, counted since 1970. */
export function daysOfZone(timeZone: string): LocalDays {
  const clock = zoneClock(timeZone)
  return {
    dayOf: (at) => Math.floor(clock.local(at) / dayMs),
    startOf: (day) => clock.moment(day * dayMs),
  }
}

/**
 * Counts what has been noted since the last time: each step once, on whichever server comes first. Whatever interrupts it, a step is
 * either counted or still noted. `client`: a connection of its own. Answers how many notes there were.
 */
export const countDueSteps = (client: pg.ClientBase): Promise<number> =>
  alone(client, async () => {
    await recountPlaces(client)
    let all = 0
    for (;;) {
      const counted = await inSnapshot(client, () => countNotes(client))
      all += counted
      if (counted < notesAtOnce) return all
    }
  })

/** Counts everything anew from events and their steps. */
export const recountAll = (client: pg.ClientBase): Promise<void> =>
  alone(client, async () => {
    await client.query(`insert into event_recount (gateway_id, project_id)
      select gateway_id, 0 from gateway union all select 0, project_id from project on conflict do nothing`)
    await recountPlaces(client)
  })

/** One connection of all servers counts at a time. A session's lock: it ends with the process that is killed. */
async function alone<T>(client: pg.ClientBase, count: () => Promise<T>): Promise<T> {
  await client.query(`select pg_advisory_lock(hashtext('event count'))`)
  try {
    return await count()
  } finally {
    await client.query(`select pg_advisory_unlock(hashtext('event count'))`)
  }
}

/** Notes and steps are read as of one moment: what is committed meanwhile keeps its note, and is counted by that. */
async function inSnapshot<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('begin isolation level repeatable read')
  try {
    const done = await work()
    await client.query('commit')
    return done
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function countNotes(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<Note>(
    `delete from event_step_due where ctid = any(array(select ctid from event_step_due limit ${notesAtOnce})) returning event_id, step_id`,
  )
  const tally = new Tally(daysOfZone)
  await tallyNotes(client, rows, tally)
  await addTally(client, tally, await new PlaceNumbers().of(client, tally.places))
  return rows.length
}

interface Note {
  readonly event_id: string
  readonly step_id: string | null
}

async function tallyNotes(client: pg.ClientBase, notes: readonly Note[], tally: Tally): Promise<void> {
  const steps = notes.filter(({ step_id }) => step_id !== null)
  for (const step of await readSteps(
    client,
    steps.map(({ event_id }) => event_id),
    steps.map(({ step_id }) => step_id ?? ''),
  ))
    tally.add(step)
  for (const step of await readBareEvents(
    client,
    notes.flatMap(({ event_id, step_id }) => (step_id === null ? [event_id] : [])),
  ))
    tally.add(step)
}

/** The sums of everything are made anew last: until then they are named among what is counted anew, as a place that there is not. */
async function recountPlaces(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<Place>('select * from event_recount order by gateway_id, project_id')
  const places = rows.filter(({ gateway_id, project_id }) => gateway_id > 0 || project_id > 0)
  for (let i = 0; i < places.length; i += placesAtOnce)
    await inSnapshot(client, () => recountOf(client, places.slice(i, i + placesAtOnce)))
  if (rows.length > 0) await inSnapshot(client, () => sumAnew(client))
}

interface Place {
  readonly gateway_id: number
  readonly project_id: number
}

/** Counts these gateways, and what is of these projects as a whole, from their events and steps; what was counted of them goes. */
async function recountOf(client: pg.ClientBase, places: readonly Place[]) {
  const ids = [
    places.flatMap(({ gateway_id }) => (gateway_id > 0 ? [gateway_id] : [])),
    places.flatMap(({ gateway_id, project_id }) => (gateway_id > 0 ? [] : [project_id])),
  ]
  const isOwn = '(event.gateway_id = any($1::int[]) or (event.gateway_id is null and event.project_id = any($2::int[])))'
  // Made from what stays: if it is lost with the machine, the places are still named and counted again.
  await client.query('set local synchronous_commit = off')
  await client.query(
    'delete from event_recount where (project_id = 0 and gateway_id = any($1::int[])) or (gateway_id = 0 and project_id = any($2::int[]))',
    ids,
  )
  await client.query('insert into event_recount (gateway_id, project_id) values (0, 0) on conflict do nothing')
  await client.query(`delete from event_step_due using event where event.event_id = event_step_due.event_id and ${isOwn}`, ids)
  await beginStaging(client)
  const numbers = new PlaceNumbers()
  let after = '0'
  for (;;) {
    const { rows } = await client.query<{ event_id: string }>(
      `select event_id from event where ${isOwn} and event_id > $3 order by event_id limit ${eventsAtOnce}`,
      [...ids, after],
    )
    const events = rows.map(({ event_id }) => event_id)
    const steps = await client.query<{ event_id: string; step_id: string }>(
      'select event_id, step_id from event_transition where event_id = any($1::bigint[])',
      [events],
    )
    const tally = new Tally(daysOfZone)
    await tallyNotes(client, [...steps.rows, ...events.map((event_id) => ({ event_id, step_id: null }))], tally)
    await stageTally(client, tally, await numbers.of(client, tally.places))
    const last = events.at(-1)
    if (last === undefined || events.length < eventsAtOnce) break
    after = last
  }
  await replaceByStaged(client, ids)
}
