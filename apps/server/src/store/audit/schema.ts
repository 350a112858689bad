import type { GeneratedAlways } from 'kysely'
import type { Json } from '../core/columns.ts'

/** The tables of `audit` as Kysely sees them. */
export interface AuditTables {
  audit: AuditTable
  audit_bring_over: AuditBringOverTable
}

interface AuditTable {
  audit_id: string
  at: Date
  actor: string
  address: string
  action: string
  target: string
  before: Json<unknown> | null
  after: Json<unknown> | null
  outcome: string
  previous_hash: string
  hash: string
  tree: string | null
  actor_key: GeneratedAlways<string>
  chain: number
  /** Null of an entry from before these columns, until it is brought over. */
  subject_kind: string | null
  subject_id: string | null
  gateway_id: number | null
  claimed: boolean
}

interface AuditBringOverTable {
  below: string
}
