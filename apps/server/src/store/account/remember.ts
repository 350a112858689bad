import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { revokeGroupOperations } from '../control/group-operation-life.ts'
import { inTransaction } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'

/** A device that stays signed in. */
export interface Remembered {
  readonly rememberId: string
  readonly createdAt: number
  readonly usedAt: number
  readonly address: string
}

const maxRemembered = 5

/** Remembers a device by the hash of its handle; of more than five of one account the oldest are forgotten. */
export async function insertRemember(
  db: Kysely<Schema>,
  row: { accountId: string; handleHash: string; address: string; now: number; expiresAt: number },
): Promise<string> {
  return inTransaction(db, async (trx) => {
    const at = new Date(row.now)
    const made = await trx
      .insertInto('remember')
      .values({
        account_id: row.accountId,
        handle_hash: row.handleHash,
        created_at: at,
        used_at: at,
        expires_at: new Date(row.expiresAt),
        address: row.address,
      })
      .returning('remember_id')
      .executeTakeFirstOrThrow()
    const all = await trx
      .selectFrom('remember')
      .select('remember_id')
      .where('account_id', '=', row.accountId)
      .orderBy('used_at', 'desc')
      .orderBy('remember_id', 'desc')
      .execute()
    const oldest = all.slice(maxRemembered).map((each) => each.remember_id)
    if (oldest.length > 0) await trx.deleteFrom('remember').where('remember_id', 'in', oldest).execute()
    return made.remember_id
  })
}

export type HandleUse =
  | { readonly kind: 'taken'; readonly rememberId: string; readonly accountId: string }
  /** It was used before, so there are two who have it: the device is forgotten, and its sessions are over. */
  | { readonly kind: 'reused'; readonly accountId: string; readonly ended: readonly string[] }
  | { readonly kind: 'unknown' }

export interface RememberLimits {
  /** Until when it is good once somebody has used it now. */
  readonly expiresAt: number
  /** But never longer than this from the first sign-in. */
  readonly maxMs: number
}

/**
 * Takes a handle and puts the next in its place; the device is good for longer only if somebody is at it. The session that follows begins in the same
 * transaction: the device may be forgotten at any moment.
 */
export async function takeHandle(
  db: Kysely<Schema>,
  use: { handleHash: string; nextHash: string; address: string; now: number; attended: boolean } & RememberLimits,
): Promise<HandleUse> {
  return inTransaction(db, async (trx) => {
    const found = await trx
      .selectFrom('remember')
      .selectAll()
      .where('handle_hash', '=', use.handleHash)
      .forUpdate()
      .executeTakeFirst()
    if (!found) return reuse(trx, use)
    if (found.expires_at.getTime() <= use.now) {
      await trx.deleteFrom('remember').where('remember_id', '=', found.remember_id).execute()
      return { kind: 'unknown' }
    }
    await trx.insertInto('remember_spent').values({ handle_hash: use.handleHash, remember_id: found.remember_id }).execute()
    await trx
      .updateTable('remember')
      .set({ handle_hash: use.nextHash, address: use.address })
      .where('remember_id', '=', found.remember_id)
      .execute()
    if (use.attended) await touchRemembered(trx, found.remember_id, use)
    return { kind: 'taken', rememberId: found.remember_id, accountId: found.account_id }
  })
}

/** Somebody uses the device. */
export async function touchRemembered(
  db: Kysely<Schema>,
  rememberId: string,
  { now, expiresAt, maxMs }: { now: number } & RememberLimits,
): Promise<void> {
  await sql`update remember set used_at = ${new Date(now)},
    expires_at = least(${new Date(expiresAt)}::timestamptz, created_at + ${maxMs} * interval '1 millisecond')
    where remember_id = ${rememberId}`.execute(db)
}

/** Two tabs that come back at once may both have read the handle: the second is no thief. */
const tabsApartMs = 10_000

async function reuse(
  trx: Kysely<Schema>,
  { handleHash, address, now }: { handleHash: string; address: string; now: number },
): Promise<HandleUse> {
  const spent = await trx
    .selectFrom('remember_spent')
    .select('remember_id')
    .where('handle_hash', '=', handleHash)
    .executeTakeFirst()
  if (!spent) return { kind: 'unknown' }
  // Each use of a handle begins the device's session anew.
  const justBegun = await trx
    .selectFrom('session')
    .select('session_id')
    .where('remember_id', '=', spent.remember_id)
    .where('address', '=', address)
    .where('created_at', '>', new Date(now - tabsApartMs))
    .executeTakeFirst()
  if (justBegun) return { kind: 'unknown' }
  const sessions = await trx.deleteFrom('session').where('remember_id', '=', spent.remember_id).returning('session_id').execute()
  const family = await trx
    .deleteFrom('remember')
    .where('remember_id', '=', spent.remember_id)
    .returning('account_id')
    .executeTakeFirst()
  await revokeGroupOperations(trx, { sessionIds: sessions.map((each) => each.session_id), rememberIds: [spent.remember_id] })
  return family
    ? { kind: 'reused', accountId: family.account_id, ended: sessions.map((each) => each.session_id) }
    : { kind: 'unknown' }
}

/** Devices of an account that stay signed in, the last used first. */
export async function rememberedOf(db: Kysely<Schema>, accountId: string, now: number): Promise<Remembered[]> {
  const rows = await db
    .selectFrom('remember')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('expires_at', '>', new Date(now))
    .orderBy('used_at', 'desc')
    .execute()
  return rows.map((row) => ({
    rememberId: row.remember_id,
    createdAt: row.created_at.getTime(),
    usedAt: row.used_at.getTime(),
    address: row.address,
  }))
}
