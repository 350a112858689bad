import { sql } from 'kysely'
import type { EventRow } from '../alarm/event.ts'
import type { Seen } from '../alarm/event-filter.ts'
import { seesNothing, within } from '../alarm/event-filter.ts'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'

/** Of each order that an account has not opened since it was notified the newest notice, the newest first, and how many orders these are. */
export async function unreadNotices(
  { general }: Pick<Database, 'general'>,
  { accountId, seen, size }: { readonly accountId: string; readonly seen: Seen | null; readonly size: number },
): Promise<{ readonly rows: readonly EventRow[]; readonly total: number }> {
  if (seesNothing(seen)) return { rows: [], total: 0 }
  const newest = general
    .selectFrom('event')
    .selectAll()
    .distinctOn('order_id')
    .where('for_account', '=', accountId)
    .where('acknowledged_at', 'is', null)
    .$if(seen !== null, (own) => (seen ? own.where(within(seen)) : own))
    .orderBy('order_id')
    .orderBy('event_id', 'desc')
  const rows = await general
    .selectFrom(newest.as('notice'))
    .selectAll()
    .select(sql<number>`count(*) over ()::int`.as('total'))
    .orderBy('event_id', 'desc')
    .limit(size)
    .execute()
  return { rows: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 }
}

/** An account has opened an order: whatever it was notified of is seen. Answers these notices. */
export function readNotices(
  { general }: Database,
  {
    accountId,
    name,
    orderId,
    at,
  }: { readonly accountId: string; readonly name: string; readonly orderId: number; readonly at: number },
  audit: AuditEntry,
): Promise<readonly EventRow[]> {
  return general.transaction().execute(async (trx) => {
    const rows = await trx
      .updateTable('event')
      .set({ acknowledged_at: new Date(at), acknowledged_by: name })
      .where('for_account', '=', accountId)
      .where('order_id', '=', orderId)
      .where('acknowledged_at', 'is', null)
      .returningAll()
      .execute()
    if (rows.length > 0) await appendAudit(trx, audit)
    return rows
  })
}
