import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from './schema.ts'

/** Numbers that run on by owner and month; the month as `202611`. */
export interface MonthlyNumber {
  /** Null: the installation's own. */
  readonly owner: string | null
  readonly month: string
}

/** The next number of a month. Whoever takes one of the same waits until the transaction ends. */
export async function nextOfMonth(
  trx: Kysely<Schema>,
  table: 'health_check_number' | 'inspection_number' | 'work_order_number',
  { owner, month }: MonthlyNumber,
): Promise<number> {
  const { last } = await trx
    .insertInto(table)
    .values({ owner: owner ?? '', month, last: 1 })
    .onConflict((conflict) =>
      conflict.columns(['owner', 'month']).doUpdateSet({ last: sql<number>`${sql.table(table)}.last + 1` }),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  return last
}
