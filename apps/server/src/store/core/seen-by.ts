import { sql } from 'kysely'
import type { Database } from './database.ts'

/** What somebody sees, as the database is told. */
export interface Sight {
  /** Whoever runs the installation. */
  readonly all: boolean
  readonly projectIds: readonly number[]
  /** Single gateways of other projects. */
  readonly gatewayIds: readonly number[]
  /** Whose tree: a project administrator's, or null, the installation's own. */
  readonly tree: string | null
  /** Sees the whole tree: its people, roles, groups and log. */
  readonly administrator: boolean
  /** Who it is, where that may see something of the tree; null: a shared account, which sees equipment and nobody. */
  readonly accountId: string | null
}

const walls = new WeakMap<Database, Promise<boolean>>()

/** Whether this database has the second wall: the role of migration 0005, which we may take. */
function hasWall(database: Database): Promise<boolean> {
  const found = walls.get(database)
  if (found) return found
  const asked = sql<{ may: boolean }>`
    select exists (select from pg_roles where rolname = 'linewarden_seen' and pg_has_role(current_user, oid, 'member')) as may`
    .execute(database.general)
    .then(({ rows }) => rows[0]?.may === true)
  walls.set(database, asked)
  asked.catch(() => walls.delete(database))
  return asked
}

/**
 * Reads as somebody: PostgreSQL itself leaves out the rows they may not see, also where the query forgot to. `read` can only read, and only
 * the tables that have such a rule. Of these lines it reads the readings, as far as they are seen.
 */
export async function asSeenBy<T>(
  database: Database,
  sight: Sight,
  read: (database: Database) => Promise<T>,
  lineIds: readonly number[] = [],
): Promise<T> {
  if (!(await hasWall(database))) return read(database)
  return database.general.transaction().execute(async (trx) => {
    await sql`select set_config('linewarden.all', ${sight.all ? 'on' : 'off'}, true),
      set_config('linewarden.projects', ${sight.projectIds.join(',')}, true),
      set_config('linewarden.gateways', ${sight.gatewayIds.join(',')}, true),
      set_config('linewarden.has_tree', 'on', true),
      set_config('linewarden.tree', ${sight.tree ?? ''}, true),
      set_config('linewarden.whole_tree', ${sight.administrator ? 'on' : 'off'}, true),
      set_config('linewarden.account', ${sight.accountId ?? ''}, true),
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
  (database: Database, sight: Sight, lineIds: readonly number[]): ReadLines =>
  (read) =>
    sight.all ? read(database) : asSeenBy(database, sight, read, lineIds)
