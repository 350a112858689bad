import type { Kysely } from 'kysely'
import type { Schema } from '../core/schema.ts'

export type AttemptKind = 'login' | 'control' | 'second'

/**
 * Times of failures since, Unix ms. `account` null: of whatever account. `address`: from which network, of control passwords in which session
 * (`session {id}`); null: from anywhere.
 */
export async function failuresSince(
  db: Kysely<Schema>,
  kind: AttemptKind,
  account: string | null,
  address: string | null,
  since: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('failed_attempt')
    .select('at')
    .where('kind', '=', kind)
    .$if(account !== null, (query) => query.where('account', '=', account?.toLowerCase() ?? ''))
    .$if(address !== null, (query) => query.where('address', '=', address ?? ''))
    .where('at', '>', new Date(since))
    .execute()
  return rows.map((row) => row.at.getTime())
}

export async function recordFailure(
  db: Kysely<Schema>,
  kind: AttemptKind,
  account: string,
  address: string,
  now: number,
): Promise<void> {
  await db
    .insertInto('failed_attempt')
    .values({ kind, account: account.toLowerCase(), address, at: new Date(now) })
    .execute()
}

export async function clearFailures(db: Kysely<Schema>, kind: AttemptKind, account: string, address: string): Promise<void> {
  await db
    .deleteFrom('failed_attempt')
    .where('kind', '=', kind)
    .where('account', '=', account.toLowerCase())
    .where('address', '=', address)
    .execute()
}

export async function insertGrant(
  db: Kysely<Schema>,
  grantHash: string,
  sessionId: string,
  operation: string,
  expiresAt: number,
): Promise<void> {
  await db
    .insertInto('control_grant')
    .values({ grant_hash: grantHash, session_id: sessionId, operation, expires_at: new Date(expiresAt) })
    .execute()
}

/** Takes a grant out; true when it was there, for this session and this operation, and not expired. A wrong use spends it too. */
export async function redeemGrant(
  db: Kysely<Schema>,
  grantHash: string,
  sessionId: string,
  operation: string,
  now: number,
): Promise<boolean> {
  const row = await db.deleteFrom('control_grant').where('grant_hash', '=', grantHash).returningAll().executeTakeFirst()
  return row !== undefined && row.session_id === sessionId && row.operation === operation && row.expires_at.getTime() > now
}
