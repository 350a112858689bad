import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Person, StoredAccount } from '../account/account.ts'
import { assign, lockAssignments } from '../account/account.ts'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Order, SortOf } from '../core/in-order.ts'
import { coded, inOrder, missingLast, named } from '../core/in-order.ts'
import type { Schema } from '../core/schema.ts'
import type { Owner } from '../core/tenant.ts'
import { containsText, ownedBy } from '../core/tenant.ts'

/** An account as its administrators see it, enabled or not. */
export interface StoredUser extends Person {
  readonly accountId: string
  readonly userName: string
  readonly nickName: string
  readonly kind: StoredAccount['kind']
  readonly roleId: number | null
  readonly roleName: string
  readonly privileges: readonly string[]
  readonly buttons: readonly string[]
  readonly hasControlPassword: boolean
  readonly hasSecondFactor: boolean
  readonly disabled: boolean
  readonly projectIds: readonly number[]
  readonly gatewayIds: readonly number[]
  readonly ownerId: string | null
  readonly ownerName: string
  readonly createdAt: Date
  readonly lastLoginAt: Date | null
  readonly version: number
}

const users = (db: Kysely<Schema>) =>
  db
    .selectFrom('account')
    .leftJoin('role', 'role.role_id', 'account.role_id')
    .leftJoin('account as owner', 'owner.account_id', 'account.owner_id')
    .where('account.removed_at', 'is', null)

const asStored = (query: ReturnType<typeof users>) =>
  query
    .select(({ fn, val }) => [
      'account.account_id as accountId',
      'account.user_name as userName',
      'account.nick_name as nickName',
      'account.kind',
      'account.role_id as roleId',
      fn.coalesce('role.name', val('')).as('roleName'),
      fn.coalesce('role.privileges', val<string[]>([])).as('privileges'),
      fn.coalesce('role.buttons', val<string[]>([])).as('buttons'),
      'account.mobile',
      'account.email',
      'account.sex',
      'account.job_name as jobName',
      'account.remark',
      'account.has_control_password as hasControlPassword',
      sql<boolean>`account.second_factor_at is not null`.as('hasSecondFactor'),
      'account.disabled',
      sql<number[]>`array(select project_id from account_project given where given.account_id = account.account_id
        order by project_id)`.as('projectIds'),
      sql<number[]>`array(select gateway_id from account_gateway given where given.account_id = account.account_id
        order by gateway_id)`.as('gatewayIds'),
      'account.owner_id as ownerId',
      fn.coalesce('owner.user_name', val('')).as('ownerName'),
      'account.created_at as createdAt',
      'account.last_login_at as lastLoginAt',
      'account.version',
    ])
    .$castTo<StoredUser>()

/** What somebody below the administrator sees and may do. */
export interface PartialScope {
  readonly projectIds: readonly number[]
  /** Single gateways of other projects. */
  readonly gatewayIds: readonly number[]
  readonly privileges: readonly string[]
  readonly buttons: readonly string[]
}

export interface UserFilter {
  /** Whose people; everybody's when undefined. Otherwise only those that an administrator made, never administrators. */
  readonly owner: Owner
  /** Only accounts that lie within this; null: all of the owner's. */
  readonly within: PartialScope | null
  readonly userName: string | undefined
  readonly nickName: string | undefined
  readonly kind: StoredAccount['kind'] | undefined
  readonly roleId: number | undefined
  readonly enabled: boolean | undefined
  readonly page: number
  readonly size: number
  readonly sort?: SortOf<typeof order> | undefined
}

const order = {
  columns: {
    UserName: named('account.user_name'),
    NickName: named('account.nick_name'),
    Kind: coded('account.kind'),
    RoleName: sql`coalesce(role.name, '') collate "natural"`,
    Enabled: sql`not account.disabled`,
    LastLoginAt: missingLast('account.last_login_at'),
  },
  ties: ['account.created_at', 'account.account_id'],
} satisfies Order<string>

