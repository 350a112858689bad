import type { Generated } from 'kysely'
import type { Json } from '../core/columns.ts'

/** The tables of `ingest` as Kysely sees them. */
export interface IngestTables {
  line_state: {
    line_id: number
    states: Json<Record<string, string | null>>
    position_at: Date | null
    position_since: Date | null
    changed_at: Date
  }
  latest: { line_id: number; at: Date; received_at: Date; quality: number; reading: (number | null)[] }
  latest_watermark: { one: Generated<boolean>; received_at: Date }
  reading: { line_id: number; at: Date; received_at: Date; quality: number; counter: number | null } & ReadingSlots
  recording: { line_id: number; key: string; at: Date; received_at: Date; samples: Buffer }
  quarantine: QuarantineTable
}

interface QuarantineTable {
  quarantine_id: Generated<string>
  received_at: Date
  gateway_number: string | null
  topic: string
  reason: string
  detail: string
  size: number
  payload: Buffer
  /** So many messages the row stands for. */
  messages: Generated<number>
}

type ReadingSlots = { [K in MeasureColumn]: number | null }

type MeasureColumn = `v${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15}`
