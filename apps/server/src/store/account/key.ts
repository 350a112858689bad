import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'
import type { Owner } from '../core/tenant.ts'
import { ownedBy } from '../core/tenant.ts'

type Db = Kysely<Schema>

export interface StoredKey {
  readonly keyId: string
  readonly accountId: string
  readonly userName: string
  readonly kind: 'platform' | 'project' | 'sub' | 'shared'
  /** The project administrator whom its account stands under. */
  readonly ownerId: string | null
  readonly name: string
  readonly secretHash: string
  readonly operates: boolean
  readonly projectIds: readonly number[]
  readonly madeAt: Date
  readonly expiresAt: Date
  readonly revokedAt: Date | null
  readonly lastUsedAt: Date | null
  readonly lastAddress: string | null
}

const keys = (db: Db) =>
  db
    .selectFrom('machine_key')
    .innerJoin('account', 'account.account_id', 'machine_key.account_id')
    .select([
      'machine_key.key_id as keyId',
      'machine_key.account_id as accountId',
      'account.user_name as userName',
      'account.kind',
      'account.owner_id as ownerId',
      'machine_key.name',
      'machine_key.secret_hash as secretHash',
      'machine_key.operates',
      'machine_key.project_ids as projectIds',
      'machine_key.made_at as madeAt',
      'machine_key.expires_at as expiresAt',
      'machine_key.revoked_at as revokedAt',
      'machine_key.last_used_at as lastUsedAt',
      'machine_key.last_address as lastAddress',
    ])

const isValid = (now: number) => sql<boolean>`(machine_key.revoked_at is null and machine_key.expires_at > ${new Date(now)})`

/** Those of one account, or of a tenant with everybody in it: first what still opens something, the newest first; with how many there are. */
export async function keysOf(
  db: Db,
  whose: { readonly accountId: string } | { readonly tenant: Owner },
  { page, size, now }: { readonly page: number; readonly size: number; readonly now: number },
): Promise<{ readonly rows: readonly StoredKey[]; readonly total: number }> {
  const isTheirs =
    'tenant' in whose
      ? sql<boolean>`(${ownedBy('account.owner_id', whose.tenant)} or account.account_id = ${whose.tenant ?? null}::uuid)`
      : sql<boolean>`account.account_id = ${whose.accountId}::uuid`
  const { count } = await db
    .selectFrom('machine_key')
    .innerJoin('account', 'account.account_id', 'machine_key.account_id')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where(isTheirs)
    .executeTakeFirstOrThrow()
  const rows = await keys(db)
    .where(isTheirs)
    .orderBy(isValid(now), 'desc')
    .orderBy('machine_key.made_at', 'desc')
    .orderBy('machine_key.key_id')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  return { rows, total: Number(count) }
}

export const keyById = (db: Db, keyId: string): Promise<StoredKey | undefined> =>
  keys(db).where('machine_key.key_id', '=', keyId).executeTakeFirst()

/** So many of an account are kept that are over. */
const maxOver = 50

export interface NewKey {
  readonly accountId: string
  readonly name: string
  readonly secretHash: string
  readonly operates: boolean
  readonly projectIds: readonly number[]
  readonly now: number
  readonly expiresAt: number
}

/** Null: the account has as many as it may. Two who make one at the same moment wait for each other. */
export async function insertKey(trx: Db, key: NewKey, most: number): Promise<string | null> {
  await trx.selectFrom('account').select('account_id').where('account_id', '=', key.accountId).forNoKeyUpdate().execute()
  const now = new Date(key.now)
  const { count } = await trx
    .selectFrom('machine_key')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('account_id', '=', key.accountId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  if (Number(count) >= most) return null
  await forgetOldest(trx, key.accountId, key.now)
  const { key_id } = await trx
    .insertInto('machine_key')
    .values({
      account_id: key.accountId,
      name: key.name,
      secret_hash: key.secretHash,
      operates: key.operates,
      project_ids: [...key.projectIds],
      made_at: now,
      expires_at: new Date(key.expiresAt),
      revoked_at: null,
      last_used_at: null,
      last_address: null,
    })
    .returning('key_id')
    .executeTakeFirstOrThrow()
  return key_id
}

/** Of those that are over the newest stay in the list: whoever makes and revokes one after the other fills no table. */
async function forgetOldest(trx: Db, accountId: string, now: number): Promise<void> {
  await sql`delete from machine_key where key_id in (
    select key_id from machine_key where account_id = ${accountId}::uuid and not ${isValid(now)}
    order by made_at desc, key_id offset ${maxOver})`.execute(trx)
}

/** It opens nothing from here on. Answers its sessions, which are over with it. */
export async function revokeKey(trx: Db, keyId: string, now: number): Promise<readonly string[]> {
  await trx
    .updateTable('machine_key')
    .set({ revoked_at: new Date(now) })
    .where('key_id', '=', keyId)
    .where('revoked_at', 'is', null)
    .execute()
  const rows = await trx.deleteFrom('session').where('key_id', '=', keyId).returning('session_id').execute()
  return rows.map(({ session_id }) => session_id)
}

/** Notes that it was used. False: it was revoked meanwhile. Whoever revokes it waits for the session that is begun with this. */
export async function useKey(trx: Db, keyId: string, address: string, now: number): Promise<boolean> {
  const row = await trx
    .updateTable('machine_key')
    .set({ last_used_at: new Date(now), last_address: address })
    .where('key_id', '=', keyId)
    .where('revoked_at', 'is', null)
    .returning('key_id')
    .executeTakeFirst()
  return row !== undefined
}
