import type { Generated } from 'kysely'
import type { Json } from '../core/columns.ts'

/** The tables of `push` as Kysely sees them. */
export interface PushTables {
  push: PushTable
  push_inbox: PushInboxTable
}

interface PushTable {
  push_id: Generated<number>
  project_id: number
  platform: 'onenet' | 'ctwing'
  name: string
  secret: string
  aes_key: string | null
  products: Json<Readonly<Record<string, string>>>
  reporting_period_ms: number
  enabled: Generated<boolean>
  accepted: Generated<string>
  refused: Generated<string>
  duplicates: Generated<string>
  set_aside: Generated<string>
  last_at: Date | null
  last_refused_at: Date | null
  last_refusal: string | null
  owner_changed_at: Date | null
  removed_at: Date | null
  version: Generated<number>
}

interface PushInboxTable {
  inbox_id: Generated<string>
  push_id: number
  key: Buffer
  received_at: Date
  body: string | null
  done_at: Date | null
}
