import { createHash, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Makes a device's token: 128 random bits, of which only the hash is kept. The one before it counts no more. */
export async function issueToken({ general }: Database, deviceId: number, madeBy: string, audit: AuditEntry): Promise<string> {
  const token = randomBytes(16).toString('base64url')
  await general.transaction().execute(async (trx) => {
    // Two people at once: the second waits here and takes back what the first has just made.
    await trx.selectFrom('device').select('device_id').where('device_id', '=', deviceId).forUpdate().execute()
    await trx
      .updateTable('device_token')
      .set({ revoked_at: new Date(audit.at) })
      .where('device_id', '=', deviceId)
      .where('revoked_at', 'is', null)
      .execute()
    await trx
      .insertInto('device_token')
      .values({ token_hash: hashOf(token), device_id: deviceId, made_by: madeBy, made_at: new Date(audit.at) })
      .execute()
    await appendAudit(trx, audit)
  })
  return token
}

/** The token that opens a device now, without what opens it. */
export async function tokenOf(
  { general }: Database,
  deviceId: number,
): Promise<{ readonly madeBy: string; readonly madeAt: number } | null> {
  const found = await general
    .selectFrom('device_token')
    .innerJoin('account', 'account.account_id', 'device_token.made_by')
    .select(['account.user_name', 'device_token.made_at'])
    .where('device_id', '=', deviceId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return found ? { madeBy: found.user_name, madeAt: found.made_at.getTime() } : null
}

export async function revokeToken({ general }: Database, deviceId: number, audit: AuditEntry): Promise<void> {
  await general.transaction().execute(async (trx) => {
    await trx
      .updateTable('device_token')
      .set({ revoked_at: new Date(audit.at) })
      .where('device_id', '=', deviceId)
      .where('revoked_at', 'is', null)
      .execute()
    await appendAudit(trx, audit)
  })
}

/** Ends every token of these gateways' devices: who holds one was trusted by whoever had them before. */
export async function revokeTokensOf(trx: Kysely<Schema>, gatewayIds: readonly number[], at: Date): Promise<void> {
  await sql`update device_token set revoked_at = ${at} from device
    where device.device_id = device_token.device_id and device.gateway_id = any(${[...gatewayIds]}::int[]) and revoked_at is null`.execute(
    trx,
  )
}

/** The device that a token opens, and who made it. */
export async function deviceOfToken(
  { control }: Database,
  token: string,
): Promise<{ controllerId: string; madeBy: string } | null> {
  const found = await control
    .selectFrom('device_token')
    .innerJoin('device', 'device.device_id', 'device_token.device_id')
    .select(['device.controller_id as controllerId', 'device_token.made_by as madeBy'])
    .where('token_hash', '=', hashOf(token))
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return found ?? null
}
