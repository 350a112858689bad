import { about, firstGroup } from '@linewarden/contract'
import type { Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Order, SortOf } from '../core/in-order.ts'
import { inOrder, named } from '../core/in-order.ts'
import type { Schema } from '../core/schema.ts'
import type { Owner } from '../core/tenant.ts'
import { containsText, ownedBy } from '../core/tenant.ts'

export interface StoredGroup {
  readonly groupId: number
  readonly name: string
  readonly remark: string
  readonly isDefault: boolean
  readonly ownerId: string | null
  readonly ownerName: string
  readonly projects: number
  readonly version: number
}

/** `counted`: the projects that count, where somebody sees only some. */
const groups = (db: Kysely<Schema>, counted?: readonly number[]) =>
  db
    .selectFrom('city')
    .leftJoin('account', 'account.account_id', 'city.owner_id')
    .select(({ selectFrom, fn, val }) => [
      'city.city_id as groupId',
      'city.name',
      'city.remark',
      'city.is_default as isDefault',
      'city.owner_id as ownerId',
      fn.coalesce('account.user_name', val('')).as('ownerName'),
      selectFrom('project')
        .whereRef('project.city_id', '=', 'city.city_id')
        .where('project.removed_at', 'is', null)
        .where(counted ? sql<boolean>`project.project_id = any(${[...counted]}::int[])` : sql<boolean>`true`)
        .select(sql<number>`count(*)::int`.as('count'))
        .as('projects'),
      'city.version',
    ])
    .$castTo<StoredGroup>()

const order = {
  columns: {
    Name: named('city.name'),
    HouseCount: sql`(select count(*) from project where project.city_id = city.city_id and project.removed_at is null)`,
    OwnerName: sql`coalesce(account.user_name, '') collate "C"`,
  },
  ties: ['city.city_id'],
} satisfies Order<string>

export interface GroupFilter {
  readonly owner: Owner
  /** Only groups with one of these projects, and empty ones that this account made; null: all of the owner's. */
  readonly seen: { readonly projectIds: readonly number[]; readonly accountId: string } | null
  readonly name: string | undefined
  readonly page: number
  readonly size: number
  readonly sort?: SortOf<typeof order> | undefined
}

const isSeen = ({ projectIds, accountId }: NonNullable<GroupFilter['seen']>) => sql<boolean>`(
  exists (select from project where project.city_id = city.city_id and project.project_id = any(${[...projectIds]}::int[]))
  or (city.made_by = ${accountId}::uuid and holds_none(city.city_id)))`

/** By its name as it is stored, or as an English reader sees it. */
const isCalled = (part: string | undefined): RawBuilder<boolean> =>
  sql<boolean>`(${containsText('city.name', part)} or (city.is_default and city.name = ${firstGroup.zh}
    and strpos(lower(${firstGroup.en}), lower(${part?.trim() ?? ''})) > 0))`

export async function listGroups(
  { general }: Database,
  { owner, seen, name, page, size, sort }: GroupFilter,
): Promise<{ rows: StoredGroup[]; total: number }> {
  const wanted = [ownedBy('city.owner_id', owner), isCalled(name), ...(seen ? [isSeen(seen)] : [])]
  const found = groups(general, seen?.projectIds).where(({ and }) => and(wanted))
  const rows = await inOrder(found, sort, order, (own) => own.orderBy('city.is_default', 'desc').orderBy('city.city_id'))
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await general
    .selectFrom('city')
    .where(({ and }) => and(wanted))
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow()
  return { rows, total }
}

export const groupById = ({ general }: Database, groupId: number): Promise<StoredGroup> =>
  groups(general).where('city.city_id', '=', groupId).executeTakeFirstOrThrow()

/** The owner's group that cannot be deleted. */
export async function defaultGroupOf(db: Kysely<Schema>, ownerId: string | null): Promise<number> {
  const row = await db
    .selectFrom('city')
    .select('city_id')
    .where('is_default', '=', true)
    .where(ownedBy('owner_id', ownerId))
    .executeTakeFirstOrThrow()
  return row.city_id
}

