import { sql } from 'kysely'
import type { Database } from './database.ts'
import type { Order, SortOf } from './in-order.ts'
import { coded, inOrder } from './in-order.ts'
import type { Owner } from './tree.ts'
import { holds } from './tree.ts'

export interface JournalFilter {
  /** Whose people; everybody when undefined. */
  readonly tree: Owner
  readonly actor: string | undefined
  /** A key, or its first part. */
  readonly action: string | undefined
  readonly target: string | undefined
  readonly outcome: string | undefined
  /** Unix ms. */
  readonly from: number | undefined
  readonly to: number | undefined
  readonly page: number
  readonly size: number
  readonly sort?: SortOf<typeof order> | undefined
}

const order = {
  columns: { At: 'at', Actor: coded('actor'), Action: coded('action') },
  ties: ['audit_id'],
} satisfies Order<string>

/** A page of the audit log, newest first. */
export async function listJournal({ general }: Database, filter: JournalFilter) {
  let query = general.selectFrom('audit').where(holds('actor', filter.actor)).where(holds('target', filter.target))
  // Not `is not distinct from`: that knows no index.
  if (filter.tree !== undefined)
    query = query.where(filter.tree === null ? sql<boolean>`tree is null` : sql<boolean>`tree = ${filter.tree}::uuid`)
  if (filter.action) query = query.where(sql<boolean>`(action = ${filter.action} or starts_with(action, ${`${filter.action}.`}))`)
  if (filter.outcome) query = query.where('outcome', '=', filter.outcome)
  if (filter.from !== undefined) query = query.where('at', '>=', new Date(filter.from))
  if (filter.to !== undefined) query = query.where('at', '<', new Date(filter.to))
  const found = query
    .select(['audit_id', 'at', 'actor', 'address', 'action', 'target', 'outcome'])
    .select([sql<string | null>`before::text`.as('before'), sql<string | null>`after::text`.as('after')])
  const rows = await inOrder(found, filter.sort, order, (own) => own.orderBy('audit_id', 'desc'))
    .limit(filter.size)
    .offset((filter.page - 1) * filter.size)
    .execute()
  const { total } = await query.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}
