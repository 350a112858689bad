import type { Request, ScreenLink, ScreenSeat, saveTopology } from '@linewarden/contract'
import type { Generated } from 'kysely'
import type { Json } from '../core/columns.ts'

/** What people entered of how a project is supplied. */
export type TopologyContent = Omit<Request<typeof saveTopology>['body'], 'Version'>

/** What a wall shows, and how. */
export type Shown = Pick<ScreenLink, 'Pages' | 'DwellS' | 'Language' | 'Theme' | 'NamesOfPeople'>

/** The tables of `screen` as Kysely sees them. */
export interface ScreenTables {
  topology: TopologyTable
  screen_link: LinkTable
  screen_seat: SeatTable
  screen_pairing: PairingTable
}

interface TopologyTable {
  project_id: number
  content: Json<TopologyContent>
  version: number
}

interface LinkTable {
  link_id: Generated<number>
  owner_id: string | null
  name: string
  group_id: number | null
  project_ids: number[]
  shown: Json<Shown>
  key_hash: string
  most_seats: number
  hard_until: Date | null
  made_by: string
  made_at: Date
  revoked_at: Date | null
  version: Generated<number>
}

interface SeatTable {
  seat_id: string
  seat_no: Generated<string>
  link_id: number
  secret_hash: string
  previous_hash: string | null
  rotated_at: Date
  token: string
  token_at: Date
  first_seen: Date
  last_beat: Date
  address: string
  browser: string
  state: Json<NonNullable<ScreenSeat['State']>> | null
  ended_at: Date | null
  ended_why: ScreenSeat['EndedWhy']
}

interface PairingTable {
  code: string
  claim_hash: string
  address: string
  browser: string
  expires_at: Date
  link_id: number | null
}
