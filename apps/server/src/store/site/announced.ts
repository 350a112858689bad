import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'

/** A number that tried to connect and that nobody has added. */
export interface UnknownGateway {
  readonly number: string
  /** Unix ms. */
  readonly firstAt: number
  readonly lastAt: number
  readonly tries: number
  /** From where it tried last. */
  readonly address: string
  readonly dismissed: boolean
}

/** Everybody who is kept, whoever tried last at the end. */
export async function readUnknownGateways({ general }: Database): Promise<UnknownGateway[]> {
  const rows = await general.selectFrom('announced_gateway').selectAll().orderBy('last_at').execute()
  return rows.map(({ first_at, last_at, ...row }) => ({ ...row, firstAt: first_at.getTime(), lastAt: last_at.getTime() }))
}

/** Writes who is new or came again, and drops everybody who is not in `kept`. */
export async function writeUnknownGateways(
  { general }: Database,
  changed: readonly UnknownGateway[],
  kept: readonly string[],
): Promise<void> {
  await general.transaction().execute(async (trx) => {
    await sql`delete from announced_gateway where number <> all(${[...kept]}::text[])`.execute(trx)
    await write(trx, changed)
  })
}

/** Writes that somebody does not want to see this one again, with its entry in the log. */
export async function dismissUnknownGateway(
  { general }: Database,
  unknownGateway: UnknownGateway,
  audit: AuditEntry,
): Promise<void> {
  await general.transaction().execute(async (trx) => {
    await write(trx, [{ ...unknownGateway, dismissed: true }])
    await appendAudit(trx, audit)
  })
}

async function write(trx: Kysely<Schema>, changed: readonly UnknownGateway[]): Promise<void> {
  await sql`insert into announced_gateway (number, first_at, last_at, tries, address, dismissed)
    select * from unnest(${changed.map(({ number }) => number)}::text[],
      ${changed.map(({ firstAt }) => new Date(firstAt))}::timestamptz[], ${changed.map(({ lastAt }) => new Date(lastAt))}::timestamptz[],
      ${changed.map(({ tries }) => tries)}::int[], ${changed.map(({ address }) => address)}::text[],
      ${changed.map(({ dismissed }) => dismissed)}::bool[])
    on conflict (number) do update set first_at = excluded.first_at, last_at = excluded.last_at, tries = excluded.tries,
      address = excluded.address, dismissed = excluded.dismissed`.execute(trx)
}
