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

/** Whoever has one address of version 6 has a whole /48 of them, more or less. */
const neighbourhood = sql`case when address like '%:%' and address not like '::%'
  then split_part(address, ':', 1) || ':' || split_part(address, ':', 2) || ':' || split_part(address, ':', 3) else address end`

/** Leaves room for one more: of so many the newest of the neighbourhood with the most go first. One that was approved stays. */
export async function deleteBeyond(db: Kysely<Schema>, most: number): Promise<void> {
  await sql`delete from screen_pairing where code in (
    select code from (
      select code, row_number() over (partition by ${neighbourhood} order by expires_at) as place from screen_pairing
      where link_id is null) waiting
    order by place, code offset ${most - 1})`.execute(db)
}
