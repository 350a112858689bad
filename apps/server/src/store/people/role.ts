import { about } from '@linewarden/contract'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Order, SortOf } from '../core/in-order.ts'
import { inOrder, named } from '../core/in-order.ts'
import type { Schema } from '../core/schema.ts'
import type { Owner } from '../core/tenant.ts'
import { containsText, ownedBy } from '../core/tenant.ts'
import type { PartialScope } from './user.ts'
import { liesWithin } from './user.ts'

export interface RoleText {
  readonly number: string
  readonly name: string
  readonly description: string
  readonly privileges: string[]
  readonly buttons: string[]
}

export interface StoredRole extends RoleText {
  readonly roleId: number
  readonly ownerId: string | null
  readonly ownerName: string
  readonly users: number
  readonly version: number
}

const roles = (db: Kysely<Schema>, owner: Owner) =>
  db.selectFrom('role').leftJoin('account', 'account.account_id', 'role.owner_id').where(ownedBy('role.owner_id', owner))

const asStored = (query: ReturnType<typeof roles>) =>
  query
    .select(({ fn, val }) => [
      'role.role_id as roleId',
      'role.number',
      'role.name',
      'role.description',
      'role.privileges',
      'role.buttons',
      'role.owner_id as ownerId',
      fn.coalesce('account.user_name', val('')).as('ownerName'),
      sql<number>`(select count(*)::int from account held where held.role_id = role.role_id)`.as('users'),
      'role.version',
    ])
    .$castTo<StoredRole>()

const order = {
  columns: {
    Name: named('role.name'),
    Number: named('role.number'),
    UserCount: sql`(select count(*) from account held where held.role_id = role.role_id)`,
    OwnerName: sql`coalesce(account.user_name, '') collate "C"`,
  },
  ties: ['role.role_id'],
} satisfies Order<string>

export interface RoleFilter {
  readonly owner: Owner
  /** Only roles that allow nothing beyond this; null: all of the owner's. */
  readonly within: { readonly privileges: readonly string[]; readonly buttons: readonly string[] } | null
  readonly name: string | undefined
  readonly page: number
  readonly size: number
  readonly sort?: SortOf<typeof order> | undefined
}

export async function listRoles(
  { general }: Database,
  { owner, within, name, page, size, sort }: RoleFilter,
): Promise<{ rows: StoredRole[]; total: number }> {
  let query = roles(general, owner).where(({ or }) => or([containsText('role.name', name), containsText('role.number', name)]))
  if (within)
    query = query.where(
      sql<boolean>`role.privileges <@ ${[...within.privileges]}::text[] and role.buttons <@ ${[...within.buttons]}::text[]`,
    )
  const rows = await inOrder(asStored(query), sort, order, (own) => own.orderBy('role.role_id', 'desc'))
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await query.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}

/** A role of this owner; undefined when there is none. */
export const roleById = ({ general }: Database, roleId: number, owner: Owner): Promise<StoredRole | undefined> =>
  asStored(roles(general, owner).where('role.role_id', '=', roleId)).executeTakeFirst()

export const roleByNumber = ({ general }: Database, number: string, ownerId: string): Promise<{ roleId: number } | undefined> =>
  general
    .selectFrom('role')
    .select('role_id as roleId')
    .where('owner_id', '=', ownerId)
    .where(({ fn, eb }) => eb(fn<string>('lower', ['number']), '=', number.toLowerCase()))
    .executeTakeFirst()

/** Answers the new id; null when the owner has a role of this number. */
export async function insertRole(
  db: Kysely<Schema>,
  { ownerId, ...role }: Partial<RoleText> & Pick<RoleText, 'number' | 'name'> & { readonly ownerId: string | null },
  audit: AuditEntry | null,
): Promise<number | null> {
  return db.transaction().execute(async (trx) => {
    const made = await trx
      .insertInto('role')
      .values({ ...role, owner_id: ownerId })
      .onConflict((oc) => oc.doNothing())
      .returning('role_id')
      .executeTakeFirst()
    if (!made) return null
    if (audit) await appendAudit(trx, { ...audit, subject: about('role', made.role_id), after: role })
    return made.role_id
  })
}

/**
 * Answers who has the role; `changed`: it is not in this version any more, if one is given. `taken`: the owner has another role of this number. `beyond`:
 * somebody who does not lie within `holders.within` has it too.
 */
export async function updateRole(
  { general }: Database,
  roleId: number,
  version: number | undefined,
  role: RoleText,
  holders: { readonly owner: Owner; readonly within: PartialScope | null },
  audit: AuditEntry,
): Promise<{ accountIds: string[] } | 'changed' | 'taken' | 'beyond'> {
  return general.transaction().execute(async (trx) => {
    // Giving the role to somebody takes a share of this lock, so nobody beyond gets it meanwhile.
    const before = await trx.selectFrom('role').selectAll().where('role_id', '=', roleId).forUpdate().executeTakeFirst()
    if (!before || before.version !== (version ?? before.version)) return 'changed'
    const having = await trx
      .selectFrom('account')
      .select('account_id')
      .select((holders.within ? liesWithin(holders.owner, holders.within) : sql<boolean>`true`).as('within'))
      .where('role_id', '=', roleId)
      .execute()
    if (having.some(({ within }) => !within)) return 'beyond'
    const taken = await trx
      .selectFrom('role')
      .select('role_id')
      .where(ownedBy('owner_id', before.owner_id))
      .where(sql<string>`lower(number)`, '=', role.number.toLowerCase())
      .where('role_id', '<>', roleId)
      .executeTakeFirst()
    if (taken) return 'taken'
    await trx
      .updateTable('role')
      .set({ ...role, version: before.version + 1 })
      .where('role_id', '=', roleId)
      .execute()
    const { number, name, description, privileges, buttons } = before
    await appendAudit(trx, { ...audit, before: { number, name, description, privileges, buttons }, after: role })
    return { accountIds: having.map((each) => each.account_id) }
  })
}

/** Deletes a role that nobody has; otherwise answers how many have it. */
export async function deleteRole({ general }: Database, roleId: number, audit: AuditEntry): Promise<number> {
  return general.transaction().execute(async (trx) => {
    // Giving the role to somebody takes a share of this lock, so nobody gets it while it is deleted.
    const before = await trx.selectFrom('role').selectAll().where('role_id', '=', roleId).forUpdate().executeTakeFirst()
    if (!before) return 0
    const { count } = await trx
      .selectFrom('account')
      .where('role_id', '=', roleId)
      .select(sql<number>`count(*)::int`.as('count'))
      .executeTakeFirstOrThrow()
    if (count > 0) return count
    await trx.deleteFrom('role').where('role_id', '=', roleId).execute()
    await appendAudit(trx, { ...audit, before: { number: before.number, name: before.name } })
    return 0
  })
}