/** A page of accounts, newest first. */
export async function listUsers({ general }: Database, filter: UserFilter): Promise<{ rows: StoredUser[]; total: number }> {
  let query = users(general)
    .where(ownedBy('account.owner_id', filter.owner))
    .where(containsText('account.user_name', filter.userName))
    .where(containsText('account.nick_name', filter.nickName))
  if (filter.owner !== undefined) query = query.where('account.kind', 'in', ['sub', 'shared'])
  if (filter.within) query = query.where(liesWithin(filter.owner, filter.within)).where(isCovered(filter.within))
  if (filter.kind !== undefined) query = query.where('account.kind', '=', filter.kind)
  if (filter.roleId !== undefined) query = query.where('account.role_id', '=', filter.roleId)
  if (filter.enabled !== undefined) query = query.where('account.disabled', '=', !filter.enabled)
  const rows = await inOrder(asStored(query), filter.sort, order, (own) =>
    own.orderBy('account.created_at', 'desc').orderBy('account.account_id'),
  )
    .limit(filter.size)
    .offset((filter.page - 1) * filter.size)
    .execute()
  const { total } = await query.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}

export const userById = ({ general }: Database, accountId: string): Promise<StoredUser | undefined> =>
  asStored(users(general).where('account.account_id', '=', accountId)).executeTakeFirst()

/** What an account is called in the log, and from when on it was this account that was called so. */
export interface NameInLog {
  readonly accountId: string
  /** In lower case. */
  readonly name: string
  readonly since: Date
}

/** The account itself, and those of its tenant that see no more than this. */
export async function namesWithin(
  { general }: Database,
  accountId: string,
  owner: Owner,
  within: PartialScope,
): Promise<NameInLog[]> {
  return users(general)
    .where(({ eb, or, and }) =>
      or([
        eb('account.account_id', '=', accountId),
        and([
          ownedBy('account.owner_id', owner),
          eb('account.kind', 'in', ['sub', 'shared']),
          liesWithin(owner, within),
          isCovered(within),
        ]),
      ]),
    )
    .select(['account.account_id as accountId', sql<string>`lower(account.user_name)`.as('name'), 'account.created_at as since'])
    .execute()
}

/**
 * Whether everything an account was given lies within this. Whoever administers everybody is limited to nothing, so there is an owner, or
 * null: the installation's own.
 */
export const liesWithin = (owner: Owner, { projectIds, gatewayIds }: PartialScope) =>
  sql<boolean>`account.account_id in (select accounts_within(${owner ?? null}::uuid, ${[...projectIds]}::int[], ${[...gatewayIds]}::int[]))`

/** Its role allows nothing that these rights do not: `mayGive` of the rules, where the database counts and pages. */
const isCovered = ({ privileges, buttons }: PartialScope) =>
  sql<boolean>`(account.role_id is null or (role.privileges <@ ${[...privileges]}::text[] and role.buttons <@ ${[...buttons]}::text[]))`

export interface UserChange extends Partial<Person> {
  readonly nickName?: string
  readonly passwordHash?: string
  readonly mustChangePassword?: boolean
  readonly controlHash?: string | null
  readonly roleId?: number
  readonly disabled?: boolean
}

/** False when the account is not in this version any more; without a version it only has to be there. */
export async function updateUser(
  { general }: Database,
  accountId: string,
  version: number | undefined,
  change: UserChange,
  audit: AuditEntry,
): Promise<boolean> {
  return general.transaction().execute(async (trx) => {
    const before = await lockedAccount(trx, accountId)
    if (!before || (version !== undefined && before.version !== version)) return false
    const { nickName, passwordHash, controlHash, mustChangePassword, roleId, jobName, ...same } = change
    const columns = { ...same, nick_name: nickName, role_id: roleId, job_name: jobName }
    await trx
      .updateTable('account')
      .set({
        ...columns,
        password_hash: passwordHash,
        control_hash: controlHash,
        must_change_password: mustChangePassword,
        version: before.version + 1,
      })
      .where('account_id', '=', accountId)
      .execute()
    const touched = (Object.keys(columns) as (keyof typeof columns)[]).filter((key) => columns[key] !== undefined)
    await appendAudit(trx, {
      ...audit,
      before: Object.fromEntries(touched.map((key) => [key, before[key]])),
      after: {
        ...Object.fromEntries(touched.map((key) => [key, columns[key]])),
        ...(passwordHash !== undefined && { password: 'changed' }),
        ...(controlHash !== undefined && { controlPassword: controlHash === null ? 'taken away' : 'changed' }),
      },
    })
    return true
  })
}

