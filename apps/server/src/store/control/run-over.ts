import type { Kysely } from 'kysely'
import type { Schema } from '../core/schema.ts'

/**
 * Whether a run gives no line its turn any more. Keeps it so until the transaction ends: whoever ends the run, on whichever server, comes
 * before this, and nothing of it leaves, or after, and finds the command that left.
 */
export async function isOver(trx: Kysely<Schema>, runId: string): Promise<boolean> {
  const run = await trx
    .selectFrom('operation_run')
    .select(['ended_at', 'revoked_at'])
    .where('run_id', '=', runId)
    .forShare()
    .executeTakeFirst()
  return !run || run.ended_at !== null || run.revoked_at !== null
}
