import type { Priority } from '@linewarden/equipment'
import type { HazardSource, HazardState } from '@linewarden/rules/workorder'
import { openOrderStatuses } from '@linewarden/rules/workorder'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'

export interface ObservedHazard {
  readonly projectId: number
  readonly gatewayId: number
  readonly deviceId: number | null
  readonly lineId: number | null
  readonly key: string
  readonly label: { readonly zh: string; readonly en: string }
  readonly level: Priority
  readonly source: HazardSource
  /** Unix ms. */
  readonly at: number
}

/** The open hazard of a place and key, made where there is none; nobody else makes or changes it until the transaction ends. */
export async function openHazard(trx: Kysely<Schema>, observed: ObservedHazard): Promise<number> {
  const at = new Date(observed.at)
  const { rows } = await sql<{ hazard_id: number }>`
    insert into hazard (project_id, gateway_id, device_id, line_id, key, label_zh, label_en, level, source, state, first_seen, last_seen)
    values (${observed.projectId}, ${observed.gatewayId}, ${observed.deviceId}, ${observed.lineId}, ${observed.key}, ${observed.label.zh}, ${observed.label.en},
      ${observed.level}, ${observed.source}, 'open', ${at}, ${at})
    on conflict (gateway_id, coalesce(device_id, 0), coalesce(line_id, 0), key) where state <> 'gone'
      do update set last_seen = greatest(hazard.last_seen, excluded.last_seen)
    returning hazard_id`.execute(trx)
  const [row] = rows
  if (!row) throw new Error('a hazard was neither there nor made')
  return row.hazard_id
}

/** Its open order; null: it has none. */
export async function openOrderOf(trx: Kysely<Schema>, hazardId: number): Promise<number | null> {
  const row = await trx
    .selectFrom('work_order')
    .select('order_id')
    .where('hazard_id', '=', hazardId)
    .where('status', 'in', openOrderStatuses)
    .executeTakeFirst()
  return row?.order_id ?? null
}

const samePlace = sql`other.gateway_id = own.gateway_id and other.key = own.key
  and coalesce(other.device_id, 0) = coalesce(own.device_id, 0) and coalesce(other.line_id, 0) = coalesce(own.line_id, 0)`

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

/** An alarm joins an order; of one that its hazard has not known it counts up. */
export async function linkEvent(trx: Kysely<Schema>, orderId: number, hazardId: number | null, eventId: string): Promise<void> {
  if (hazardId !== null)
    await sql`update hazard set count = count + 1 where hazard_id = ${hazardId} and not exists (
      select from work_order_event join work_order using (order_id)
      where work_order.hazard_id = ${hazardId} and event_id = ${eventId})`.execute(trx)
  await trx
    .insertInto('work_order_event')
    .values({ order_id: orderId, event_id: eventId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Locks the hazard that an order is about now, and answers it: what showed itself anew at the place of one that is gone is the same to it. */
export async function lockHazard(trx: Kysely<Schema>, hazardId: number): Promise<number> {
  const { rows } = await sql<{ hazard_id: number }>`
    select other.hazard_id from hazard own
      join hazard other on ${samePlace} and (other.state <> 'gone' or other.hazard_id = own.hazard_id)
    where own.hazard_id = ${hazardId} order by other.state = 'gone' limit 1 for no key update of other`.execute(trx)
  return rows[0]?.hazard_id ?? hazardId
}

export const setHazardState = (trx: Kysely<Schema>, hazardId: number, state: HazardState) =>
  trx.updateTable('hazard').set({ state }).where('hazard_id', '=', hazardId).execute()
