import { sql } from 'kysely'
import { inTransaction } from '../core/database.ts'
import type { ReadLines } from '../core/row-security.ts'

/** The database ended a query that took longer than it may. */
const cancelled = '57014'

/** The same way of reading, where the database ends each query that takes longer. */
export const withinTime =
  (read: ReadLines, maxMs: number): ReadLines =>
  (ask) =>
    read((database) =>
      inTransaction(database.general, async (general) => {
        await sql`select set_config('statement_timeout', ${String(maxMs)}, true)`.execute(general)
        return ask({ ...database, general })
      }),
    )

export const tookTooLong = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === cancelled
