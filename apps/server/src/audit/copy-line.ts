import type { HashedEntry } from '../store/audit/chain.ts'
import { hashOf } from '../store/audit/chain.ts'
import type { StoredEntry } from '../store/audit/entries.ts'

/** An entry as it was read from a copy. */
export interface CopiedEntry {
  readonly sequence: number
  readonly previousHash: string
  readonly hash: string
  /** Whether its hash is that of what the line says. */
  readonly isIntact: boolean
}

/** One entry of the audit trail as a line of JSON, without the line's end. */
export function lineOf({ audit_id, at, tree, before, after, previous_hash, hash, ...entry }: StoredEntry): string {
  return JSON.stringify({
    sequence: Number(audit_id),
    at: at.toISOString(),
    actor: entry.actor,
    address: entry.address,
    action: entry.action,
    target: entry.target,
    ...(before !== null && { before: JSON.parse(before) }),
    ...(after !== null && { after: JSON.parse(after) }),
    outcome: entry.outcome,
    ...(tree !== null && { tenant: tree }),
    // What was filled in of an entry from before is no part of its hash.
    ...(entry.chain !== 1 && {
      chain: entry.chain,
      subject: { kind: entry.subject_kind, id: entry.subject_id },
      gateway: entry.gateway_id,
      claimed: entry.claimed,
    }),
    previousHash: previous_hash,
    hash,
  })
}

/** Null when it is no whole entry: power fails while a line is written, and then the entry is written once more below. */
export function readLine(line: string): CopiedEntry | null {
  const read = parsed(line)
  if (read === null) return null
  const { sequence, at, previousHash, hash } = read
  if (typeof sequence !== 'number' || !Number.isSafeInteger(sequence)) return null
  if (typeof previousHash !== 'string' || typeof hash !== 'string') return null
  const time = new Date(String(at))
  if (Number.isNaN(time.getTime())) return null
  const own = hashOf({
    audit_id: String(sequence),
    at: time,
    actor: String(read.actor),
    address: String(read.address),
    action: String(read.action),
    target: String(read.target),
    before: jsonOf(read, 'before'),
    after: jsonOf(read, 'after'),
    outcome: String(read.outcome),
    previous_hash: previousHash,
    tree: read.tenant === undefined ? null : String(read.tenant),
    ...subjectOf(read),
  })
  return { sequence, previousHash, hash, isIntact: own === hash }
}

function subjectOf({ chain, subject, gateway, claimed }: Record<string, unknown>): Pick<HashedEntry, SubjectField> {
  if (chain === undefined) return { chain: 1, subject_kind: null, subject_id: null, gateway_id: null, claimed: false }
  const { kind, id } = (subject ?? {}) as { kind?: unknown; id?: unknown }
  return {
    chain: Number(chain),
    subject_kind: String(kind),
    subject_id: String(id),
    gateway_id: gateway === null ? null : Number(gateway),
    claimed: claimed === true,
  }
}

type SubjectField = 'chain' | 'subject_kind' | 'subject_id' | 'gateway_id' | 'claimed'

const jsonOf = (read: Record<string, unknown>, key: 'before' | 'after'): string | null =>
  key in read ? JSON.stringify(read[key]) : null

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}
