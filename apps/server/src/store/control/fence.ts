import type { Kysely } from 'kysely'
import type { Schema } from '../core/schema.ts'

/** Locks lines against being authorised until the transaction ends: whoever holds a line and whoever operates it come one after the other. */
export async function lockLines(trx: Kysely<Schema>, lineIds: readonly number[]): Promise<void> {
  await trx
    .insertInto('command_fence')
    // In order of id, so that two who lock the same lines never wait for each other in a circle.
    .values([...lineIds].sort((a, b) => a - b).map((line_id) => ({ line_id, fence: '0' })))
    .onConflict((oc) => oc.column('line_id').doUpdateSet(({ ref }) => ({ fence: ref('command_fence.fence') })))
    .execute()
}
