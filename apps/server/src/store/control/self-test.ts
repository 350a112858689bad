import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import { commandOf, type StoredCommand } from './command.ts'

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

/** Records a test once, however often its outcome is learnt, with the log entry its certificate points to. */
export async function insertSelfTest({ control }: Database, test: StoredSelfTest, audit: AuditEntry): Promise<void> {
  await control.transaction().execute(async (trx) => {
    if (await insertOnce(trx, test)) await appendAudit(trx, audit)
  })
}

async function insertOnce(db: Kysely<Schema>, test: StoredSelfTest): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
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
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Self-tests that were carried out and whose record the server did not come to write. */
export async function unrecordedSelfTests({ control }: Database): Promise<readonly StoredCommand[]> {
  const rows = await control
    .selectFrom('command')
    .selectAll()
    .where('action', '=', 'selfTest')
    .where(({ or, and, eb }) =>
      or([
        eb('state', '=', 'verified'),
        eb('outcome', '=', 'self_test_failed'),
        and([eb('outcome', '=', 'not_done'), eb('position_after', '=', 'closed')]),
      ]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('self_test').select('self_test.command_id').whereRef('self_test.command_id', '=', 'command.command_id'),
        ),
      ),
    )
    .execute()
  return rows.map(commandOf)
}

/** One test of a line with its entry in the append-only log. */
export async function selfTestWithProof(
  { general }: Database,
  lineId: number,
  commandId: string,
): Promise<{ readonly test: StoredSelfTest; readonly auditId: string; readonly hash: string; readonly reason: string } | null> {
  const row = await general
    .selectFrom('self_test')
    .innerJoin('command', 'command.command_id', 'self_test.command_id')
    .selectAll('self_test')
    .select('command.reason')
    .where('self_test.command_id', '=', commandId)
    .where('self_test.line_id', '=', lineId)
    .executeTakeFirst()
  const audit = await general
    .selectFrom('audit')
    .select(['audit_id', 'hash'])
    .where('action', '=', 'selfTest.result')
    .where(sql<boolean>`after ->> 'commandId' = ${commandId}`)
    .executeTakeFirst()
  return row && audit ? { test: testOf(row), auditId: audit.audit_id, hash: audit.hash, reason: row.reason } : null
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
  return rows.map(testOf)
}

const testOf = (row: Selectable<Schema['self_test']>): StoredSelfTest => ({
  commandId: row.command_id,
  lineId: row.line_id,
  at: row.at.getTime(),
  actor: row.actor,
  result: row.result,
  tripMs: row.trip_ms,
  limitMs: row.limit_ms,
  residualMa: row.residual_ma,
  model: row.model,
})
