import type { GeneratedAlways } from 'kysely'

/** The tables of photos as Kysely sees them. */
export interface PhotoTables {
  photo_content: PhotoContentTable
  photo_use: PhotoUseTable
  photo_piece: PhotoPieceTable
}

interface PhotoContentTable {
  hash: string
  type: 'image/jpeg' | 'image/png' | 'image/webp'
  size: number
  width: number
  height: number
  wanted_at: Date
  removal_tried_at: Date | null
  removal_failed: string | null
}

interface PhotoUseTable {
  use_id: GeneratedAlways<string>
  project_id: number
  kind: 'workOrder' | 'round' | 'hazard'
  owner_id: string
  note: string
  role: 'before' | 'after' | 'other'
  sent_hash: string
  hash: string
  sender_id: string | null
  sender: string
  sent_at: Date
  taken_at: Date | null
  kept: boolean
}

interface PhotoPieceTable {
  account_id: string
  project_id: number
  sent_hash: string
  size: number
  piece: number
  bytes: Buffer
  at: Date
}
