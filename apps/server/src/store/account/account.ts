import type { Sex } from '@linewarden/contract'
import { firstGroup } from '@linewarden/contract'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import { ofAccount } from '../audit/subject.ts'
import type { Schema } from '../core/schema.ts'
import type { Owner } from '../core/tenant.ts'
import { ownedBy } from '../core/tenant.ts'

export interface StoredAccount {
  readonly accountId: string
  readonly userName: string
  readonly nickName: string
  readonly kind: 'platform' | 'project' | 'sub' | 'shared'
  readonly passwordHash: string
  readonly controlHash: string | null
  readonly language: 'CN' | 'EN'
  readonly alarmSound: boolean
  readonly roleName: string
  /** Page permissions by key. */
  readonly privileges: readonly string[]
  readonly buttons: readonly string[]
  /** The project administrator it stands under; null: the installation. */
  readonly ownerId: string | null
  /** Whether signing in takes a second factor. */
  readonly hasSecondFactor: boolean
  /** Somebody else gave the password: nothing else is answered until it is changed. */
  readonly mustChangePassword: boolean
}

const accounts = (db: Kysely<Schema>) =>
  db
    .selectFrom('account')
    .leftJoin('role', 'role.role_id', 'account.role_id')
    .where('account.disabled', '=', false)
    .select(({ fn, val }) => [
      'account.account_id as accountId',
      'account.user_name as userName',
      'account.nick_name as nickName',
      'account.kind',
      'account.password_hash as passwordHash',
      'account.control_hash as controlHash',
      'account.language',
      'account.alarm_sound as alarmSound',
      'account.owner_id as ownerId',
      'account.must_change_password as mustChangePassword',
      sql<boolean>`account.second_factor_at is not null`.as('hasSecondFactor'),
      fn.coalesce('role.name', val('')).as('roleName'),
      fn.coalesce('role.privileges', val<string[]>([])).as('privileges'),
      fn.coalesce('role.buttons', val<string[]>([])).as('buttons'),
    ])

export const accountByName = (db: Kysely<Schema>, userName: string): Promise<StoredAccount | undefined> =>
  accounts(db)
    .where(({ fn, eb }) => eb(fn<string>('lower', ['account.user_name']), '=', userName.toLowerCase()))
    .executeTakeFirst()

export const accountById = (db: Kysely<Schema>, accountId: string): Promise<StoredAccount | undefined> =>
  accounts(db).where('account.account_id', '=', accountId).executeTakeFirst()

