import { zoneClock } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import type { CountedAlarm, CountedAs, DayCount, LocalDays } from '@linewarden/rules/hazard'
import { addCounts, countedAs, countedStep, countStep, isFolded, tenOf } from '@linewarden/rules/hazard'
import type pg from 'pg'
import type { StoredStep } from './steps.ts'
import { readBareEvents, readSteps } from './steps.ts'

/** So many notes in one transaction. */
const notesAtOnce = 2_000
/** So many events of one place at once, with all their steps. */
const eventsAtOnce = 2_000

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
  const { rows } = await client.query<{ event_id: string; step_id: string | null }>(
    `delete from event_step_due where ctid = any(array(select ctid from event_step_due limit ${notesAtOnce})) returning event_id, step_id`,
  )
  await countOf(client, rows)
  return rows.length
}

async function countOf(
  client: pg.ClientBase,
  notes: readonly { readonly event_id: string; readonly step_id: string | null }[],
): Promise<void> {
  const steps = notes.filter(({ step_id }) => step_id !== null)
  const stored = await readSteps(
    client,
    steps.map(({ event_id }) => event_id),
    steps.map(({ step_id }) => step_id ?? ''),
  )
  const bare = await readBareEvents(
    client,
    notes.flatMap(({ event_id, step_id }) => (step_id === null ? [event_id] : [])),
  )
  await addTo(client, [...stored, ...bare])
}

async function recountPlaces(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ gateway_id: number; project_id: number }>('select * from event_recount')
  for (const place of rows) await inSnapshot(client, () => recountPlace(client, place))
}

async function recountPlace(client: pg.ClientBase, place: { readonly gateway_id: number; readonly project_id: number }) {
  const ids = [place.gateway_id, place.project_id]
  const own = place.gateway_id > 0 ? 'gateway_id = $1 and $2::int = 0' : 'gateway_id is null and $1::int = 0 and project_id = $2'
  await client.query('delete from event_recount where gateway_id = $1 and project_id = $2', ids)
  await client.query('delete from event_ten where gateway_id = $1 and project_id = $2', ids)
  await client.query('delete from event_day where gateway_id = $1 and project_id = $2', ids)
  await client.query(
    `delete from event_step_due using event where event.event_id = event_step_due.event_id
      and ${own.replace(/\b(gateway_id|project_id)\b/g, 'event.$1')}`,
    ids,
  )
  let after = '0'
  for (;;) {
    const { rows } = await client.query<{ event_id: string }>(
      `select event_id from event where ${own} and event_id > $3 order by event_id limit ${eventsAtOnce}`,
      [...ids, after],
    )
    const events = rows.map(({ event_id }) => event_id)
    const steps = await client.query<{ event_id: string; step_id: string }>(
      'select event_id, step_id from event_transition where event_id = any($1::bigint[])',
      [events],
    )
    await countOf(client, [...steps.rows, ...events.map((event_id) => ({ event_id, step_id: null }))])
    const last = events.at(-1)
    if (last === undefined || events.length < eventsAtOnce) return
    after = last
  }
}

interface Counted {
  readonly alarm: CountedAlarm
  readonly day: number
  readonly count: DayCount
}

interface CountedTen {
  readonly alarm: CountedAlarm
  readonly ten: number
  readonly announced: number
  readonly folded: number
}

/** Adds what these steps come to. */
async function addTo(client: pg.ClientBase, stored: readonly StoredStep[]): Promise<void> {
  const zones = new Map<string, LocalDays>()
  const byDay = new Map<string, Counted>()
  const byTen = new Map<string, CountedTen>()
  const counted: CountedRow[] = []
  for (const { eventId, stepId, alarm, step, timeZone } of stored) {
    const days = zones.get(timeZone) ?? daysOfZone(timeZone)
    zones.set(timeZone, days)
    const name = Object.values(placeOf(alarm)).join('|')
    for (const [day, count] of countStep(step, days)) {
      const key = `${name}|${day}`
      const before = byDay.get(key)
      byDay.set(key, { alarm, day, count: before ? addCounts(before.count, count) : count })
    }
    const { as, longSince } = countedStep(step)
    if (as.length > 0 || longSince !== null)
      counted.push({
        ...{ event_id: eventId, step_id: stepId, at: new Date(step.at), day: days.dayOf(step.at), priority: alarm.priority },
        ...{ counted: bitsOf(as), since: longSince === null ? null : new Date(longSince) },
      })
    const folded = isFolded(step) ? 1 : 0
    if (!step.announced && folded === 0) continue
    const key = `${name}|${tenOf(step.at)}`
    const before = byTen.get(key)
    const announced = (before?.announced ?? 0) + (step.announced ? 1 : 0)
    byTen.set(key, { alarm, ten: tenOf(step.at), announced, folded: (before?.folded ?? 0) + folded })
  }
  await addDays(client, [...byDay.values()])
  await addTens(client, [...byTen.values()])
  await noteCounted(client, counted)
}

