import type { AuditAction } from '@linewarden/contract'
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Database } from './database.ts'
import type { Order, SortOf } from './in-order.ts'
import { coded, inOrder } from './in-order.ts'
import type { Owner } from './tree.ts'
import { holds } from './tree.ts'
import type { NameInLog } from './user.ts'

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

/** What somebody below the administrator sees of a tree. */
export interface SeenByAccount {
  readonly accountId: string
  /** This account and those that see no more than it does. */
  readonly names: readonly NameInLog[]
  /** Whole ones. */
  readonly projectIds: readonly number[]
  /** Single gateways of other projects. */
  readonly gatewayIds: readonly number[]
  readonly groupIds: readonly number[]
}

type Topic<A> = A extends `${infer T}.${string}` ? T : A
type Topics = readonly Topic<AuditAction>[]

/** Actions that name an account, a gateway by its number, or equipment by controller and line. Whatever is not here is nobody's but the owner's. */
const ofAccounts: Topics = ['account', 'login', 'logout', 'session']
const ofGateways: Topics = ['gateway', 'firmware', 'inspection']
const ofEquipment: Topics = ['line', 'device', 'trip', 'tag', 'token', 'selfTest', 'reclosure', 'setting', 'inspection']

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
  if (filter.about) query = query.where(concerns(filter.about))
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

/**
 * Entries of the account itself and about what it sees. A name that was free again and given to somebody else is told apart by when the
 * account was made; what was refused before it reached its target names things unchecked, so that is its author's only.
 */
function concerns({ accountId, names, projectIds, gatewayIds, groupIds }: SeenByAccount): RawBuilder<boolean> {
  const kind = sql`split_part(action, '.', 1)`
  const one = (kinds: readonly string[]) => sql`position('.' in action) > 0 and ${kind} = any(${kinds}::text[])`
  const gateways = sql`select gateway_id from gateway
    where project_id = any(${[...projectIds]}::int[]) or gateway_id = any(${[...gatewayIds]}::int[])`
  // Compared with constants: under row-level security an index on `lower(user_name)` is not used.
  const isOf = (column: 'actor' | 'target', of: readonly NameInLog[]) => {
    const called = sql`${of.map(({ name }) => name)}::text[]`
    const since = sql`${of.map((each) => each.since)}::timestamptz[]`
    return sql`(lower(${sql.ref(column)}) = any(${called})
      and at >= (select since from unnest(${called}, ${since}) known (name, since) where known.name = lower(${sql.ref(column)})))`
  }
  return sql<boolean>`(
    ${isOf(
      'actor',
      names.filter((each) => each.accountId === accountId),
    )}
    or (${kind} = any(${ofAccounts}::text[]) and ${isOf('target', names)})
    or (${one(['project'])} and target = any(${projectIds.map((id) => `project ${id}`)}::text[]))
    or (${one(['group'])} and target = any(${groupIds.map((id) => `group ${id}`)}::text[]))
    or (${one(ofGateways)} and target in (select number from gateway where gateway_id in (${gateways})))
    or (${one(ofEquipment)} and split_part(target, '/', 1) in (select controller_id from device where gateway_id in (${gateways}))))`
}
