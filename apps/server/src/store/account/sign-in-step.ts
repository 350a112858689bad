import type { AuditAction } from '@linewarden/contract'
import type { Kysely } from 'kysely'
import type { Schema } from '../core/schema.ts'

/** Half a sign-in, waiting for its other half. */
export interface SignInStep {
  readonly accountId: string
  /** What is still wanted: a second factor, or only to be turned into a session. */
  readonly wants: 'second' | 'session'
  /** Under what name the sign-in stands in the audit log. */
  readonly action: AuditAction
  readonly remember: boolean
}

export async function insertStep(db: Kysely<Schema>, stepHash: string, step: SignInStep, expiresAt: number): Promise<void> {
  const { accountId, ...rest } = step
  await db
    .insertInto('sign_in_step')
    .values({ ...rest, step_hash: stepHash, account_id: accountId, expires_at: new Date(expiresAt) })
    .execute()
}

/** The step, if it wants just this and its time has not run out. It stays until it is taken. */
export async function findStep(
  db: Kysely<Schema>,
  stepHash: string,
  wants: SignInStep['wants'],
  now: number,
): Promise<SignInStep | null> {
  const row = await db
    .selectFrom('sign_in_step')
    .select(['account_id as accountId', 'wants', 'action', 'remember'])
    .where('step_hash', '=', stepHash)
    .where('wants', '=', wants)
    .where('expires_at', '>', new Date(now))
    .executeTakeFirst()
  return row ?? null
}

/** What was begun with what counted before leads to no session. */
export async function deleteStepsOf(db: Kysely<Schema>, accountId: string): Promise<void> {
  await db.deleteFrom('sign_in_step').where('account_id', '=', accountId).execute()
}

/** Takes it out; false when somebody else was quicker. */
export async function takeStep(db: Kysely<Schema>, stepHash: string): Promise<boolean> {
  const row = await db.deleteFrom('sign_in_step').where('step_hash', '=', stepHash).returning('step_hash').executeTakeFirst()
  return row !== undefined
}