/** Answers the new id; null when the owner has a group of this name. */
export async function insertGroup(
  { general }: Database,
  group: { name: string; remark: string; ownerId: string | null; madeBy: string | null },
  audit: AuditEntry,
): Promise<number | null> {
  return general.transaction().execute(async (trx) => {
    const made = await trx
      .insertInto('city')
      .values({ name: group.name, remark: group.remark, owner_id: group.ownerId, made_by: group.madeBy })
      .onConflict((oc) => oc.doNothing())
      .returning('city_id')
      .executeTakeFirst()
    if (!made) return null
    await appendAudit(trx, { ...audit, subject: about('group', made.city_id), target: group.name, after: { ...group } })
    return made.city_id
  })
}

/** `taken`: the owner has another group of this name. `changed`: it is not in this version any more; without a version it only has to be there. */
export async function updateGroup(
  { general }: Database,
  group: { groupId: number; name: string; remark: string | undefined; version: number | undefined },
  audit: AuditEntry,
): Promise<'done' | 'taken' | 'changed'> {
  return general.transaction().execute(async (trx) => {
    const before = await trx.selectFrom('city').selectAll().where('city_id', '=', group.groupId).forUpdate().executeTakeFirst()
    if (!before || before.version !== (group.version ?? before.version)) return 'changed'
    const taken = await trx
      .selectFrom('city')
      .select('city_id')
      .where(ownedBy('owner_id', before.owner_id))
      .where(sql<string>`lower(name)`, '=', group.name.toLowerCase())
      .where('city_id', '<>', group.groupId)
      .executeTakeFirst()
    if (taken) return 'taken'
    const after = { name: group.name, remark: group.remark ?? before.remark }
    await trx
      .updateTable('city')
      .set({ ...after, version: before.version + 1 })
      .where('city_id', '=', group.groupId)
      .execute()
    await appendAudit(trx, { ...audit, before: { name: before.name, remark: before.remark }, after })
    return 'done'
  })
}

/** False when the group is gone, or they do not belong to one owner any more. */
export async function moveProjects(
  { general }: Database,
  { groupId, projectIds }: { groupId: number; projectIds: readonly number[] },
  audit: AuditEntry,
): Promise<boolean> {
  return general.transaction().execute(async (trx) => {
    const group = await trx.selectFrom('city').select('owner_id').where('city_id', '=', groupId).forShare().executeTakeFirst()
    const projects = await trx
      .selectFrom('project')
      .select('owner_id')
      .where('project_id', 'in', [...projectIds])
      .orderBy('project_id')
      .forNoKeyUpdate()
      .execute()
    if (!group || projects.some((each) => each.owner_id !== group.owner_id)) return false
    await trx
      .updateTable('project')
      .set(({ eb }) => ({ city_id: groupId, version: eb('version', '+', 1) }))
      .where('project_id', 'in', [...projectIds])
      .execute()
    await appendAudit(trx, { ...audit, after: { groupId, projectIds } })
    return true
  })
}

/** Deletes an empty group; otherwise answers how many projects it holds. Removed projects go to the default group: their history stays. */
export async function deleteGroup({ general }: Database, groupId: number, audit: AuditEntry): Promise<number> {
  return general.transaction().execute(async (trx) => {
    const group = await trx.selectFrom('city').selectAll().where('city_id', '=', groupId).forUpdate().executeTakeFirst()
    if (!group) return 0
    const { count } = await trx
      .selectFrom('project')
      .where('city_id', '=', groupId)
      .where('removed_at', 'is', null)
      .select(sql<number>`count(*)::int`.as('count'))
      .executeTakeFirstOrThrow()
    if (count > 0) return count
    const city_id = await defaultGroupOf(trx, group.owner_id)
    await trx.updateTable('project').set({ city_id }).where('city_id', '=', groupId).execute()
    await trx.deleteFrom('city').where('city_id', '=', groupId).execute()
    await appendAudit(trx, { ...audit, before: { name: group.name } })
    return 0
  })
}
