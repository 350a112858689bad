import { dayMs } from '@linewarden/equipment'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { SignIns } from '../control/group-operation-life.ts'
import { revokeGroupOperations } from '../control/group-operation-life.ts'
import { inTransaction } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import { deleteStepsOf } from './sign-in-step.ts'

export interface StoredSession {
  readonly sessionId: string
  readonly accountId: string
  /** As stored: sealed. */
  readonly token: string
  readonly createdAt: number
  readonly lastUsedAt: number
  readonly address: string
  /** The remembered device it is on; null: it ends with itself. */
  readonly rememberId: string | null
  /** When its person gave the password last; null: remembered, and not yet. */
  readonly provedAt: number | null
  /** The API key that opened it; null: its person did. */
  readonly key: SessionKey | null
}

export interface SessionKey {
  readonly keyId: string
  readonly name: string
  readonly operates: boolean
  readonly projectIds: readonly number[]
  readonly expiresAt: number
}

export interface NewSession {
  readonly accountId: string
  readonly sealedToken: string
  readonly address: string
  readonly now: number
  readonly rememberId: string | null
  readonly proved: boolean
  readonly keyId: string | null
}

const maxSessions = 5
/** Each signature is tried with the tokens of all sessions of its account, and an account has many keys. */
const maxSessionsOfKey = 3

/**
 * Begins a session; of more than five of one account, or three of one of its keys, the oldest end, and on a remembered device the one
 * before. Answers its id and the ids of those that ended.
 */
export async function insertSession(
  db: Kysely<Schema>,
  { accountId, sealedToken, address, now, rememberId, proved, keyId }: NewSession,
): Promise<{ sessionId: string; ended: string[] }> {
  return inTransaction(db, async (trx) => {
    const at = new Date(now)
    // On from where the account was told: one session ends by itself and the next begins, and an alarm in between is still to be told.
    const lastNotified = sql<string>`(select coalesce(
      (select max(last_announcement_id) from session where account_id = ${accountId}), (select max(announcement_id) from announcement), 0))`
    const row = {
      account_id: accountId,
      token: sealedToken,
      created_at: at,
      last_used_at: at,
      address,
      last_announcement_id: lastNotified,
      remember_id: rememberId,
      proved_at: proved ? at : null,
      key_id: keyId,
    }
    const made = await trx.insertInto('session').values(row).returning('session_id').executeTakeFirstOrThrow()
    // Whether somebody still signs in is asked of accounts that nobody may use any more: a machine is nobody.
    if (keyId === null) await trx.updateTable('account').set({ last_login_at: at }).where('account_id', '=', accountId).execute()
    const all = await trx
      .selectFrom('session')
      .select(['session_id', 'remember_id'])
      .where('account_id', '=', accountId)
      .where(sql<boolean>`key_id is not distinct from ${keyId}::uuid`)
      .orderBy('session_id', 'desc')
      .execute()
    const former = ({ session_id, remember_id }: (typeof all)[number]) =>
      rememberId !== null && remember_id === rememberId && session_id !== made.session_id
    const ended = all
      .filter((each, index) => index >= (keyId === null ? maxSessions : maxSessionsOfKey) || former(each))
      .map((each) => each.session_id)
    if (ended.length > 0) await trx.deleteFrom('session').where('session_id', 'in', ended).execute()
    return { sessionId: made.session_id, ended }
  })
}

/** Every session of an account, newest first: a request names its account, and its signature tells which session. */
export async function sessionsOf(db: Kysely<Schema>, accountId: string): Promise<StoredSession[]> {
  const rows = await db
    .selectFrom('session')
    .leftJoin('machine_key', 'machine_key.key_id', 'session.key_id')
    .selectAll('session')
    .select(['machine_key.name', 'machine_key.operates', 'machine_key.project_ids', 'machine_key.expires_at'])
    .where('session.account_id', '=', accountId)
    .orderBy('session_id', 'desc')
    .execute()
  return rows.map((row) => ({
    sessionId: row.session_id,
    accountId: row.account_id,
    token: row.token,
    createdAt: row.created_at.getTime(),
    lastUsedAt: row.last_used_at.getTime(),
    address: row.address,
    rememberId: row.remember_id,
    provedAt: row.proved_at?.getTime() ?? null,
    key: keyOf(row),
  }))
}

interface KeyColumns {
  readonly key_id: string | null
  readonly name: string | null
  readonly operates: boolean | null
  readonly project_ids: readonly number[] | null
  readonly expires_at: Date | null
}

const keyOf = ({ key_id, name, operates, project_ids, expires_at }: KeyColumns): SessionKey | null =>
  key_id === null
    ? null
    : {
        keyId: key_id,
        name: name ?? '',
        operates: operates === true,
        projectIds: project_ids ?? [],
        expiresAt: expires_at?.getTime() ?? 0,
      }

