import type { Kysely } from 'kysely'
import type { Schema } from '../core/schema.ts'

/**
 * Whether a group operation gives no line its turn any more. Keeps it so until the transaction ends: whoever ends it, on whichever server,
 * comes before this, and nothing of it leaves, or after, and finds the command that left.
 */
export async function isOver(trx: Kysely<Schema>, operationId: string): Promise<boolean> {
  const operation = await trx
    .selectFrom('operation_run')
    .select(['ended_at', 'revoked_at'])
    .where('run_id', '=', operationId)
    .forShare()
    .executeTakeFirst()
  return !operation || operation.ended_at !== null || operation.revoked_at !== null
}
