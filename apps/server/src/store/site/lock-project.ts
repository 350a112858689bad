import type { Kysely } from 'kysely'
import type { Schema } from '../core/schema.ts'
import type { Owner } from '../core/tenant.ts'
import { ownedBy } from '../core/tenant.ts'

/** Locks a project, so that those who add to it come one after the other; false when it is gone or not this owner's. */
export async function lockProject(trx: Kysely<Schema>, projectId: number, owner: Owner): Promise<boolean> {
  const found = await trx
    .selectFrom('project')
    .select('project_id')
    .where('project_id', '=', projectId)
    .where('removed_at', 'is', null)
    .where(ownedBy('owner_id', owner))
    .forNoKeyUpdate()
    .executeTakeFirst()
  return found !== undefined
}
