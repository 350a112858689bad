import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'
import type { HashedEntry } from './chain.ts'

/** An entry of the audit trail as its hash covers it. */
export type StoredEntry = HashedEntry & { readonly hash: string }

/** Entries from a sequence number on, in their order. They are committed in that order, so none appears behind one that was read. */
export const entriesFrom = (db: Kysely<Schema>, first: number, limit: number): Promise<StoredEntry[]> =>
  db
    .selectFrom('audit')
    .select(['audit_id', 'at', 'actor', 'address', 'action', 'target', 'outcome', 'previous_hash', 'hash', 'tree'])
    .select(['chain', 'subject_kind', 'subject_id', 'gateway_id', 'claimed'])
    .select([sql<string | null>`before::text`.as('before'), sql<string | null>`after::text`.as('after')])
    .where('audit_id', '>=', String(first))
    .orderBy('audit_id')
    .limit(limit)
    .execute()

/** The hashes of entries between two sequence numbers, both included, by sequence number. */
export async function hashesBetween(db: Kysely<Schema>, first: number, last: number): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('audit')
    .select(['audit_id', 'hash'])
    .where('audit_id', '>=', String(first))
    .where('audit_id', '<=', String(last))
    .execute()
  return new Map(rows.map((row) => [Number(row.audit_id), row.hash]))
}

/** The sequence number of the newest entry; 0: there is none. */
export async function newestEntry(db: Kysely<Schema>): Promise<number> {
  const row = await db.selectFrom('audit').select('audit_id').orderBy('audit_id', 'desc').limit(1).executeTakeFirst()
  return Number(row?.audit_id ?? 0)
}
