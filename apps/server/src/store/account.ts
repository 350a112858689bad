import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

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

/** Projects in an account's tree; a platform account sees all and has no rows. */
export async function projectsOf(db: Kysely<Schema>, accountId: string): Promise<number[]> {
  const rows = await db.selectFrom('account_project').select('project_id').where('account_id', '=', accountId).execute()
  return rows.map((row) => row.project_id)
}

export async function countAccounts(db: Kysely<Schema>): Promise<number> {
  const row = await db
    .selectFrom('account')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export interface NewAccount {
  readonly userName: string
  readonly nickName: string
  readonly kind: StoredAccount['kind']
  readonly roleId: number | null
  readonly passwordHash: string
  readonly controlHash: string | null
  readonly projectIds: readonly number[]
}

/** Answers the new id; null when the name is taken. */
export async function insertAccount(db: Kysely<Schema>, account: NewAccount): Promise<string | null> {
  return db.transaction().execute(async (trx) => {
    const row = {
      user_name: account.userName,
      nick_name: account.nickName,
      kind: account.kind,
      role_id: account.roleId,
      password_hash: account.passwordHash,
      control_hash: account.controlHash,
    }
    const made = await trx
      .insertInto('account')
      .values(row)
      .onConflict((oc) => oc.doNothing())
      .returning('account_id')
      .executeTakeFirst()
    if (!made) return null
    if (account.projectIds.length > 0) {
      await trx
        .insertInto('account_project')
        .values(account.projectIds.map((project_id) => ({ account_id: made.account_id, project_id })))
        .execute()
    }
    return made.account_id
  })
}

export async function insertRole(
  db: Kysely<Schema>,
  role: { number: string; name: string; privileges: string[]; buttons: string[] },
): Promise<number> {
  return (await db.insertInto('role').values(role).returning('role_id').executeTakeFirstOrThrow()).role_id
}

export async function setAccountAlarmSound(db: Kysely<Schema>, accountId: string, on: boolean): Promise<void> {
  await db.updateTable('account').set({ alarm_sound: on }).where('account_id', '=', accountId).execute()
}

export async function setAccountLanguage(db: Kysely<Schema>, accountId: string, language: 'CN' | 'EN'): Promise<void> {
  await db.updateTable('account').set({ language }).where('account_id', '=', accountId).execute()
}
