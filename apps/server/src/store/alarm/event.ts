import { foldAlarm, openAlarmStates } from '@linewarden/rules/alarm'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit, turnAtLog } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'

export type EventRow = Selectable<Schema['event']>

/** Whole projects, and single gateways of others. */
export interface Seen {
  readonly projectIds: readonly number[]
  readonly gatewayIds: readonly number[]
}

export interface EventFilter {
  /** Null: everything. */
  readonly seen: Seen | null
  readonly line: {
    readonly id: number
    /** Also what concerns the whole device, or the whole gateway; null: only the line itself. */
    readonly around: { readonly deviceId: number; readonly gatewayId: number } | null
  } | null
  /** Only alarms that still need somebody. */
  readonly open: boolean
  readonly page: number
  readonly size: number
}

/** A page of events, newest first, and how many there are. */
export async function listEvents({ general }: Database, filter: EventFilter): Promise<{ rows: EventRow[]; total: number }> {
  if (seesNothing(filter.seen)) return { rows: [], total: 0 }
  let query = general.selectFrom('event')
  if (filter.seen) query = query.where(within(filter.seen))
  if (filter.line) {
    const { id, around } = filter.line
    query = query.where((is) =>
      around
        ? is.or([
            is('line_id', '=', id),
            is.and([
              is('line_id', 'is', null),
              is('gateway_id', '=', around.gatewayId),
              is.or([is('device_id', 'is', null), is('device_id', '=', around.deviceId)]),
            ]),
          ])
        : is('line_id', '=', id),
    )
  }
  if (filter.open) query = query.where('state', 'in', openAlarmStates)
  const rows = await query
    .selectAll()
    .orderBy('event_id', 'desc')
    .limit(filter.size)
    .offset((filter.page - 1) * filter.size)
    .execute()
  const { total } = await query.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}

/** Each time something was raised on a line, newest first, and how many times there are. Only those of `key` and of a range, where given. */
export async function occurrencesOnLine(
  { general }: Database,
  asked: {
    readonly seen: Seen | null
    readonly lineId: number
    readonly key: string | null
    /** Unix ms; the end is excluded. */
    readonly from: number | null
    readonly to: number | null
    readonly page: number
    readonly size: number
  },
): Promise<{ rows: EventRow[]; total: number }> {
  if (seesNothing(asked.seen)) return { rows: [], total: 0 }
  let query = general.selectFrom('event_occurrence').where('line_id', '=', asked.lineId)
  if (asked.seen) query = query.where(within(asked.seen))
  if (asked.key !== null) query = query.where('key', '=', asked.key)
  if (asked.from !== null) query = query.where('raised_at', '>=', new Date(asked.from))
  if (asked.to !== null) query = query.where('raised_at', '<', new Date(asked.to))
  const rows = await query
    .selectAll()
    .orderBy('raised_at', 'desc')
    .orderBy('event_id', 'desc')
    .limit(asked.size)
    .offset((asked.page - 1) * asked.size)
    .execute()
  const { total } = await query.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}

/**
 * Events raised after a mark that are worth a pop-up, oldest first. Where there are more, the oldest of them for whoever goes on from there;
 * the newest for whoever asks once.
 */
export async function newEvents(
  { general }: Database,
  after: string,
  seen: Seen | null,
  most: number,
  of: 'oldest' | 'newest',
): Promise<EventRow[]> {
  if (seesNothing(seen)) return []
  let query = general
    .selectFrom('event')
    .selectAll()
    .where('event_id', '>', after)
    .where('kind', '<>', 'journal')
    .where('historical', '=', false)
  if (seen) query = query.where(within(seen))
  if (of === 'oldest') return query.orderBy('event_id').limit(most).execute()
  return (await query.orderBy('event_id', 'desc').limit(most).execute()).reverse()
}

