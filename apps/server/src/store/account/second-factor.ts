import type { Kysely } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import { inTransaction } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'

/** An account's authenticator key, sealed, and the time step of the last code that was taken. */
export interface StoredFactor {
  readonly sealedKey: string
  readonly lastStep: number
  /** Whether signing in takes it; a key without a code given is only begun. */
  readonly on: boolean
}

/**
 * Runs with the factor locked, so that of many codes tried at once each is counted before the next is looked at. Null: the account has none.
 * The account comes first, as for whoever begins the factor or takes it away: two that took them the other way round would wait for each other.
 */
export const withFactor = <T>(
  db: Kysely<Schema>,
  accountId: string,
  work: (trx: Kysely<Schema>, factor: StoredFactor | null) => Promise<T>,
): Promise<T> =>
  db.transaction().execute(async (trx) => {
    const account = await trx
      .selectFrom('account')
      .select('second_factor_at')
      .where('account_id', '=', accountId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    const row = await trx
      .selectFrom('second_factor')
      .select(['sealed_key', 'last_step'])
      .where('account_id', '=', accountId)
      .forUpdate()
      .executeTakeFirst()
    const on = account?.second_factor_at != null
    return work(trx, row ? { sealedKey: row.sealed_key, lastStep: Number(row.last_step), on } : null)
  })

/** Begins with a new key; false when the factor is on already. */
export const beginFactor = (db: Kysely<Schema>, accountId: string, sealedKey: string, now: number): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const account = await trx
      .selectFrom('account')
      .select('second_factor_at')
      .where('account_id', '=', accountId)
      .forUpdate()
      .executeTakeFirst()
    if (!account || account.second_factor_at !== null) return false
    await trx.deleteFrom('second_factor').where('account_id', '=', accountId).execute()
    const row = { account_id: accountId, sealed_key: sealedKey, begun_at: new Date(now) }
    await trx.insertInto('second_factor').values(row).execute()
    return true
  })

export async function keepStep(trx: Kysely<Schema>, accountId: string, step: number): Promise<void> {
  await trx
    .updateTable('second_factor')
    .set({ last_step: String(step) })
    .where('account_id', '=', accountId)
    .execute()
}

export async function turnOn(trx: Kysely<Schema>, accountId: string, now: number): Promise<void> {
  await trx
    .updateTable('account')
    .set({ second_factor_at: new Date(now) })
    .where('account_id', '=', accountId)
    .execute()
}

/** Takes the factor away, with its recovery codes. False: there was none. */
export async function turnOff(db: Kysely<Schema>, accountId: string, audit: AuditEntry): Promise<boolean> {
  const remove = async (trx: Kysely<Schema>) => {
    const { numUpdatedRows } = await trx
      .updateTable('account')
      .set({ second_factor_at: null })
      .where('account_id', '=', accountId)
      .where('second_factor_at', 'is not', null)
      .executeTakeFirst()
    await trx.deleteFrom('second_factor').where('account_id', '=', accountId).execute()
    if (numUpdatedRows === 0n) return false
    await appendAudit(trx, audit)
    return true
  }
  return inTransaction(db, remove)
}

/** Puts new recovery codes in the place of those there are. */
export async function putRecoveryCodes(trx: Kysely<Schema>, accountId: string, hashes: readonly string[]): Promise<void> {
  await trx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
  await trx
    .insertInto('recovery_code')
    .values(hashes.map((code_hash) => ({ account_id: accountId, code_hash })))
    .execute()
}

/** Takes a recovery code out, by any of the hashes it may stand under; false when there is none such. */
export async function takeRecoveryCode(trx: Kysely<Schema>, accountId: string, codeHashes: readonly string[]): Promise<boolean> {
  const row = await trx
    .deleteFrom('recovery_code')
    .where('account_id', '=', accountId)
    .where('code_hash', 'in', codeHashes)
    .returning('code_hash')
    .executeTakeFirst()
  return row !== undefined
}

export async function recoveryCodesLeft(db: Kysely<Schema>, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('recovery_code')
    .select(({ fn }) => fn.countAll<string>().as('left'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return Number(row.left)
}
