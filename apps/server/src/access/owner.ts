import { Refusal } from '@linewarden/contract'
import { accountById } from '../store/account/account.ts'
import type { Database } from '../store/core/database.ts'
import type { Owner } from '../store/core/tenant.ts'
import type { Actor } from './actor.ts'

/** Whose things the actor administers: everybody's for whoever runs the installation. */
export const tenantOf = (actor: Actor): Owner => (actor.platform ? undefined : actor.tenant)

/** Who owns what the actor makes. Only whoever runs the installation makes things for somebody else, and only for a project administrator. */
export async function ownerFor(database: Database, actor: Actor, ownerId: string | undefined): Promise<string | null> {
  if (ownerId === undefined || ownerId === actor.tenant) return actor.tenant
  if (!actor.platform) throw new Refusal('user not admin')
  const owner = await accountById(database.general, ownerId)
  if (owner?.kind !== 'project') throw new Refusal('username notexists')
  return ownerId
}