interface CountedRow {
  readonly event_id: string
  readonly step_id: string
  readonly at: Date
  readonly day: number
  readonly priority: string
  readonly counted: number
  readonly since: Date | null
}

/** What a step was counted as, a bit for each. */
export const bitsOf = (as: readonly CountedAs[]): number => as.reduce((bits, each) => bits | (1 << countedAs.indexOf(each)), 0)

/** Keeps which steps were counted as what: the list behind a figure. */
async function noteCounted(client: pg.ClientBase, rows: readonly CountedRow[]): Promise<void> {
  if (rows.length === 0) return
  await client.query(
    `insert into event_counted (event_id, step_id, at, day, priority, counted, since)
     select * from jsonb_to_recordset($1::jsonb) as added (event_id bigint, step_id bigint, at timestamptz, day int, priority text,
       counted smallint, since timestamptz)
     on conflict (event_id, step_id) do update set at = excluded.at, day = excluded.day, counted = excluded.counted, since = excluded.since`,
    [JSON.stringify(rows)],
  )
}

const placeOf = ({ gatewayId, projectId, deviceId, lineId, key, kind, priority }: CountedAlarm) => ({
  gateway_id: gatewayId ?? 0,
  project_id: gatewayId === null ? projectId : 0,
  device_id: deviceId ?? 0,
  line_id: lineId ?? 0,
  key,
  kind,
  priority,
})

async function addTens(client: pg.ClientBase, counted: readonly CountedTen[]): Promise<void> {
  if (counted.length === 0) return
  const rows = counted.map(({ alarm, ten, announced, folded }) => ({ ...placeOf(alarm), ten, announced, folded }))
  await client.query(
    `insert into event_ten as present (ten, gateway_id, project_id, device_id, line_id, key, kind, priority, announced, folded)
     select ten, gateway_id, project_id, device_id, line_id, key, kind, priority, announced, folded
     from jsonb_to_recordset($1::jsonb) as added (ten int, gateway_id int, project_id int, device_id int, line_id int, key text, kind text,
       priority text, announced int, folded int)
     on conflict (ten, gateway_id, project_id, device_id, line_id, key, kind, priority) do update set
       announced = present.announced + excluded.announced, folded = present.folded + excluded.folded`,
    [JSON.stringify(rows)],
  )
}

async function addDays(client: pg.ClientBase, counted: readonly Counted[]): Promise<void> {
  if (counted.length === 0) return
  const rows = counted.map(({ alarm, day, count }) => ({
    ...placeOf(alarm),
    ...count,
    day,
    active_ms: count.activeMs,
    over_day: count.overDay,
    ack_seconds: count.ackSeconds,
  }))
  await client.query(
    `insert into event_day as present (day, gateway_id, project_id, device_id, line_id, key, kind, priority, raised, announced, folded,
       bursts, fleeting, unjustified, active_ms, over_day, ack_seconds)
     select day, gateway_id, project_id, device_id, line_id, key, kind, priority, raised, announced, folded, bursts, fleeting, unjustified,
       active_ms, over_day, ack_seconds
     from jsonb_to_recordset($1::jsonb) as added (day int, gateway_id int, project_id int, device_id int, line_id int, key text, kind text,
       priority text, raised int, announced int, folded int, bursts int, fleeting int, unjustified int, active_ms bigint, over_day int,
       ack_seconds int[])
     on conflict (day, gateway_id, project_id, device_id, line_id, key, kind, priority) do update set
       raised = present.raised + excluded.raised, announced = present.announced + excluded.announced,
       folded = present.folded + excluded.folded, bursts = present.bursts + excluded.bursts,
       fleeting = present.fleeting + excluded.fleeting, unjustified = present.unjustified + excluded.unjustified,
       active_ms = present.active_ms + excluded.active_ms, over_day = present.over_day + excluded.over_day,
       ack_seconds = present.ack_seconds || excluded.ack_seconds`,
    [JSON.stringify(rows)],
  )
}
