import type { CampaignState, ImageState, UpgradeReason, UpgradeState } from '@linewarden/rules/firmware'
import type { Generated } from 'kysely'

/** The tables of firmware as Kysely sees them. */
export interface FirmwareTables {
  firmware_image: {
    image_id: Generated<number>
    model: string
    version: string
    version_order: number[]
    size: number
    sha256: string
    notes: string
    manifest: Buffer
    signature: Buffer
    key_name: string
    state: ImageState
    received: Generated<number>
    uploaded_by: string
    uploaded_at: Date
  }
  firmware_piece: { image_id: number; starts_at: number; length: number; bytes: Buffer }
  firmware_campaign: {
    campaign_id: Generated<number>
    image_id: number
    reason: string
    state: CampaignState
    paused_by: 'person' | 'failures' | null
    ends: number[]
    stage: Generated<number>
    failure_limit: number
    forgiven: Generated<number>
    started_by: string
    started_at: Date
    ended_at: Date | null
  }
  firmware_upgrade: {
    upgrade_id: string
    campaign_id: number
    gateway_id: number
    position: number
    state: UpgradeState
    former: string | null
    got: Generated<number>
    tries: Generated<number>
    why: UpgradeReason | null
    since: Date
    heard_at: Date | null
  }
}
