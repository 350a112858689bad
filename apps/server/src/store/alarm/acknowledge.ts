import { acknowledgeable, foldAlarm, unacknowledgedStates } from '@linewarden/rules/alarm'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendEntries, turnAtLog } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { EventRow } from './event.ts'
import { eventById } from './event.ts'

/** So many at once: as long as they take, nobody else has a turn at the log, and ingest ends none of them. */
export const acknowledgedAtOnce = 250

interface Acknowledged {
  readonly row: EventRow
  /** False: nothing of it waited for an acknowledgement any more. */
  readonly changed: boolean
}

/** Acknowledges an event; the row after it, or null when there is nothing to acknowledge. Acknowledging twice changes nothing. */
export async function acknowledge(database: Database, eventId: string, audit: AuditEntry): Promise<Acknowledged | null> {
  const row = await eventById(database, eventId)
  return row ? ((await acknowledgeEach(database, [row], () => audit)).get(row.event_id) ?? null) : null
}

/**
 * Acknowledges events, each with its entry in the log, in as few transactions as that takes without waiting for a row in one: what became
 * of each, by its number. What is none to acknowledge is not among them.
 */
export async function acknowledgeEach(
  database: Database,
  found: readonly EventRow[],
  auditOf: (row: EventRow) => AuditEntry,
): Promise<Map<string, Acknowledged>> {
  const done = new Map<string, Acknowledged>()
  const waiting = waitingOf(found)
  for (let from = 0; from < waiting.length; from += acknowledgedAtOnce) {
    let left = waiting.slice(from, from + acknowledgedAtOnce)
    while (left.length > 0) {
      for (const row of await acknowledgeFree(database, left, auditOf)) done.set(row.event_id, { row, changed: true })
      left = left.filter((id) => !done.has(id))
      const [locked] = left
      if (locked === undefined) break
      // Waits for whoever has the row, with nothing in hand; for one of them, because holding several would keep others waiting.
      await database.general.selectFrom('event').select('event_id').where('event_id', '=', locked).forUpdate().execute()
      left = waitingOf(await eventsById(database, left))
    }
  }
  return done

  /** Notes of what no acknowledgement changes that it is so, and answers the others. */
  function waitingOf(rows: readonly EventRow[]): string[] {
    for (const row of rows) if (acknowledgeable(row.state) === 'already') done.set(row.event_id, { row, changed: false })
    return rows.filter(({ state }) => acknowledgeable(state) === 'waits').map(({ event_id }) => event_id)
  }
}

export const eventsById = ({ general }: Pick<Database, 'general'>, ids: readonly string[]): Promise<EventRow[]> =>
  general
    .selectFrom('event')
    .selectAll()
    .where(sql<boolean>`event_id = any(${[...ids]}::bigint[])`)
    .execute()

/**
 * Those that nobody has at this moment. The turn at the log comes first: whoever waited for it with the rows would keep ingest waiting, which
 * ends alarms. And with the turn nothing is waited for: what removes or moves a gateway has its events' rows before its turn, and would wait
 * for these in a circle.
 */
function acknowledgeFree(
  { general }: Database,
  ids: readonly string[],
  auditOf: (row: EventRow) => AuditEntry,
): Promise<EventRow[]> {
  return general.transaction().execute(async (trx) => {
    await turnAtLog(trx)
    const rows = await trx
      .selectFrom('event')
      .selectAll()
      .where(sql<boolean>`event_id = any(${[...ids]}::bigint[])`)
      .where('state', 'in', unacknowledgedStates)
      .orderBy('event_id')
      .forUpdate()
      .skipLocked()
      .execute()
    const steps = rows.map((row) => ({ row, audit: auditOf(row), next: row.state && foldAlarm(row.state, 'acknowledge') }))
    if (steps.length === 0) return []
    const { rows: updated } = await sql<EventRow>`
      with step as (
        select * from unnest(${rows.map(({ event_id }) => event_id)}::bigint[], ${rows.map(({ state }) => state)}::text[],
          ${steps.map(({ next }) => next)}::text[], ${steps.map(({ audit }) => new Date(audit.at))}::timestamptz[],
          ${steps.map(({ audit }) => audit.actor)}::text[]) as step (id, state, next, at, actor)
      ), noted as (
        insert into event_transition (event_id, at, act, from_state, to_state, actor)
        select id, at, 'acknowledge', state, next, actor from step
      )
      update event set state = next, acknowledged_at = at, acknowledged_by = actor from step where event_id = id
      returning event.*`.execute(trx)
    await appendEntries(
      trx,
      steps.map(({ row, audit, next }) => ({ ...audit, before: row.state, after: next })),
    )
    return updated
  })
}
