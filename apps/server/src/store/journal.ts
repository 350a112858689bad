import { sql } from 'kysely'
import type { SeenByAccount } from './concerns.ts'
import { concerns, mayConcern } from './concerns.ts'
import type { Database } from './database.ts'
import type { Order, SortOf } from './in-order.ts'
import { coded, inOrder } from './in-order.ts'
import type { Owner } from './tree.ts'
import { holds } from './tree.ts'

export interface JournalFilter {
  /** Whose people; everybody when undefined. */
  readonly tree: Owner
  /** Whose own, and about what; null: everything of the tree. */
  readonly about: SeenByAccount | null
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
  if (filter.about) query = query.where(mayConcern(filter.about)).where(concerns(filter.about))
  if (filter.action) query = query.where(sql<boolean>`(action = ${filter.action} or starts_with(action, ${`${filter.action}.`}))`)
  if (filter.outcome) query = query.where('outcome', '=', filter.outcome)
  if (filter.from !== undefined) query = query.where('at', '>=', new Date(filter.from))
  if (filter.to !== undefined) query = query.where('at', '<', new Date(filter.to))
  const found = query
    .select(['audit_id', 'at', 'actor', 'address', 'action', 'target', 'outcome'])
    .select([sql<string | null>`before::text`.as('before'), sql<string | null>`after::text`.as('after')])
  const ordered = inOrder(found, filter.sort, order, (own) => own.orderBy('audit_id', 'desc'))
    .limit(filter.size)
    .offset((filter.page - 1) * filter.size)
  const counted = query.select(sql<number>`count(*)::int`.as('total'))
  // Below the administrator an entry is costly to judge, so each is judged once; whoever reads all of a tree reads a page by its index.
  if (filter.about) {
    const rows = await ordered.select(sql<number>`(count(*) over ())::int`.as('total')).execute()
    if (rows[0]) return { rows, total: rows[0].total }
    return { rows, total: filter.page === 1 ? 0 : (await counted.executeTakeFirstOrThrow()).total }
  }
  const rows = await ordered.execute()
  return { rows, total: (await counted.executeTakeFirstOrThrow()).total }
}
