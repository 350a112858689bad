import { openOrderStatuses } from '@linewarden/rules/workorder'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'
import { samePlace } from '../hazard/hazard.ts'

/** The open order of a hazard; null: it has none. */
export async function openOrderOf(trx: Kysely<Schema>, hazardId: number): Promise<number | null> {
  const row = await trx
    .selectFrom('work_order')
    .select('order_id')
    .where('hazard_id', '=', hazardId)
    .where('status', 'in', openOrderStatuses)
    .executeTakeFirst()
  return row?.order_id ?? null
}

/**
 * The number of an open order of the same place and key, other than this one; null: there is none. Once its own hazard is gone, what is raised
 * again there is another hazard.
 */
export async function otherOpenOrder(
  trx: Kysely<Schema>,
  { order_id, hazard_id }: { readonly order_id: number; readonly hazard_id: number | null },
): Promise<string | null> {
  if (hazard_id === null) return null
  const { rows } = await sql<{ number: string }>`
    select work_order.number from hazard own
      join hazard other on ${samePlace} and (other.state <> 'gone' or other.hazard_id = own.hazard_id)
      join work_order on work_order.hazard_id = other.hazard_id
    where own.hazard_id = ${hazard_id} and order_id <> ${order_id} and status = any(${[...openOrderStatuses]}::text[])
    order by order_id limit 1`.execute(trx)
  return rows[0]?.number ?? null
}

/** An alarm joins an order. */
export const linkEvent = (trx: Kysely<Schema>, orderId: number, eventId: string) =>
  trx
    .insertInto('work_order_event')
    .values({ order_id: orderId, event_id: eventId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Every alarm and finding that showed a hazard joins its order, as far as it is kept. */
export const linkSources = (trx: Kysely<Schema>, orderId: number, hazardId: number) =>
  sql`insert into work_order_event (order_id, event_id)
    select ${orderId}, event_id from hazard_source join event on event.event_id =
      case when source in ('alarm', 'finding') then source_id::bigint end
    where hazard_id = ${hazardId}
    on conflict do nothing`.execute(trx)

/** What showed a hazard anew is seen to by the order that is open, too. */
export async function joinOpenOrder(trx: Kysely<Schema>, hazardId: number, eventId: string): Promise<void> {
  const orderId = await openOrderOf(trx, hazardId)
  if (orderId !== null) await linkEvent(trx, orderId, eventId)
}
