import type { AuditAction } from '@linewarden/contract'
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { NameInLog } from './user.ts'

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

const ownNames = ({ names, accountId }: SeenByAccount) => names.filter((each) => each.accountId === accountId)
const projectNames = ({ projectIds }: SeenByAccount) => projectIds.map((id) => `project ${id}`)
const groupNames = ({ groupIds }: SeenByAccount) => groupIds.map((id) => `group ${id}`)
const gatewaysOf = ({ projectIds, gatewayIds }: SeenByAccount) => sql`select gateway_id from gateway
  where project_id = any(${[...projectIds]}::int[]) or gateway_id = any(${[...gatewayIds]}::int[])`

/**
 * Entries of the account itself and about what it sees. A name that was free again and given to somebody else is told apart by when the
 * account was made; what was refused before it reached its target names things unchecked, so that is its author's only.
 */
export function concerns(seen: SeenByAccount): RawBuilder<boolean> {
  const kind = sql`split_part(action, '.', 1)`
  const one = (kinds: readonly string[]) => sql`position('.' in action) > 0 and ${kind} = any(${kinds}::text[])`
  const gateways = gatewaysOf(seen)
  // Compared with constants: under row-level security an index on `lower(user_name)` is not used.
  const isOf = (column: 'actor' | 'target', of: readonly NameInLog[]) => {
    const called = sql`${of.map(({ name }) => name)}::text[]`
    const since = sql`${of.map((each) => each.since)}::timestamptz[]`
    const name = sql`lower(${sql.ref(column)})`
    return sql`(${name} = any(${called}) and at >= (${since})[array_position(${called}, ${name})])`
  }
  return sql<boolean>`(
    ${isOf('actor', ownNames(seen))}
    or (${kind} = any(${ofAccounts}::text[]) and ${isOf('target', seen.names)})
    or (${one(['project'])} and target = any(${projectNames(seen)}::text[]))
    or (${one(['group'])} and target = any(${groupNames(seen)}::text[]))
    or (${one(ofGateways)} and target in (select number from gateway where gateway_id in (${gateways})))
    or (${one(ofEquipment)} and split_part(target, '/', 1) in (select controller_id from device where gateway_id in (${gateways}))))`
}

/**
 * Every entry that `concerns` could hold for, and more, so that the database finds them by the indexes on `actor_key` and `about` and judges
 * only these. The keys are folded by the database as these columns are: whoever changes the one changes the other.
 */
export function mayConcern(seen: SeenByAccount): RawBuilder<boolean> {
  const gateways = gatewaysOf(seen)
  const called = [...seen.names.map(({ name }) => name), ...projectNames(seen), ...groupNames(seen)]
  return sql<boolean>`(actor_key = any(${ownNames(seen).map(({ name }) => name)}::text[]) or about = any(array(
    select lower(split_part(key, '/', 1)) from (
      select unnest(${called}::text[])
      union all select number from gateway where gateway_id in (${gateways})
      union all select controller_id from device where gateway_id in (${gateways})) called (key))))`
}