/** Gives an account other projects and gateways to see, instead of those it had. */
export async function reassign(
  { general }: Database,
  accountId: string,
  to: { projectIds: readonly number[]; gatewayIds: readonly number[] },
  audit: AuditEntry,
): Promise<void> {
  await general.transaction().execute(async (trx) => {
    await lockAssignments(trx, 'give')
    const account = await lockedAccount(trx, accountId)
    if (!account) throw new Error('the account is gone')
    const projects = await trx.deleteFrom('account_project').where('account_id', '=', accountId).returning('project_id').execute()
    const gateways = await trx.deleteFrom('account_gateway').where('account_id', '=', accountId).returning('gateway_id').execute()
    await assign(trx, accountId, to.projectIds, to.gatewayIds)
    const before = { projectIds: projects.map((row) => row.project_id), gatewayIds: gateways.map((row) => row.gateway_id) }
    await appendAudit(trx, { ...audit, before, after: to })
  })
}

/**
 * Takes an account out; its name is free again. A project administrator who still has projects or people stays: answers how many. Their empty
 * groups and their roles go with them.
 */
export async function removeUser(
  { general }: Database,
  accountId: string,
  audit: AuditEntry,
): Promise<{ kind: 'done'; groupIds: number[] } | { kind: 'owns'; projects: number; accounts: number }> {
  return general.transaction().execute(async (trx) => {
    // Also against whoever is just being put under it.
    const before = await accountNow(trx, accountId).forUpdate().executeTakeFirst()
    if (!before) return { kind: 'done', groupIds: [] }
    const { rows } = await sql<{ projects: number; accounts: number }>`select
      (select count(*)::int from project where owner_id = ${accountId} and removed_at is null) as projects,
      (select count(*)::int from account where owner_id = ${accountId} and removed_at is null) as accounts`.execute(trx)
    const owned = rows[0] ?? { projects: 0, accounts: 0 }
    if (owned.projects > 0 || owned.accounts > 0) return { kind: 'owns', ...owned }
    const at = new Date(audit.at)
    await sql`update account set user_name = user_name || '~' || account_id, removed_at = ${at}, disabled = true, role_id = null,
      password_hash = '', control_hash = null, version = version + 1 where account_id = ${accountId}`.execute(trx)
    await trx.deleteFrom('account_project').where('account_id', '=', accountId).execute()
    await trx.deleteFrom('account_gateway').where('account_id', '=', accountId).execute()
    // Projects that were removed long ago keep their history, and a group to stand in.
    await sql`update project set owner_id = null, city_id = (select city_id from city where is_default and owner_id is null)
      where owner_id = ${accountId}`.execute(trx)
    await trx.updateTable('account').set({ owner_id: null, role_id: null }).where('owner_id', '=', accountId).execute()
    await trx.deleteFrom('role').where('owner_id', '=', accountId).execute()
    const groups = await trx.deleteFrom('city').where('owner_id', '=', accountId).returning('city_id').execute()
    await appendAudit(trx, { ...audit, before: { kind: before.kind, nickName: before.nick_name } })
    return { kind: 'done', groupIds: groups.map((row) => row.city_id) }
  })
}

const lockedAccount = (trx: Kysely<Schema>, accountId: string) => accountNow(trx, accountId).forNoKeyUpdate().executeTakeFirst()

const accountNow = (trx: Kysely<Schema>, accountId: string) =>
  trx.selectFrom('account').selectAll().where('account_id', '=', accountId).where('removed_at', 'is', null)