/** The same of several; those that are gone are left out. */
export async function accountsById(
  db: Kysely<Schema>,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, StoredAccount>> {
  const rows = await accounts(db)
    .where(sql<boolean>`account.account_id = any(${[...new Set(accountIds)]}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.accountId, row]))
}

/** Whether this is the MD5 of the name of an account or project of this tenant, as it stands or in small letters: everybody there knows it. */
export async function isNameOfSomething(db: Kysely<Schema>, md5: string, tenant: Owner): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (
    select from account, unnest(array[user_name, lower(user_name), nick_name, lower(nick_name)]) word
      where md5(word) = ${md5} and (${ownedBy('account.owner_id', tenant)} or account_id = ${tenant ?? null}::uuid)
    union all select from project, unnest(array[name, lower(name)]) word
      where md5(word) = ${md5} and ${ownedBy('project.owner_id', tenant)}) as found`.execute(db)
  return rows[0]?.found === true
}

/** Keeps who signs on as this account, the first time. False: it is somebody else since, or they sign on as another account. */
export async function bindSignOn(db: Kysely<Schema>, accountId: string, identity: string): Promise<boolean> {
  try {
    const row = await db
      .updateTable('account')
      .set({ sign_on: identity })
      .where('account_id', '=', accountId)
      .where((eb) => eb.or([eb('sign_on', 'is', null), eb('sign_on', '=', identity)]))
      .returning('account_id')
      .executeTakeFirst()
    return row !== undefined
  } catch (error) {
    if ((error as { code?: string }).code === '23505') return false
    throw error
  }
}

/** Puts a hash of the same password in the place of the one it was checked against, unless somebody has changed it meanwhile. */
export async function replaceHash(
  db: Kysely<Schema>,
  accountId: string,
  column: 'password_hash' | 'control_hash',
  before: string,
  after: string,
): Promise<void> {
  await db
    .updateTable('account')
    .set({ [column]: after })
    .where('account_id', '=', accountId)
    .where(column, '=', before)
    .execute()
}

/** What an account sees; whoever runs the installation sees all and is not asked for. */
export interface Assignments {
  readonly projects: ReadonlySet<number>
  /** Gateways assigned one by one. */
  readonly gateways: ReadonlySet<number>
  /** Projects of which it sees such gateways. */
  readonly parts: ReadonlySet<number>
}

type Assigned = Pick<StoredAccount, 'accountId' | 'kind' | 'ownerId'>

/**
 * A project administrator sees what they own. Others see what was assigned to them, as long as it still belongs to the owner they stand
 * under: whatever was moved to somebody else is gone with it.
 */
export async function assignmentsOf(db: Kysely<Schema>, account: Assigned): Promise<Assignments> {
  const [own] = await assignmentsOfEach(db, [account])
  return own ?? assignments([])
}

/** The same of several, in their order. */
export async function assignmentsOfEach(db: Kysely<Schema>, accounts: readonly Assigned[]): Promise<readonly Assignments[]> {
  const owners = accounts.filter(({ kind }) => kind === 'project')
  const others = accounts.filter(({ kind }) => kind !== 'project')
  const rows = [...(await projectsOwnedBy(db, owners)), ...(await assignedTo(db, others))]
  const byAccount = Map.groupBy(rows, ({ account_id }) => account_id)
  return accounts.map(({ accountId }) => assignments(byAccount.get(accountId) ?? []))
}

async function projectsOwnedBy(db: Kysely<Schema>, owners: readonly Assigned[]): Promise<readonly AssignmentRow[]> {
  if (owners.length === 0) return []
  const { rows } = await sql<AssignmentRow>`select owner_id as account_id, project_id, null as gateway_id from project
    where owner_id = any(${idsOf(owners)}::uuid[]) and removed_at is null`.execute(db)
  return rows
}

async function assignedTo(db: Kysely<Schema>, accounts: readonly Assigned[]): Promise<readonly AssignmentRow[]> {
  if (accounts.length === 0) return []
  const of = sql`unnest(${idsOf(accounts)}::uuid[], ${accounts.map(({ ownerId }) => ownerId)}::uuid[]) as a (account_id, under)`
  const { rows } = await sql<AssignmentRow>`
    select account_id, project_id, null as gateway_id from ${of} join account_project using (account_id) join project using (project_id)
      where owner_id is not distinct from under and project.removed_at is null
    union all
    select account_id, project_id, gateway_id from ${of} join account_gateway using (account_id)
      join gateway using (gateway_id) join project using (project_id)
      where owner_id is not distinct from under and gateway.removed_at is null`.execute(db)
  return rows
}

const idsOf = (accounts: readonly Assigned[]): string[] => accounts.map(({ accountId }) => accountId)

function assignments(rows: readonly AssignmentRow[]): Assignments {
  const single = rows.filter((row) => row.gateway_id !== null)
  return {
    projects: new Set(rows.filter((row) => row.gateway_id === null).map((row) => row.project_id)),
    gateways: new Set(single.flatMap((row) => row.gateway_id ?? [])),
    parts: new Set(single.map((row) => row.project_id)),
  }
}

interface AssignmentRow {
  account_id: string
  project_id: number
  gateway_id: number | null
}

/** Whether anybody runs the installation and may sign in. */
export async function hasAdministrator(db: Kysely<Schema>): Promise<boolean> {
  const row = await db
    .selectFrom('account')
    .select('account_id')
    .where('kind', '=', 'platform')
    .where('disabled', '=', false)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export interface NewAccount {
  readonly userName: string
  readonly nickName: string
  readonly kind: StoredAccount['kind']
  readonly roleId: number | null
  readonly passwordHash: string
  readonly controlHash: string | null
  readonly projectIds: readonly number[]
  readonly gatewayIds?: readonly number[]
  /** The project administrator it stands under; null: the installation. */
  readonly ownerId?: string | null
  readonly person?: Person
  /** Default: false. */
  readonly mustChangePassword?: boolean
  /** Default Chinese. */
  readonly language?: StoredAccount['language']
}

/** What people write about an account. */
export interface Person {
  readonly mobile: string
  readonly email: string
  readonly sex: Sex
  readonly jobName: string
  readonly remark: string
}

/** Answers the new id; null when the name is taken. */
export async function insertAccount(db: Kysely<Schema>, account: NewAccount, audit: AuditEntry | null): Promise<string | null> {
  const { jobName, ...person } = account.person ?? nobody
  return db.transaction().execute(async (trx) => {
    const row = {
      ...person,
      job_name: jobName,
      owner_id: account.ownerId ?? null,
      user_name: account.userName,
      nick_name: account.nickName,
      kind: account.kind,
      role_id: account.roleId,
      password_hash: account.passwordHash,
      control_hash: account.controlHash,
      must_change_password: account.mustChangePassword ?? false,
      ...(account.language && { language: account.language }),
    }
    const made = await trx
      .insertInto('account')
      .values(row)
      .onConflict((oc) => oc.doNothing())
      .returning('account_id')
      .executeTakeFirst()
    if (!made) return null
    if (account.kind === 'project') {
      await trx.insertInto('city').values({ name: firstGroup.zh, is_default: true, owner_id: made.account_id }).execute()
    }
    await assign(trx, made.account_id, account.projectIds, account.gatewayIds ?? [])
    if (audit) {
      const { passwordHash: _, controlHash, ...logged } = account
      // An administrator reads of themselves in their own log, which begins here.
      const own = account.kind === 'project' ? { tenant: made.account_id } : {}
      const after = { ...logged, controlPassword: controlHash !== null }
      await appendAudit(trx, { ...audit, ...own, ...ofAccount(account.userName), after })
    }
    return made.account_id
  })
}

const nobody: Person = { mobile: '', email: '', sex: 'unknown', jobName: '', remark: '' }

/** Gives an account projects and single gateways to see. */
export async function assign(
  trx: Kysely<Schema>,
  accountId: string,
  projectIds: readonly number[],
  gatewayIds: readonly number[],
): Promise<void> {
  await lockAssignments(trx, 'give')
  await sql`insert into account_project (account_id, project_id)
    select ${accountId}, id from unnest(${[...new Set(projectIds)]}::int[]) id`.execute(trx)
  await sql`insert into account_gateway (account_id, gateway_id)
    select ${accountId}, id from unnest(${[...new Set(gatewayIds)]}::int[]) id`.execute(trx)
}

/**
 * Whoever takes equipment from everybody who may not see it any longer waits for those who are giving it to somebody just now, and they for
 * them. The rows themselves are not locked for it: what ingest and commands store names them, and must not wait for people.
 */
export async function lockAssignments(trx: Kysely<Schema>, to: 'give' | 'take'): Promise<void> {
  const lock = sql.raw(to === 'give' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock')
  await sql`select ${lock}(hashtext('assignments'))`.execute(trx)
}

export async function setAccountAlarmSound(db: Kysely<Schema>, accountId: string, on: boolean): Promise<void> {
  await db.updateTable('account').set({ alarm_sound: on }).where('account_id', '=', accountId).execute()
}

export async function setAccountLanguage(db: Kysely<Schema>, accountId: string, language: 'CN' | 'EN'): Promise<void> {
  await db.updateTable('account').set({ language }).where('account_id', '=', accountId).execute()
}
