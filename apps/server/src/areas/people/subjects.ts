import type { Actor } from '../../access/actor.ts'
import { tenantOf } from '../../access/owner.ts'
import { partialScopeOf } from '../../access/seen.ts'
import { type SubjectSource, sameText } from '../../audit/names.ts'
import { namesOfRoles } from '../../store/audit/names.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { roleById } from '../../store/people/role.ts'

/** Roles in the audit log. */
export function peopleSubjects({ database }: { database: Database }) {
  const roles = async (actor: Actor, ids: readonly number[] | null) => {
    const rows = await withRowSecurity(database, actor.scope, (db) =>
      namesOfRoles(db, tenantOf(actor), partialScopeOf(actor), ids),
    )
    return new Map([...rows].map(([id, name]) => [String(id), sameText(name)]))
  }
  return {
    role: {
      named: (actor, ids) => roles(actor, ids.map(Number)),
      called: (actor) => roles(actor, null),
      ownerOf: async (id) => (await roleById(database, Number(id), undefined))?.ownerId,
    },
  } as const satisfies Readonly<Record<string, SubjectSource>>
}
