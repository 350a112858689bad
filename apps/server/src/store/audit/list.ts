import type { AuditSubject } from '@linewarden/contract'
import type { SelectQueryBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Order, SortOf } from '../core/in-order.ts'
import { coded, inOrder } from '../core/in-order.ts'
import type { Schema } from '../core/schema.ts'
import type { Owner } from '../core/tenant.ts'
import { containsText } from '../core/tenant.ts'
import type { SeenByAccount } from './readers.ts'
import { concerns } from './readers.ts'

export interface JournalFilter {
  /** Whose people; everybody when undefined. */
  readonly tenant: Owner
  /** Whose own, and about what; null: everything of the tenant. */
  readonly about: SeenByAccount | null
  readonly actor: string | undefined
  /** A key, or its first part. */
  readonly action: string | undefined
  /** Part of what is written there. */
  readonly target: string | undefined
  /** What is called so now: entries about it are found too. */
  readonly called?: readonly AuditSubject[]
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

type Query = SelectQueryBuilder<Schema, 'audit', object>

/** How many of the newest entries a search looks through before it looks through all. */
const newest = 2_000

/** A page of the audit log, newest first. */
export async function listJournal(database: Database, filter: JournalFilter) {
  const seen = await seenEntries(database, filter)
  const found = searched(seen, filter)
  const ordered = (query: Query) => inOrder(query, filter.sort, order, (own) => own.orderBy('audit_id', 'desc'))
  const rowsOf = (query: Query) =>
    ordered(query)
      .select(['audit_id', 'at', 'actor', 'address', 'action', 'target', 'subject_kind', 'subject_id', 'outcome'])
      .select([sql<string | null>`before::text`.as('before'), sql<string | null>`after::text`.as('after')])
      .limit(filter.size)
  const before = (filter.page - 1) * filter.size
  const count = async () => (await found.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()).total

  if (found === seen) return { rows: await rowsOf(found).offset(before).execute(), total: await count() }

  // A search that finds much has its page among the newest. To look for the page of one that finds little, and then to count, would be to
  // look through all twice, so that is one pass.
  if (filter.sort === undefined && before + filter.size <= newest) {
    const recent = seen.selectAll().orderBy('audit_id', 'desc').limit(newest).as('audit')
    const rows = await rowsOf(searched(database.general.selectFrom(recent), filter))
      .offset(before)
      .execute()
    if (rows.length === filter.size) return { rows, total: await count() }
  }
  // Of the first pages all of it, so that the count comes along behind the last one too.
  const from = before <= newest ? 0 : before
  const upToPage = await ordered(found)
    .select(['audit_id', sql<number>`(count(*) over ())::int`.as('total')])
    .limit(before - from + filter.size)
    .offset(from)
    .execute()
  const ids = upToPage.slice(before - from).map((row) => row.audit_id)
  const rows = ids.length === 0 ? [] : await rowsOf(seen.where('audit_id', 'in', ids)).execute()
  return { rows, total: upToPage[0]?.total ?? (from === 0 ? 0 : await count()) }
}

/** What may be read at all. */
async function seenEntries(database: Database, { tenant, about }: JournalFilter): Promise<Query> {
  let query: Query = database.general.selectFrom('audit')
  // Not `is not distinct from`: that knows no index.
  if (tenant !== undefined)
    query = query.where(tenant === null ? sql<boolean>`tree is null` : sql<boolean>`tree = ${tenant}::uuid`)
  if (about) query = query.where(await concerns(database, about))
  return query
}

/** What of it was asked for; the query itself when all was. */
function searched(query: Query, { actor, action, target, called = [], outcome, from, to }: JournalFilter): Query {
  let found = query
  // `containsText`, of the column that stands there in lower case already.
  if (actor) found = found.where(sql<boolean>`strpos(actor_key, lower(${actor.trim()})) > 0`)
  // Not `= any`: the planner would compare each of them, which may be thousands, with every frequent target that it knows.
  if (target)
    found = found.where(({ or }) =>
      or([
        containsText('target', target),
        sql<boolean>`(subject_kind, subject_id) in (select * from unnest(${called.map((each) => each.kind)}::text[], ${called.map((each) => each.id)}::text[]))`,
      ]),
    )
  if (action) found = found.where(sql<boolean>`(action = ${action} or starts_with(action, ${`${action}.`}))`)
  if (outcome) found = found.where('outcome', '=', outcome)
  if (from !== undefined) found = found.where('at', '>=', new Date(from))
  if (to !== undefined) found = found.where('at', '<', new Date(to))
  return found
}