export async function touchSession(db: Kysely<Schema>, sessionId: string, now: number): Promise<void> {
  await db
    .updateTable('session')
    .set({ last_used_at: new Date(now) })
    .where('session_id', '=', sessionId)
    .execute()
}

/** The person of this session gave the password: it goes on under another token. */
export async function proveSession(db: Kysely<Schema>, sessionId: string, sealedToken: string, now: number): Promise<void> {
  await db
    .updateTable('session')
    .set({ proved_at: new Date(now), token: sealedToken })
    .where('session_id', '=', sessionId)
    .execute()
}

/** Sessions, and devices on which none is open. */
export interface Ending {
  readonly sessionIds: readonly string[]
  readonly rememberIds: readonly string[]
  /** Their person signs out: group operations started from them go on. */
  readonly signingOut?: true
  /** Whose group operations are over; left out: of these sessions and devices. */
  readonly groupOperationsOf?: SignIns
}

/** Ends sessions, and with each what its device remembers: they end because somebody wants it to. */
export async function endThese(db: Kysely<Schema>, ending: Ending, audit: AuditEntry | null): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const isEnding = sql<boolean>`session_id = any(${[...ending.sessionIds]}::bigint[])`
    const rows = await trx.deleteFrom('session').where(isEnding).returning('remember_id').execute()
    const forgotten = [...ending.rememberIds, ...rows.flatMap((row) => row.remember_id ?? [])]
    await sql`delete from remember where remember_id = any(${forgotten}::bigint[])`.execute(trx)
    if (!ending.signingOut)
      await revokeGroupOperations(trx, ending.groupOperationsOf ?? { sessionIds: ending.sessionIds, rememberIds: forgotten })
    if (audit) await appendAudit(trx, audit)
  })
}

/** Ends every session of an account, whole or half begun, and forgets its devices. */
export async function deleteSessionsOf(db: Kysely<Schema>, accountId: string): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    const rows = await trx.deleteFrom('session').where('account_id', '=', accountId).returning('session_id').execute()
    await trx.deleteFrom('remember').where('account_id', '=', accountId).execute()
    await deleteStepsOf(trx, accountId)
    await revokeGroupOperations(trx, { accountId })
    return rows.map((row) => row.session_id)
  })
}

/** Takes a nonce; false when it was taken before. */
export async function takeNonce(db: Kysely<Schema>, sessionId: string, timeStamp: number, nonce: string): Promise<boolean> {
  const row = { session_id: sessionId, time_stamp: String(timeStamp), nonce }
  const made = await db
    .insertInto('nonce')
    .values(row)
    .onConflict((oc) => oc.doNothing())
    .returning('nonce')
    .executeTakeFirst()
  return made !== undefined
}

/** Removes what can never be used again: nonces outside the replay window, expired grants and handles, old failures, sessions past their end. */
export async function purgeExpired(db: Kysely<Schema>, now: number, absoluteMs: number): Promise<void> {
  await db
    .deleteFrom('nonce')
    .where('time_stamp', '<', String(Math.floor(now / 1000) - 900))
    .execute()
  for (const table of ['control_grant', 'remember', 'sign_in_step'] as const)
    await db.deleteFrom(table).where('expires_at', '<', new Date(now)).execute()
  await db
    .deleteFrom('failed_attempt')
    .where('at', '<', new Date(now - dayMs))
    .execute()
  await db
    .deleteFrom('session')
    .where('created_at', '<', new Date(now - absoluteMs))
    .execute()
}

/** Moves the session's mark over the newest event; answers where it was. */
export async function advanceAnnouncementMark(db: Kysely<Schema>, sessionId: string, to: string): Promise<void> {
  await db
    .updateTable('session')
    .set({ last_announcement_id: to })
    .where('session_id', '=', sessionId)
    .where('last_announcement_id', '<', to)
    .execute()
}

/** Up to which event this session was told, and whether its account wants to hear alarms. */
export async function announcementMark(
  db: Kysely<Schema>,
  sessionId: string,
): Promise<{ lastAnnouncementId: string; alarmSound: boolean; language: 'CN' | 'EN' }> {
  const row = await db
    .selectFrom('session')
    .innerJoin('account', 'account.account_id', 'session.account_id')
    .select(['session.last_announcement_id as lastAnnouncementId', 'account.alarm_sound as alarmSound', 'account.language'])
    .where('session.session_id', '=', sessionId)
    .executeTakeFirst()
  return row ?? { lastAnnouncementId: '0', alarmSound: false, language: 'CN' }
}
