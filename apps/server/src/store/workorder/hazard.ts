import type { Priority } from '@linewarden/equipment'
import type { HazardSource, HazardState } from '@linewarden/rules/workorder'
import { openOrderStatuses } from '@linewarden/rules/workorder'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'

export interface HazardSeen {
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
export async function openHazard(trx: Kysely<Schema>, seen: HazardSeen): Promise<number> {
  const at = new Date(seen.at)
  const { rows } = await sql<{ hazard_id: number }>`
    insert into hazard (project_id, gateway_id, device_id, line_id, key, label_zh, label_en, level, source, state, first_seen, last_seen)
    values (${seen.projectId}, ${seen.gatewayId}, ${seen.deviceId}, ${seen.lineId}, ${seen.key}, ${seen.label.zh}, ${seen.label.en},
      ${seen.level}, ${seen.source}, 'open', ${at}, ${at})
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

export const lockHazard = (trx: Kysely<Schema>, hazardId: number) =>
  trx.selectFrom('hazard').select('hazard_id').where('hazard_id', '=', hazardId).forNoKeyUpdate().execute()

export const setHazardState = (trx: Kysely<Schema>, hazardId: number, state: HazardState) =>
  trx.updateTable('hazard').set({ state }).where('hazard_id', '=', hazardId).execute()
