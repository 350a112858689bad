import { sql } from 'kysely'
import type { Database } from './database.ts'

/** The access scope of an account, as row-level security applies it. */
export interface AccessScope {
  /** Whoever runs the installation. */
  readonly all: boolean
  readonly projectIds: readonly number[]
  /** Single gateways of other projects. */
  readonly gatewayIds: readonly number[]
  /** Whose tenant: a project administrator's, or null, the installation's own. */
  readonly tenant: string | null
  /** Sees the whole tree: its people, roles, groups and log. */
  readonly administrator: boolean
  /** Who it is, where that may see something of the tenant; null: a shared account, which sees equipment and nobody. */
  readonly accountId: string | null
}

const secured = new WeakMap<Database, Promise<boolean>>()

/** Whether this database has row-level security: the role of migration 0005, which we may take. */
function hasRowSecurity(database: Database): Promise<boolean> {
  const found = secured.get(database)
  if (found) return found
  const asked = sql<{ may: boolean }>`
    select exists (select from pg_roles where rolname = 'linewarden_seen' and pg_has_role(current_user, oid, 'member')) as may`
    .execute(database.general)
    .then(({ rows }) => rows[0]?.may === true)
  secured.set(database, asked)
  asked.catch(() => secured.delete(database))
  return asked
}

/**
 * Reads as somebody: PostgreSQL itself leaves out the rows they may not see, also where the query forgot to. `read` can only read, and only
 * the tables that have such a rule. Of these lines it reads the readings, as far as they are seen.
 */
export async function withRowSecurity<T>(
  database: Database,
  scope: AccessScope,
  read: (database: Database) => Promise<T>,
  lineIds: readonly number[] = [],
): Promise<T> {
  if (!(await hasRowSecurity(database))) return read(database)
  return database.general.transaction().execute(async (trx) => {
    await sql`select set_config('linewarden.all', ${scope.all ? 'on' : 'off'}, true),
      set_config('linewarden.projects', ${scope.projectIds.join(',')}, true),
      set_config('linewarden.gateways', ${scope.gatewayIds.join(',')}, true),
      set_config('linewarden.has_tree', 'on', true),
      set_config('linewarden.tree', ${scope.tenant ?? ''}, true),
      set_config('linewarden.whole_tree', ${scope.administrator ? 'on' : 'off'}, true),
      set_config('linewarden.account', ${scope.accountId ?? ''}, true),
      set_config('role', 'linewarden_seen', true)`.execute(trx)
    // Asked under the rules, so that a line that is not seen falls out; each row of readings is then judged by its number alone.
    if (lineIds.length > 0)
      await sql`select set_config('linewarden.lines', coalesce(string_agg(line_id::text, ','), ''), true)
        from line where line_id = any(${[...lineIds]}::int[])`.execute(trx)
    return read({ ...database, general: trx })
  })
}

/** How readings are asked for: each question by itself, so that several may be under way and none waits for a slow reader. */
export type ReadLines = <T>(read: (database: Database) => Promise<T>) => Promise<T>

/** Reads the readings of these lines as somebody. Whoever runs the installation sees all, and is spared the way round. */
export const linesSeenBy =
  (database: Database, scope: AccessScope, lineIds: readonly number[]): ReadLines =>
  (read) =>
    scope.all ? read(database) : withRowSecurity(database, scope, read, lineIds)
