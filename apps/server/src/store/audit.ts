import { createHash } from 'node:crypto'
import type { AuditAction, AuditOutcome } from '@linewarden/contract'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { storableText } from '../lib/storable-text.ts'
import { turnstile } from '../lib/turnstile.ts'
import type { Schema } from './core/schema.ts'

/** One thing somebody did, or tried. */
export interface AuditEntry {
  /** Unix ms. */
  readonly at: number
  readonly actor: string
  readonly address: string
  readonly action: AuditAction
  readonly target: string
  readonly before?: unknown
  readonly after?: unknown
  readonly outcome: AuditOutcome
  /** In whose log it stands: that of whoever owns the target; left out where somebody does something to their own account. */
  readonly tree?: string | null
}

const genesis = '0'.repeat(64)

/**
 * Appends to the audit log, inside the caller's transaction or in one of its own. Each row's hash covers the row before it, so that a row
 * changed or taken out shows. Rows are written one after the other, whoever writes.
 */
export async function appendAudit(db: Kysely<Schema>, entry: AuditEntry): Promise<void> {
  if (!db.isTransaction) {
    await db.transaction().execute((trx) => appendAudit(trx, entry))
    return
  }
  await turnAtLog(db)
  const last = await db.selectFrom('audit').select(['audit_id', 'hash']).orderBy('audit_id', 'desc').limit(1).executeTakeFirst()
  const audit_id = String(BigInt(last?.audit_id ?? '0') + 1n)
  const previous_hash = last?.hash ?? genesis
  const actor = storableText(entry.actor)
  const tree = entry.tree === undefined ? await treeOfActor(db, actor) : entry.tree
  const row = {
    audit_id,
    at: new Date(entry.at),
    actor,
    address: entry.address,
    action: entry.action,
    target: storableText(entry.target),
    before: jsonOf(entry.before),
    after: jsonOf(entry.after),
    outcome: entry.outcome,
    previous_hash,
    tree,
  }
  await db
    .insertInto('audit')
    .values({ ...row, hash: hashOf(row) })
    .execute()
}

/** Waits for the turn at the log, and has it until the transaction ends. */
export const turnAtLog = (trx: Kysely<Schema>): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtext('audit'))`.execute(trx)

/** Where something stands, and in whose log. */
interface Standing {
  readonly tree: string | null
  readonly place: unknown
}

/** Appends that something was moved. Whom it leaves and whom it comes to read of it each in their own log, and nothing of the other. */
export async function appendMove(trx: Kysely<Schema>, entry: AuditEntry, from: Standing, to: Standing): Promise<void> {
  if (from.tree === to.tree) return appendAudit(trx, { ...entry, tree: to.tree, before: from.place, after: to.place })
  await appendAudit(trx, { ...entry, tree: from.tree, before: from.place })
  await appendAudit(trx, { ...entry, tree: to.tree, after: to.place })
}

const refusals = new WeakMap<Kysely<Schema>, ReturnType<typeof turnstile>>()
/** Of the connections of a lane: refusals that wait for their turn at the log must never hold all that a trip needs. */
const mostRefusals = 2

/** Appends what was refused, in a transaction of its own; however many are refused at once, the lane stays open to who does something. */
export async function appendRefusal(lane: Kysely<Schema>, entry: AuditEntry & { readonly outcome: 'refused' }): Promise<void> {
  const inTurn = refusals.get(lane) ?? turnstile(mostRefusals)
  refusals.set(lane, inTurn)
  await inTurn(() => appendAudit(lane, entry))
}

/** What somebody tried is written down whatever it holds: an entry that cannot be stored would be one that is missing. */
function jsonOf(value: unknown): string | null {
  if (value === undefined) return null
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? storableText(each) : each))
}

/** Whose tree somebody acts in, as it is at this moment; null: the installation's own, or nobody known. */
async function treeOfActor(db: Kysely<Schema>, actor: string): Promise<string | null> {
  const { rows } = await sql<{ tree: string | null }>`
    select case kind when 'project' then account_id else owner_id end as tree from account where lower(user_name) = lower(${actor})`.execute(
    db,
  )
  return rows[0]?.tree ?? null
}

const walkedAtOnce = 2_000

/** Walks the chain: how many rows it has, and the id of the first that does not fit, or null when all do. */
export async function walkAudit(db: Kysely<Schema>): Promise<{ entries: number; firstBroken: string | null }> {
  let previous = genesis
  let last = 0n
  for (;;) {
    const rows = await db
      .selectFrom('audit')
      .selectAll()
      .select([sql<string | null>`before::text`.as('before_text'), sql<string | null>`after::text`.as('after_text')])
      .where('audit_id', '>', String(last))
      .orderBy('audit_id')
      .limit(walkedAtOnce)
      .execute()
    for (const row of rows) {
      const hash = hashOf({ ...row, before: row.before_text, after: row.after_text })
      if (row.previous_hash !== previous || row.hash !== hash || BigInt(row.audit_id) !== last + 1n)
        return { entries: Number(last), firstBroken: row.audit_id }
      previous = row.hash
      last += 1n
    }
    if (rows.length < walkedAtOnce) return { entries: Number(last), firstBroken: null }
  }
}

/** What the hash of an entry covers. */
export interface HashedEntry {
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
}

/** SHA-256 (hex) over an entry and the hash of the one before it. */
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
    // Entries from before there were trees have none, and their hashes stay right.
    ...(tree === null ? [] : [tree]),
  ]
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex')
}

const canonical = (json: string | null): string | null => (json === null ? null : JSON.stringify(sorted(JSON.parse(json))))

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  )
}