export async function newestEventId({ general }: Database): Promise<string> {
  const row = await general
    .selectFrom('event')
    .select(({ fn }) => fn.max('event_id').as('newest'))
    .executeTakeFirst()
  return row?.newest ?? '0'
}

/** Somebody who sees no equipment sees no event. */
export const seesNothing = (seen: Seen | null): boolean => seen?.projectIds.length === 0 && seen.gatewayIds.length === 0

/** Of what is seen. */
export const within = ({ projectIds, gatewayIds }: Seen) =>
  sql<boolean>`(project_id = any(${[...projectIds]}::int[]) or gateway_id = any(${[...gatewayIds]}::int[]))`

export const eventById = ({ general }: Database, eventId: string): Promise<EventRow | undefined> =>
  general.selectFrom('event').selectAll().where('event_id', '=', eventId).executeTakeFirst()

/** Acknowledges an event; the row after it, or null when there is nothing to acknowledge. Acknowledging twice changes nothing. */
export async function acknowledge(
  database: Database,
  eventId: string,
  audit: AuditEntry,
): Promise<{ row: EventRow; changed: boolean } | null> {
  for (;;) {
    const row = await eventById(database, eventId)
    if (!row?.state) return null
    if (row.acknowledged_at) return { row, changed: false }
    const acknowledged = await acknowledgeFree(database, eventId, audit)
    if (acknowledged) return { row: acknowledged, changed: true }
    // Waits for whoever has the row, with nothing in hand.
    await database.general.selectFrom('event').select('event_id').where('event_id', '=', eventId).forUpdate().execute()
  }
}

/**
 * Null: somebody has the row at this moment, or was faster. The turn at the log comes first: whoever waited for it with the row would keep
 * ingest waiting, which ends alarms. And with the turn nothing is waited for: what removes or moves a gateway has its events' rows before
 * its turn, and would wait for this one in a circle.
 */
function acknowledgeFree({ general }: Database, eventId: string, audit: AuditEntry): Promise<EventRow | null> {
  return general.transaction().execute(async (trx) => {
    await turnAtLog(trx)
    const row = await trx
      .selectFrom('event')
      .selectAll()
      .where('event_id', '=', eventId)
      .where('acknowledged_at', 'is', null)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!row?.state) return null
    const updated = await trx
      .updateTable('event')
      .set({ state: foldAlarm(row.state, 'acknowledge'), acknowledged_at: new Date(audit.at), acknowledged_by: audit.actor })
      .where('event_id', '=', eventId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('event_transition')
      .values({
        event_id: eventId,
        at: new Date(audit.at),
        act: 'acknowledge',
        from_state: row.state,
        to_state: foldAlarm(row.state, 'acknowledge'),
        actor: audit.actor,
      })
      .execute()
    await appendAudit(trx, { ...audit, before: row.state, after: updated.state })
    return updated
  })
}

/** Events of lines, and of their gateways as a whole, raised in a range: the newest of them, oldest first, and how many there are. */
export async function eventsInRange(
  { general }: Database,
  asked: {
    readonly lineIds: readonly number[]
    readonly gatewayIds: readonly number[]
    readonly from: number
    readonly to: number
    readonly most: number
  },
): Promise<{ rows: EventRow[]; total: number }> {
  const inRange = general
    .selectFrom('event_occurrence')
    .where('raised_at', '>=', new Date(asked.from))
    .where('raised_at', '<', new Date(asked.to))
    .where('kind', '<>', 'journal')
    .where((is) =>
      is.or([
        is('line_id', 'in', [...asked.lineIds]),
        is.and([is('line_id', 'is', null), is('gateway_id', 'in', [...asked.gatewayIds])]),
      ]),
    )
  const rows = await inRange.selectAll().orderBy('raised_at', 'desc').orderBy('event_id', 'desc').limit(asked.most).execute()
  if (rows.length < asked.most) return { rows: rows.reverse(), total: rows.length }
  const { total } = await inRange.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  return { rows: rows.reverse(), total: Number(total) }
}
