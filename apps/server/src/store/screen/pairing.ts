import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'

export type PairingRow = Selectable<Schema['screen_pairing']>

interface NewPairing {
  readonly code: string
  readonly claimHash: string
  readonly address: string
  readonly browser: string
  readonly expiresAt: number
}

/** A code that a wall shows; false: another wall shows the same. */
export async function insertPairing(
  db: Kysely<Schema>,
  { code, claimHash, address, browser, expiresAt }: NewPairing,
): Promise<boolean> {
  const row = { code, claim_hash: claimHash, address, browser, expires_at: new Date(expiresAt) }
  const made = await db
    .insertInto('screen_pairing')
    .values(row)
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning('code')
    .executeTakeFirst()
  return made !== undefined
}

/** A code that waits for somebody. */
export const waitingPairing = (db: Kysely<Schema>, code: string, now: number): Promise<PairingRow | undefined> =>
  db
    .selectFrom('screen_pairing')
    .selectAll()
    .where('code', '=', code)
    .where('link_id', 'is', null)
    .where('expires_at', '>', new Date(now))
    .executeTakeFirst()

/** The wall that shows this code is given a link; false: nobody waits by it any more. */
export async function approvePairing(trx: Kysely<Schema>, code: string, linkId: number, now: number): Promise<boolean> {
  const row = await trx
    .updateTable('screen_pairing')
    .set({ link_id: linkId })
    .where('code', '=', code)
    .where('link_id', 'is', null)
    .where('expires_at', '>', new Date(now))
    .returning('code')
    .executeTakeFirst()
  return row !== undefined
}

/** By the claim of the wall that shows it. */
export const pairingClaimed = (trx: Kysely<Schema>, hash: string): Promise<PairingRow | undefined> =>
  trx.selectFrom('screen_pairing').selectAll().where('claim_hash', '=', hash).forUpdate().executeTakeFirst()

export async function deletePairing(trx: Kysely<Schema>, code: string): Promise<void> {
  await trx.deleteFrom('screen_pairing').where('code', '=', code).execute()
}

export async function deletePairingsBefore(db: Kysely<Schema>, now: number): Promise<void> {
  await db.deleteFrom('screen_pairing').where('expires_at', '<', new Date(now)).execute()
}

export async function countPairings(db: Kysely<Schema>): Promise<number> {
  const { count } = await db.selectFrom('screen_pairing').select(sql<string>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return Number(count)
}
