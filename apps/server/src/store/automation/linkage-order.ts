import { minuteMs } from '@linewarden/equipment'
import { openOrderStatuses } from '@linewarden/rules/workorder'
import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import { cutText, storableJson, storableText } from '../../lib/storable-text.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { StoredAction, StoredLinkage } from './linkage.ts'

type Trx = Kysely<Schema>

/** An order that a firing asks for. */
export type LinkageOrderRow = Selectable<Schema['linkage_order']>

/** Notes the orders that a firing asks for, as part of its transaction: they are made when it is over. */
export async function noteOrders(
  trx: Trx,
  linkage: StoredLinkage,
  actions: readonly Pick<StoredAction, 'lineId' | 'order'>[],
  executionId: string,
  at: number,
): Promise<void> {
  const rows = actions.flatMap(({ lineId, order }) =>
    lineId === null || order === null
      ? []
      : [
          {
            ...{ run_id: executionId, line_id: lineId, linkage_id: linkage.linkageId, project_id: linkage.projectId },
            ...{ name: linkage.name, owner_id: linkage.ownerId, wanted: storableJson(order), at: new Date(at) },
          },
        ],
  )
  if (rows.length === 0) return
  await trx
    .insertInto('linkage_order')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** What failed is tried again after so long. */
const againMs = minuteMs

/** What waits to be made, the oldest first; what failed stands behind all others; docs/adr/0152. */
export const waitingOrders = (
  db: Trx,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<readonly LinkageOrderRow[]> =>
  db
    .selectFrom('linkage_order')
    .selectAll()
    .where('outcome', 'is', null)
    .where(sql<boolean>`coalesce(next_try_at, '-infinity') <= ${new Date(now)}`)
    .orderBy(sql`next_try_at nulls first`)
    .orderBy('at')
    .orderBy('run_id')
    .orderBy('line_id')
    .limit(limit)
    .execute()

/** One could not be made: it says why, and lets the others go first. Answers whether that is news; false, too, where another has decided it. */
export async function orderFailed(
  db: Trx,
  { run_id, line_id }: LinkageOrderRow,
  { error, now }: { readonly error: unknown; readonly now: number },
): Promise<boolean> {
  const why = storableText(cutText(error instanceof Error ? error.message : String(error), 500))
  const { rows } = await sql<{ is_new: boolean }>`
    with before as (
      select run_id, line_id, failed from linkage_order where run_id = ${run_id} and line_id = ${line_id} and outcome is null for update
    )
    update linkage_order set failed = ${why}, next_try_at = ${new Date(now + againMs)} from before
    where linkage_order.run_id = before.run_id and linkage_order.line_id = before.line_id
    returning before.failed is distinct from ${why} as is_new`.execute(db)
  return rows[0]?.is_new === true
}

/** What became of one. */
export type LinkageOrdered =
  | { readonly outcome: 'made' | 'joined'; readonly orderId: number }
  | { readonly outcome: 'refused'; readonly why: 'owner' | 'gone' }

/**
 * Decides what becomes of one that waits: one of a linkage and line after the other, on whichever server. `open`: the order of a firing before that
 * is still open; null: there is none. False: another has decided, or is about to.
 */
export function decideOrder(
  { general }: Database,
  { run_id, line_id, linkage_id }: LinkageOrderRow,
  decide: (trx: Trx, open: number | null) => Promise<LinkageOrdered>,
): Promise<LinkageOrdered | false> {
  return general.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('orders of a linkage'), ${linkage_id})`.execute(trx)
    const waiting = await trx
      .selectFrom('linkage_order')
      .select('run_id')
      .where('run_id', '=', run_id)
      .where('line_id', '=', line_id)
      .where('outcome', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!waiting) return false
    const before = await trx
      .selectFrom('linkage_order')
      .innerJoin('work_order', 'work_order.order_id', 'linkage_order.order_id')
      .select('work_order.order_id')
      .where('linkage_order.linkage_id', '=', linkage_id)
      .where('linkage_order.line_id', '=', line_id)
      .where('work_order.status', 'in', openOrderStatuses)
      .orderBy('work_order.order_id', 'desc')
      .limit(1)
      .executeTakeFirst()
    const ordered = await decide(trx, before?.order_id ?? null)
    await trx
      .updateTable('linkage_order')
      .set({
        outcome: ordered.outcome,
        order_id: ordered.outcome === 'refused' ? null : ordered.orderId,
        why: ordered.outcome === 'refused' ? ordered.why : null,
        failed: null,
        next_try_at: null,
      })
      .where('run_id', '=', run_id)
      .where('line_id', '=', line_id)
      .execute()
    return ordered
  })
}

export interface OrderOfRun extends LinkageOrderRow {
  readonly number: string | null
  readonly gateway_id: number | null
}

/** What runs asked for. */
export async function ordersOfRuns(db: Trx, runIds: readonly string[]): Promise<readonly OrderOfRun[]> {
  if (runIds.length === 0) return []
  return db
    .selectFrom('linkage_order')
    .leftJoin('work_order', 'work_order.order_id', 'linkage_order.order_id')
    .selectAll('linkage_order')
    .select(['work_order.number', 'work_order.gateway_id'])
    .where(sql<boolean>`run_id = any(${[...runIds]}::uuid[])`)
    .orderBy('linkage_order.line_id')
    .execute()
}
