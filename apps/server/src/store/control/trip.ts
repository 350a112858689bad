import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { EventRow } from '../alarm/event.ts'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import { feedSince } from '../energy/feeds.ts'
import { commandOf, type StoredCommand } from './command.ts'

/** When a line opened, newest first. */
export async function openingsOf({ general }: Database, lineId: number, size: number): Promise<readonly EventRow[]> {
  return general
    .selectFrom('event')
    .selectAll()
    .where('line_id', '=', lineId)
    .where('key', '=', 'position.open')
    .orderBy('event_id', 'desc')
    .limit(size)
    .execute()
}

export async function openingOf({ general }: Database, lineId: number, eventId: string): Promise<EventRow | null> {
  const row = await general
    .selectFrom('event')
    .selectAll()
    .where('event_id', '=', eventId)
    .where('line_id', '=', lineId)
    .where('key', '=', 'position.open')
    .executeTakeFirst()
  return row ?? null
}

/** What was raised on these lines between two times. */
export async function eventsAround(
  { general }: Database,
  lineIds: readonly number[],
  from: number,
  to: number,
): Promise<readonly EventRow[]> {
  if (lineIds.length === 0) return []
  return general
    .selectFrom('event_occurrence')
    .selectAll()
    .where('line_id', 'in', [...lineIds])
    .where('raised_at', '>=', new Date(from))
    .where('raised_at', '<=', new Date(to))
    .orderBy('raised_at')
    .limit(200)
    .execute()
}

/**
 * The command that opened the line then: sent in the half minute before, and done, and the line was not closed in between. What came first
 * is told by the server's own clock: the equipment's may be off by more than lies between the two.
 */
export async function commandThatOpened(
  { general }: Database,
  { event_id, line_id, raised_at, stored_at }: EventRow,
): Promise<StoredCommand | null> {
  const at = raised_at.getTime()
  const row = await general
    .selectFrom('command')
    .selectAll()
    .where('line_id', '=', line_id)
    .where('action', 'in', ['trip', 'selfTest'])
    .where('state', '=', 'verified')
    .where('sent_at', '<=', new Date(at + 5_000))
    .where('sent_at', '>=', new Date(at - 30_000))
    .where('sent_at', '<=', stored_at)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('event')
            .select('event.event_id')
            .whereRef('event.line_id', '=', 'command.line_id')
            .where('event.key', '=', 'position.closed')
            .where('event.event_id', '<', event_id)
            .whereRef('event.stored_at', '>', 'command.sent_at'),
        ),
      ),
    )
    .orderBy('issued_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? commandOf(row) : null
}

/** A trip for a cause that a person must explain. */
export interface StoredTrip {
  readonly cause: string
  readonly explained: string | null
  readonly explainedAt: number | null
  /** The line waits for its explanation: it is the newest trip of the line, and nobody has explained it. */
  readonly waits: boolean
}

/**
 * The trip that opened the line then; null when there was none. Its cause may be reported so many milliseconds before the opening, or after it
 * while the line stays open; of openings that followed each other quickly it belongs to the nearest.
 */
export async function tripOf(
  { general }: Database,
  { lineId, eventId, at }: { readonly lineId: number; readonly eventId: string; readonly at: number },
  before: number,
  after: number,
): Promise<StoredTrip | null> {
  const ms = (span: number) => sql`${span}::int * interval '1 millisecond'`
  const { rows } = await sql<{ cause: string; explained: string | null; explained_at: Date | null; waits: boolean }>`
    with moved as (
      select event_id, key, raised_at as at from event where line_id = ${lineId} and key in ('position.open', 'position.closed')
    )
    select cause, explained, explained_at, trip_no = trip_latches and trip_latched is not null as waits
    from trip join line using (line_id)
    where line_id = ${lineId} and trip.at >= ${new Date(at - before)}
      and trip.at <= coalesce((select min(at) from moved where key = 'position.open' and at > ${new Date(at)}), 'infinity')
      and ${eventId}::bigint = (
        select event_id from moved opening
        where key = 'position.open' and at <= trip.at + ${ms(before)} and (at >= trip.at - ${ms(after)}
          or not exists (select from moved where key = 'position.closed' and moved.at between opening.at and trip.at))
        order by abs(extract(epoch from at - trip.at)), event_id desc limit 1)
    order by trip_no desc limit 1`.execute(general)
  const [row] = rows
  return row
    ? { cause: row.cause, explained: row.explained, explainedAt: row.explained_at?.getTime() ?? null, waits: row.waits }
    : null
}

/**
 * Stores why a line tripped, with the audit entry of it, and frees the line of that trip. Answers why not, and nothing is stored, when the
 * line was locked out by another trip since the one that was explained, or none is left to explain: no trip loses the words said about it.
 */
export async function saveTripCause(
  { control }: Database,
  { lineId, tripSequence, cause }: { readonly lineId: number; readonly tripSequence: number; readonly cause: string },
  now: number,
  audit: AuditEntry,
): Promise<'tripped meanwhile' | 'no trip to explain' | null> {
  return control.transaction().execute(async (trx) => {
    const line = await trx
      .selectFrom('line')
      .select(['trip_latched', 'trip_latches'])
      .where('line_id', '=', lineId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (line?.trip_latches !== tripSequence) return 'tripped meanwhile'
    if (line.trip_latched === null) return 'no trip to explain'
    await trx.updateTable('line').set({ trip_latched: null }).where('line_id', '=', lineId).execute()
    // A trip of before trips were kept has no row of its own yet.
    const explained = { explained: cause, explained_at: new Date(now) }
    await trx
      .insertInto('trip')
      .values({ line_id: lineId, trip_no: tripSequence, cause: line.trip_latched, at: new Date(now), ...explained })
      .onConflict((oc) => oc.columns(['line_id', 'trip_no']).doUpdateSet(explained))
      .execute()
    await appendAudit(trx, audit)
    return null
  })
}

/** The direct upstream line of each of these, where one is registered. */
export async function upstreamLines({ general }: Database, lineIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (lineIds.length === 0) return new Map()
  const rows = await general
    .selectFrom('line')
    .select(['line_id', 'fed_by'])
    .where('line_id', 'in', [...lineIds])
    .where('fed_by', 'is not', null)
    .execute()
  return new Map(rows.flatMap(({ line_id, fed_by }) => (fed_by === null ? [] : [[line_id, fed_by] as const])))
}

interface UpstreamLineChange {
  readonly upstreamId: number | null
  readonly was: number | null
  /** Checked before it is changed, in that transaction: throws what refuses it. Null: of a simulator, nobody's own. */
  readonly check: ((trx: Kysely<Schema>) => Promise<void>) | null
  /** From when on it was so already, Unix ms; null: from now on. */
  readonly since?: number | null
}

/** False when its upstream line is no longer `was`. */
export async function saveUpstreamLine(
  { general }: Database,
  lineId: number,
  { upstreamId, was, check, since = null }: UpstreamLineChange,
  audit: AuditEntry,
): Promise<boolean> {
  return general.transaction().execute(async (trx) => {
    await check?.(trx)
    const { numUpdatedRows } = await trx
      .updateTable('line')
      .set({ fed_by: upstreamId })
      .where('line_id', '=', lineId)
      .where('fed_by', 'is not distinct from', was)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    if (since !== null) await feedSince(trx, lineId, upstreamId, since)
    await appendAudit(trx, audit)
    return true
  })
}
