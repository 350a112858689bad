import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { PersonStep } from './change.ts'
import type { EventRow } from './event.ts'

/** Whether an entry of the shelf is of the same alarm of the same place as an event. */
const samePlace = sql<boolean>`shelf.key = event.key and coalesce(shelf.point, '') = coalesce(event.point, '')
  and coalesce(shelf.line_id, 0) = coalesce(event.line_id, 0) and coalesce(shelf.device_id, 0) = coalesce(event.device_id, 0)
  and coalesce(shelf.gateway_id, 0) = coalesce(event.gateway_id, 0)`

/** How often the alarm of each of these events was shelved on its place since then, by the number of the event; none is left out. */
export async function shelvingsOf(
  { general }: Pick<Database, 'general'>,
  eventIds: readonly string[],
  since: Date,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ event_id: string; times: number }>`
    select event.event_id, count(*)::int as times from event join event_shelf shelf on ${samePlace}
    where event.event_id = any(${[...eventIds]}::bigint[]) and shelf.shelved_at > ${since} and shelf.until > ${since}
    group by event.event_id`.execute(general)
  return new Map(rows.map(({ event_id, times }) => [event_id, times]))
}

/** Notes what was put on the shelf until then, in the transaction that does it. */
export async function putOnShelf(trx: Kysely<Schema>, steps: readonly PersonStep[], until: Date): Promise<void> {
  if (steps.length === 0) return
  await trx
    .insertInto('event_shelf')
    .values(
      steps.map(({ step: { row, at, actor, reason } }) => ({
        event_id: row.event_id,
        gateway_id: row.gateway_id,
        device_id: row.device_id,
        line_id: row.line_id,
        key: row.key,
        point: row.point,
        shelved_at: new Date(at),
        until,
        actor: actor ?? '',
        reason: reason ?? '',
      })),
    )
    .execute()
}

/** Ends what is on the shelf of the places of these events. */
export async function takeOffShelf(trx: Kysely<Schema>, rows: readonly EventRow[], at: Date): Promise<void> {
  await sql`update event_shelf shelf set ended_at = ${at} from event
    where event.event_id = any(${rows.map(({ event_id }) => event_id)}::bigint[]) and ${samePlace}
      and shelf.ended_at is null and shelf.until > ${at}`.execute(trx)
}

/** Events on the shelf at that moment whose alarm is that of one of these, on its place: these among them. */
export async function shelvedWith(
  { general }: Pick<Database, 'general'>,
  eventIds: readonly string[],
  at: Date,
): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select distinct on (shelf.event_id) shelf.* from event join event shelf on ${samePlace}
    where event.event_id = any(${[...eventIds]}::bigint[]) and shelf.shelved_until > ${at}`.execute(general)
  return rows
}
