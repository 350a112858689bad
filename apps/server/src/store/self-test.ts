import type { Kysely } from 'kysely'
import type { Database } from './database.ts'
import type { Schema } from './schema.ts'

/** A leakage self-test that was carried out. */
export interface StoredSelfTest {
  readonly commandId: string
  readonly lineId: number
  readonly at: number
  readonly actor: string
  readonly result: 'passed' | 'failed'
  /** Null: the breaker did not trip, or the equipment measures no time. */
  readonly tripMs: number | null
  readonly limitMs: number
  /** The residual current it is set to trip at, IDn. */
  readonly residualMa: number | null
  readonly model: string
}

/** Records a test once, however often its outcome is learnt. */
export async function insertSelfTest({ control }: Database, test: StoredSelfTest): Promise<void> {
  await control
    .insertInto('self_test')
    .values({
      command_id: test.commandId,
      line_id: test.lineId,
      at: new Date(test.at),
      actor: test.actor,
      result: test.result,
      trip_ms: test.tripMs,
      limit_ms: test.limitMs,
      residual_ma: test.residualMa,
      model: test.model,
    })
    .onConflict((oc) => oc.column('command_id').doNothing())
    .execute()
}

/** The newest test of every line that ever had one. */
export async function lastSelfTests(
  db: Kysely<Schema>,
): Promise<readonly { lineId: number; at: number; result: 'passed' | 'failed'; tripMs: number | null }[]> {
  const rows = await db
    .selectFrom('self_test')
    .distinctOn('line_id')
    .select(['line_id', 'at', 'result', 'trip_ms'])
    .orderBy('line_id')
    .orderBy('at', 'desc')
    .execute()
  return rows.map((row) => ({ lineId: row.line_id, at: row.at.getTime(), result: row.result, tripMs: row.trip_ms }))
}

/** A line's tests, newest first. */
export async function selfTestsOf({ general }: Database, lineId: number, size: number): Promise<readonly StoredSelfTest[]> {
  const rows = await general
    .selectFrom('self_test')
    .selectAll()
    .where('line_id', '=', lineId)
    .orderBy('at', 'desc')
    .limit(size)
    .execute()
  return rows.map((row) => ({
    commandId: row.command_id,
    lineId: row.line_id,
    at: row.at.getTime(),
    actor: row.actor,
    result: row.result,
    tripMs: row.trip_ms,
    limitMs: row.limit_ms,
    residualMa: row.residual_ma,
    model: row.model,
  }))
}
