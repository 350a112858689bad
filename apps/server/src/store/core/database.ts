import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { migrate } from './migrate.ts'
import type { Schema } from './schema.ts'

/** Connections to PostgreSQL, split by lane so that a slow list never makes a trip wait. */
export interface Database {
  /** Lists, forms, history. */
  readonly general: Kysely<Schema>
  /** Commands, permits and sessions only. */
  readonly control: Kysely<Schema>
  /** Lends a connection of {@link general} for what is not written in Kysely. */
  borrow<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T>
  /** Opens a connection of its own, for ingest. The caller ends it. */
  connect(): Promise<pg.Client>
  /** How many connections each pool has, and how many wait for one. */
  connections(): Readonly<Record<'lists' | 'orders', PoolState>>
  /** Resolves when the database answers. */
  ping(): Promise<void>
  /** How to reach the database, for libraries that open their own pool. */
  readonly settings: pg.ClientConfig
  close(): Promise<void>
}

interface PoolState {
  readonly busy: number
  readonly idle: number
  readonly waiting: number
}

const stateOf = ({ totalCount, idleCount, waitingCount }: pg.Pool): PoolState => ({
  busy: totalCount - idleCount,
  idle: idleCount,
  waiting: waitingCount,
})

const oldestSupported = 150_000

/**
 * What somebody's own server may have otherwise. It compiles queries that look dear, and those under row policies do: that takes two
 * seconds where the query takes twenty milliseconds. Where its zone is half an hour off, hours of the roll-up would begin at the half. And
 * whoever waited for a row must see what it has become, not what it was when they began: else a close leaves that was stopped meanwhile.
 * Said on the connection, because poolers refuse it among the settings of the start.
 */
const asWeNeed = async (client: pg.ClientBase): Promise<void> => {
  await client.query("set jit = off; set timezone = 'UTC'; set default_transaction_isolation = 'read committed'")
}

/** Connects, checks the version, migrates. Throws with a readable message when the server cannot be used. */
export async function openDatabase(settings: pg.ClientConfig, log: (line: string) => void): Promise<Database> {
  const connect = async () => {
    const client = new pg.Client(settings)
    // Without a listener a lost connection would end the process; whoever queries next gets the error.
    client.on('error', (error) => log(`database connection lost: ${error.message}`))
    await client.connect()
    try {
      await asWeNeed(client)
    } catch (error) {
      await client.end()
      throw error
    }
    return client
  }
  const pool = (max: number) => {
    const made = new pg.Pool({
      ...settings,
      max,
      idleTimeoutMillis: 60_000,
      connectionTimeoutMillis: 10_000,
      onConnect: asWeNeed,
    })
    made.on('error', (error) => log(`idle database connection lost: ${error.message}`))
    // Lost between two queries of a transaction: the next one fails, and nobody else hears of it. Unheard it would end the process.
    made.on('connect', (client) => client.on('error', () => {}))
    return made
  }
  const [lists, orders] = [pool(8), pool(4)]
  const general = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: lists }) })
  const control = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: orders }) })
  const close = async () => {
    await Promise.all([general.destroy(), control.destroy()])
    // Kysely ends a pool only once it has asked it for something.
    for (const each of [lists, orders]) if (!each.ending) await each.end()
  }
  const borrow: Database['borrow'] = async (work) => {
    const client = await lists.connect()
    try {
      const made = await work(client)
      client.release()
      return made
    } catch (error) {
      // It may be broken, or within a transaction that nobody ends.
      client.release(true)
      throw error
    }
  }
  try {
    await borrow(async (client) => {
      const { rows } = await client.query<{ version: string }>("select current_setting('server_version_num') as version")
      const version = Number(rows[0]?.version)
      if (!(version >= oldestSupported)) throw new Error(`PostgreSQL ${version} is too old: version 15 or newer is needed.`)
      await migrate(client, log)
    })
  } catch (error) {
    await close()
    throw error
  }
  return {
    general,
    control,
    borrow,
    connect,
    connections: () => ({ lists: stateOf(lists), orders: stateOf(orders) }),
    async ping() {
      await sql`select 1`.execute(general)
    },
    settings,
    close,
  }
}

/** Runs in the caller's transaction, or in one of its own. */
export const inTransaction = <T>(db: Kysely<Schema>, work: (trx: Kysely<Schema>) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work)

/**
 * What to warn of where the database user may do more than the server needs, such as the superuser of somebody's own PostgreSQL: it passes
 * row-level security and can silence the log's triggers. Null: it may not.
 */
export async function overmighty({ general }: Database): Promise<string | null> {
  const { rows } = await sql<{ user: string; mighty: boolean }>`
    select rolname as user, rolsuper or rolbypassrls as mighty from pg_roles where rolname = current_user`.execute(general)
  if (!rows[0]?.mighty) return null
  const { user } = rows[0]
  return `The database user "${user}" of DATABASE_URL is a superuser or bypasses row-level security: give Linewarden a user that only owns its database. / DATABASE_URL 的数据库用户“${user}”是超级用户或可绕过行级安全：请改用仅拥有 Linewarden 数据库的用户。`
}
