import { openOrderStatuses } from '@linewarden/rules/workorder'
import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import { storableJson } from '../../lib/storable-text.ts'
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

/** What waits to be made, the oldest first. */
export const waitingOrders = (db: Trx, limit: number): Promise<readonly LinkageOrderRow[]> =>
  db
    .selectFrom('linkage_order')
    .selectAll()
    .where('outcome', 'is', null)
    .orderBy('at')
    .orderBy('run_id')
    .orderBy('line_id')
    .limit(limit)
    .execute()

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
