import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Database } from './core/database.ts'
import type { NameInLog } from './people/user.ts'

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

/**
 * Entries of the account itself and about what it sees, by the `concern` that migration 0022 draws from what was done and to what. A name
 * that was free again and given to somebody else is told apart by when the account was made.
 *
 * The keys are asked for first and stand in the query as they are: PostgreSQL then knows how many entries to expect, finds few of them by
 * its indexes, and judges many by one look into a table of the keys.
 */
export async function concerns(database: Database, seen: SeenByAccount): Promise<RawBuilder<boolean>> {
  const own = seen.names.find(({ accountId }) => accountId === seen.accountId)
  // In the order of the "C" collation, for `width_bucket`.
  const people = seen.names.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
  const accounts = people.map(({ name }) => `account:${name}`)
  const keys = [
    ...accounts,
    ...seen.projectIds.map((id) => `project:project ${id}`),
    ...seen.groupIds.map((id) => `group:group ${id}`),
    ...(await equipmentKeys(database, seen)),
  ]
  const since = people.map((each) => each.since)
  const newest = new Date(Math.max(0, ...since.map(Number)))
  const isOwn = own ? sql`actor_key = ${own.name} and at >= ${own.since}` : sql`false`
  // Most entries are younger than every account or about none; of the others the account is found by halving.
  const sinceThen = sql`at >= ${newest} or concern <> all(${accounts}::text[])
    or at >= (${since}::timestamptz[])[width_bucket(concern collate "C", ${accounts}::text[])]`
  return sql<boolean>`((${isOwn}) or (concern = any(${keys}::text[]) and (${sinceThen})))`
}

/** Gateways and their controllers, also removed ones: these keep their project, and what is written of them is still read. */
async function equipmentKeys({ general }: Database, { projectIds, gatewayIds }: SeenByAccount): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    with place as (select gateway_id, number from gateway
      where project_id = any(${[...projectIds]}::int[]) or gateway_id = any(${[...gatewayIds]}::int[]))
    select kind || number as key from place, unnest(array['gateway:', 'inspection:']) kind
    union all
    select kind || controller_id from place join device using (gateway_id), unnest(array['device:', 'inspection:']) kind`.execute(
    general,
  )
  return rows.map(({ key }) => key)
}
