import type { AuditAction, AuditOutcome, AuditSubject } from '@linewarden/contract'
import type { Insertable, Kysely } from 'kysely'
import { sql } from 'kysely'
import { Semaphore } from '../../lib/serial.ts'
import { storableJson, storableText } from '../../lib/storable-text.ts'
import type { Schema } from '../core/schema.ts'
import { chainNow, genesis, hashOf } from './chain.ts'

type Placed = 'gateway' | 'device' | 'line'

/** What an entry is about. Of equipment it also says at which gateway, because whoever sees that gateway reads of it. */
export type Subject =
  | Exclude<AuditSubject, { readonly kind: Placed }>
  | (Extract<AuditSubject, { readonly kind: Placed }> & { readonly gatewayId: number })

/** One thing somebody did, or tried. */
export interface AuditEntry {
  /** Unix ms. */
  readonly at: number
  readonly actor: string
  readonly address: string
  readonly action: AuditAction
  readonly subject: Subject | Claim
  /** As it was called when it was written, for ever; left out: by its kind and id. */
  readonly target?: string
  readonly before?: unknown
  readonly after?: unknown
  readonly outcome: AuditOutcome
  /** In whose log it stands: that of whoever owns the target; left out where somebody does something to their own account. */
  readonly tenant?: string | null
}

/** What a refused request named, before anybody looked whether there is such a thing: only administrators read of it. */
export type Claim = AuditSubject & { readonly claimed: true }

/**
 * Appends to the audit log, inside the caller's transaction or in one of its own. Each row's hash covers the row before it, so that a row
 * changed or taken out shows. Rows are written one after the other, whoever writes.
 */
export const appendAudit = (db: Kysely<Schema>, entry: AuditEntry): Promise<void> => appendEntries(db, [entry])

/** The same for several, in their order: however many they are, one statement. */
export async function appendEntries(db: Kysely<Schema>, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return
  if (!db.isTransaction) {
    await db.transaction().execute((trx) => appendEntries(trx, entries))
    return
  }
  await turnAtLog(db)
  const last = await db.selectFrom('audit').select(['audit_id', 'hash']).orderBy('audit_id', 'desc').limit(1).executeTakeFirst()
  const rows: Insertable<Schema['audit']>[] = []
  let [audit_id, previous_hash] = [last?.audit_id ?? '0', last?.hash ?? genesis]
  for (const entry of entries) {
    audit_id = String(BigInt(audit_id) + 1n)
    const row = { ...(await rowOf(db, entry)), audit_id, previous_hash }
    const hash = hashOf(row)
    rows.push({ ...row, hash })
    previous_hash = hash
  }
  await db.insertInto('audit').values(rows).execute()
}

async function rowOf(db: Kysely<Schema>, entry: AuditEntry) {
  const actor = storableText(entry.actor)
  const { subject } = entry
  return {
    chain: chainNow,
    at: new Date(entry.at),
    actor,
    address: entry.address,
    action: entry.action,
    target: storableText(entry.target ?? writtenAs(subject)),
    before: jsonOf(entry.before),
    after: jsonOf(entry.after),
    outcome: entry.outcome,
    tree: entry.tenant === undefined ? await tenantOfActor(db, actor) : entry.tenant,
    subject_kind: subject.kind,
    subject_id: storableText(subject.id),
    gateway_id: 'gatewayId' in subject ? subject.gatewayId : null,
    claimed: 'claimed' in subject,
  }
}

/** What is written where nothing else says how the thing is called. */
export function writtenAs({ kind, id }: AuditSubject): string {
  switch (kind) {
    case 'project':
    case 'group':
    case 'role':
    case 'campaign':
    case 'template':
      return `${kind} ${id}`
    case 'gatewayId':
      return `gateway ${id}`
    case 'push':
      return `project ${id.replace('/', ' push ')}`
    case 'batch':
      return id.replace('/', ' lines, ')
    default:
      return id
  }
}

/** Waits for the turn at the log, and has it until the transaction ends. */
export const turnAtLog = (trx: Kysely<Schema>): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtext('audit'))`.execute(trx)

/** The place of something in the plant, and in whose log it is. */
interface Location {
  readonly tenant: string | null
  readonly place: unknown
}

/** Appends that something was moved. Whom it leaves and whom it comes to read of it each in their own log, and nothing of the other. */
export async function appendMove(trx: Kysely<Schema>, entry: AuditEntry, from: Location, to: Location): Promise<void> {
  if (from.tenant === to.tenant) return appendAudit(trx, { ...entry, tenant: to.tenant, before: from.place, after: to.place })
  await appendAudit(trx, { ...entry, tenant: from.tenant, before: from.place })
  await appendAudit(trx, { ...entry, tenant: to.tenant, after: to.place })
}

const refusals = new WeakMap<Kysely<Schema>, Semaphore>()
/** Of the connections of a lane: refusals that wait for their turn at the log must never hold all that a trip needs. */
const maxRefusals = 2

/** Appends what was refused, in a transaction of its own; however many are refused at once, the lane stays open to who does something. */
export async function appendRefusal(lane: Kysely<Schema>, entry: AuditEntry & { readonly outcome: 'refused' }): Promise<void> {
  const writing = refusals.get(lane) ?? new Semaphore(maxRefusals)
  refusals.set(lane, writing)
  await writing.run(() => appendAudit(lane, entry))
}

/** What somebody tried is written down whatever it holds: an entry that cannot be stored would be one that is missing. */
function jsonOf(value: unknown): string | null {
  return value === undefined ? null : storableJson(value)
}

/** Whose tenant somebody acts in, as it is at this moment; null: the installation's own, or nobody known. */
async function tenantOfActor(db: Kysely<Schema>, actor: string): Promise<string | null> {
  const { rows } = await sql<{ tree: string | null }>`
    select case kind when 'project' then account_id else owner_id end as tree from account where lower(user_name) = lower(${actor})`.execute(
    db,
  )
  return rows[0]?.tree ?? null
}
