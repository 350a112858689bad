import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { withSortedKeys } from '../../lib/sorted-keys.ts'
import type { Schema } from '../core/schema.ts'

export const genesis = '0'.repeat(64)

/** 2: the hash of an entry covers what it is about, too. Entries of 1 had that filled in later; one entry seals it for all of them. */
export const chainNow = 2

/** What the hash of an entry covers. */
export interface HashedEntry {
  readonly chain: number
  readonly audit_id: string
  readonly at: Date
  readonly actor: string
  readonly address: string
  readonly action: string
  readonly target: string
  readonly before: string | null
  readonly after: string | null
  readonly outcome: string
  readonly previous_hash: string
  readonly tree: string | null
  readonly subject_kind: string | null
  readonly subject_id: string | null
  readonly gateway_id: number | null
  readonly claimed: boolean
}

/** Covers the entry before, and every field of this one that its version of the chain knows. */
export function hashOf(row: HashedEntry): string {
  // The database gives JSON back in its own order and spacing, so the hash goes over its canonical form.
  const { audit_id, at, actor, address, action, target, before, after, outcome, previous_hash, tree } = row
  const fields = [
    previous_hash,
    audit_id,
    at.toISOString(),
    actor,
    address,
    action,
    target,
    canonical(before),
    canonical(after),
    outcome,
  ]
  const { chain, subject_kind, subject_id, gateway_id, claimed } = row
  if (chain !== 1) fields.unshift(String(chain))
  // Entries from before there were trees have none, and their hashes stay right.
  const rest = chain === 1 ? (tree === null ? [] : [tree]) : [tree, subject_kind, subject_id, gateway_id, claimed]
  return createHash('sha256')
    .update(JSON.stringify([...fields, ...rest]))
    .digest('hex')
}

const canonical = (json: string | null): string | null =>
  json === null ? null : JSON.stringify(withSortedKeys(JSON.parse(json)))

const walkedAtOnce = 2_000

/** The entries in their order, with their JSON as the database has it. */
async function* entriesOf(db: Kysely<Schema>, chain: number | null, atOnce = walkedAtOnce) {
  let after = '0'
  for (;;) {
    let query = db
      .selectFrom('audit')
      .selectAll()
      .select([sql<string | null>`before::text`.as('before_text'), sql<string | null>`after::text`.as('after_text')])
      .where('audit_id', '>', after)
      .orderBy('audit_id')
      .limit(atOnce)
    if (chain !== null) query = query.where('chain', '=', chain)
    const rows = await query.execute()
    yield* rows
    if (rows.length < atOnce) return
    after = rows.at(-1)?.audit_id ?? after
  }
}

type Filled = Pick<HashedEntry, 'audit_id' | 'subject_kind' | 'subject_id' | 'gateway_id' | 'claimed'>

/** What was filled in of entries from before, as one value over all of them in their order. */
function seal() {
  const hash = createHash('sha256')
  return {
    add: ({ audit_id, subject_kind, subject_id, gateway_id, claimed }: Filled): void =>
      void hash.update(`${JSON.stringify([audit_id, subject_kind, subject_id, gateway_id, claimed])}\n`),
    value: (): string => hash.digest('hex'),
  }
}

/** The seal over the entries of the first version of the chain, and how many they are. */
export async function sealOfFormer(db: Kysely<Schema>): Promise<{ entries: number; digest: string }> {
  const former = seal()
  let entries = 0
  for await (const row of entriesOf(db, 1)) {
    former.add(row)
    entries += 1
  }
  return { entries, digest: former.value() }
}

/**
 * Walks the chain: how many rows it has, and the id of the first that does not fit, or null when all do. All of it is read as it stands at one
 * moment: who looks while old entries are brought over would else see some from before their seal beside it.
 */
export function walkAudit(db: Kysely<Schema>, atOnce?: number): Promise<{ entries: number; firstBroken: string | null }> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((snapshot) => walk(snapshot, atOnce))
}

async function walk(db: Kysely<Schema>, atOnce?: number): Promise<{ entries: number; firstBroken: string | null }> {
  let previous = genesis
  let last = 0n
  let chain = 1
  const former = seal()
  let formerIs: string | null = null
  const isSealed = (row: { action: string; after: unknown }) => {
    if (row.action !== 'audit.subjects') return true
    formerIs ??= former.value()
    return (row.after as { digest?: unknown } | null)?.digest === formerIs
  }
  for await (const row of entriesOf(db, null, atOnce)) {
    const hash = hashOf({ ...row, before: row.before_text, after: row.after_text })
    // An older version below a newer one would take what the newer covers out of the hash.
    if (row.chain < chain) return { entries: Number(last), firstBroken: row.audit_id }
    chain = row.chain
    if (row.chain === 1) former.add(row)
    if (row.previous_hash !== previous || row.hash !== hash || BigInt(row.audit_id) !== last + 1n || !isSealed(row))
      return { entries: Number(last), firstBroken: row.audit_id }
    previous = row.hash
    last += 1n
  }
  return { entries: Number(last), firstBroken: null }
}
