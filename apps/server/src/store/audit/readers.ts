import type { SubjectKind } from '@linewarden/contract'
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { NameInLog } from '../people/user.ts'

/** What somebody below the administrator sees of a tenant. */
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

/**
 * Entries of the account itself and about what it sees: at its gateways, and about its whole projects, its groups and its people. What a
 * refused request named, and what else there is in a log, is the administrator's. A name that was free again and given to somebody else is
 * told apart by when the account was made.
 *
 * The keys are asked for first and stand in the query as they are: PostgreSQL then knows how many entries to expect, finds few of them by
 * its indexes, and judges many by one look into a table of the keys.
 */
export async function concerns(database: Database, seen: SeenByAccount): Promise<RawBuilder<boolean>> {
  const own = seen.names.find(({ accountId }) => accountId === seen.accountId)
  // In the order of the "C" collation, for `width_bucket`.
  const people = seen.names.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
  const accounts = people.map(({ name }) => name)
  const since = people.map((each) => each.since)
  const newest = new Date(Math.max(0, ...since.map(Number)))
  const isOwn = own ? sql`actor_key = ${own.name} and at >= ${own.since}` : sql`false`
  const among = (kind: SubjectKind, ids: readonly (string | number)[]) =>
    sql`not claimed and subject_kind = ${sql.lit(kind)} and subject_id = any(${ids.map(String)}::text[])`
  // Most entries are younger than every account or about none; of the others the account is found by halving.
  const sinceThen = sql`at >= ${newest}
    or at >= (${since}::timestamptz[])[width_bucket(subject_id collate "C", ${accounts}::text[])]`
  return sql<boolean>`((${isOwn}) or gateway_id = any(${await gatewayIdsOf(database, seen)}::int[])
    or (${among('project', seen.projectIds)}) or (${among('group', seen.groupIds)})
    or (${among('account', accounts)} and (${sinceThen})))`
}

/** Also removed ones: these keep their project, and what is written of them is still read. */
async function gatewayIdsOf({ general }: Database, { projectIds, gatewayIds }: SeenByAccount): Promise<number[]> {
  const rows = await general
    .selectFrom('gateway')
    .select('gateway_id')
    .where(sql<boolean>`(project_id = any(${[...projectIds]}::int[]) or gateway_id = any(${[...gatewayIds]}::int[]))`)
    .execute()
  return rows.map((row) => row.gateway_id)
}
