import { randomUUID } from 'node:crypto'
import { about } from '@linewarden/contract'
import { underWayStates } from '@linewarden/rules/control'
import type { UpgradeLife } from '@linewarden/rules/firmware'
import { isUpgradeOpen, unsettledStates } from '@linewarden/rules/firmware'
import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Claim, Holder } from '../jobs/due-work.ts'
import { claimInstant } from '../jobs/due-work.ts'
import type { StoredImage } from './firmware-image.ts'
import { imageOf } from './firmware-image.ts'
import type { FirmwareTables } from './schema.ts'

/** What the roll-out of a campaign is called among due work. */
export const firmwareRollout = 'firmwareRollout'

export type CampaignRow = Selectable<FirmwareTables['firmware_campaign']>
export type UpgradeRow = Selectable<FirmwareTables['firmware_upgrade']>

export interface StoredCampaign {
  readonly campaignId: number
  readonly imageId: number
  readonly reason: string
  readonly state: CampaignRow['state']
  readonly pausedBy: CampaignRow['paused_by']
  readonly ends: readonly number[]
  readonly stage: number
  readonly failureLimit: number
  readonly forgiven: number
  readonly startedBy: string
  readonly startedAt: number
  readonly endedAt: number | null
}

export interface StoredUpgrade extends UpgradeLife {
  readonly upgradeId: string
  readonly campaignId: number
  readonly gatewayId: number
  readonly position: number
  readonly former: string | null
}

export const campaignOf = (row: CampaignRow): StoredCampaign => ({
  campaignId: row.campaign_id,
  imageId: row.image_id,
  reason: row.reason,
  state: row.state,
  pausedBy: row.paused_by,
  ends: row.ends,
  stage: row.stage,
  failureLimit: row.failure_limit,
  forgiven: row.forgiven,
  startedBy: row.started_by,
  startedAt: row.started_at.getTime(),
  endedAt: row.ended_at?.getTime() ?? null,
})

export const upgradeOf = (row: UpgradeRow): StoredUpgrade => ({
  upgradeId: row.upgrade_id,
  campaignId: row.campaign_id,
  gatewayId: row.gateway_id,
  position: row.position,
  former: row.former,
  state: row.state,
  got: row.got,
  tries: row.tries,
  reason: row.why,
  since: row.since.getTime(),
  reportedAt: row.heard_at?.getTime() ?? null,
})

/** Of a new campaign: whoever makes it carries it. */
export interface MadeCampaign {
  readonly campaign: StoredCampaign
  readonly upgrades: StoredUpgrade[]
  readonly claim: Claim
}

/**
 * Makes a campaign with its gateways, all or none. Answers the gateway that is in another upgrade already, or that the image is not to be
 * installed any more.
 */
export async function insertCampaign(
  { general }: Database,
  campaign: Omit<StoredCampaign, 'campaignId' | 'pausedBy' | 'endedAt' | 'state'>,
  upgrades: readonly Omit<StoredUpgrade, 'campaignId'>[],
  audit: AuditEntry,
  holder: Holder,
): Promise<MadeCampaign | { readonly busy: number } | 'withdrawn'> {
  return general
    .transaction()
    .execute(async (trx) => {
      // Held until the campaign stands: whoever withdraws the image waits, and then sees that it is in use.
      const image = await trx
        .selectFrom('firmware_image')
        .select('image_id')
        .where('image_id', '=', campaign.imageId)
        .where('state', '=', 'ready')
        .forShare()
        .executeTakeFirst()
      if (!image) return 'withdrawn' as const
      const row = await trx
        .insertInto('firmware_campaign')
        .values({
          image_id: campaign.imageId,
          reason: campaign.reason,
          state: 'running',
          paused_by: null,
          ends: [...campaign.ends],
          stage: campaign.stage,
          failure_limit: campaign.failureLimit,
          forgiven: campaign.forgiven,
          started_by: campaign.startedBy,
          started_at: new Date(campaign.startedAt),
          ended_at: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      const made = upgrades.map((each) => ({ ...each, campaignId: row.campaign_id }))
      // Asked before the insert, so that the one that stands in the way can be named; the index decides between two at once.
      const busy = await trx
        .selectFrom('firmware_upgrade')
        .select('gateway_id')
        .where(sql<boolean>`gateway_id = any(${made.map(({ gatewayId }) => gatewayId)}::int[])`)
        .where('state', 'in', unsettledStates)
        .limit(1)
        .executeTakeFirst()
      if (busy) throw new Busy(busy.gateway_id)
      for (let from = 0; from < made.length; from += 1_000)
        await trx
          .insertInto('firmware_upgrade')
          .values(
            made.slice(from, from + 1_000).map((each) => ({
              upgrade_id: each.upgradeId,
              campaign_id: each.campaignId,
              gateway_id: each.gatewayId,
              position: each.position,
              former: each.former,
              state: each.state,
              got: each.got,
              tries: each.tries,
              why: each.reason,
              since: new Date(each.since),
              heard_at: null,
            })),
          )
          .execute()
      await appendAudit(trx, { ...audit, subject: about('campaign', row.campaign_id) })
      return { campaign: campaignOf(row), upgrades: made, claim: await claimNew(trx, row, holder) }
    })
    .catch((error) => {
      if (error instanceof Busy) return { busy: error.gatewayId }
      if ((error as { code?: string }).code === '23505') return { busy: upgrades[0]?.gatewayId ?? 0 }
      throw error
    })
}

async function claimNew(trx: Kysely<Schema>, { campaign_id, started_at }: CampaignRow, holder: Holder): Promise<Claim> {
  const work = { workId: randomUUID(), kind: firmwareRollout, key: String(campaign_id), dueAt: started_at.getTime() }
  const claim = await claimInstant(trx, work, holder)
  if (!claim) throw new Error(`campaign ${campaign_id} is claimed already`)
  return claim
}

// Thrown to take the whole transaction back.
class Busy extends Error {
  readonly gatewayId: number
  constructor(gatewayId: number) {
    super(`gateway ${gatewayId} is in another upgrade`)
    this.gatewayId = gatewayId
  }
}

/** A campaign with its image and its gateways in their order. */
export interface WholeCampaign {
  readonly campaign: StoredCampaign
  readonly image: StoredImage
  readonly upgrades: StoredUpgrade[]
}

export async function wholeCampaign({ general }: Database, campaignId: number): Promise<WholeCampaign> {
  const campaign = await general
    .selectFrom('firmware_campaign')
    .selectAll()
    .where('campaign_id', '=', campaignId)
    .executeTakeFirstOrThrow()
  const image = await general
    .selectFrom('firmware_image')
    .selectAll()
    .where('image_id', '=', campaign.image_id)
    .executeTakeFirstOrThrow()
  const upgrades = await general
    .selectFrom('firmware_upgrade')
    .selectAll()
    .where('campaign_id', '=', campaignId)
    .orderBy('position')
    .execute()
  return { campaign: campaignOf(campaign), image: imageOf(image), upgrades: upgrades.map(upgradeOf) }
}

/** How these campaigns stand, whoever steered them and wherever. */
export async function campaignsOf({ general }: Database, campaignIds: readonly number[]): Promise<readonly StoredCampaign[]> {
  const rows = await general
    .selectFrom('firmware_campaign')
    .selectAll()
    .where(sql<boolean>`campaign_id = any(${[...campaignIds]}::int[])`)
    .execute()
  return rows.map(campaignOf)
}

/** Gateways that are in an upgrade, whichever server carries it. */
export async function gatewaysUpgrading({ general }: Database): Promise<ReadonlySet<number>> {
  const rows = await general.selectFrom('firmware_upgrade').select('gateway_id').where('state', 'in', unsettledStates).execute()
  return new Set(rows.map(({ gateway_id }) => gateway_id))
}

/** The version that each of these gateways reported last, to whichever server, and when; of those that ever did. */
export async function firmwareReports(
  { general }: Database,
  gatewayIds: readonly number[],
): Promise<ReadonlyMap<number, { readonly version: string | null; readonly at: number }>> {
  const rows = await general
    .selectFrom('gateway')
    .select(['gateway_id', 'firmware', 'firmware_at'])
    .where(sql<boolean>`gateway_id = any(${[...gatewayIds]}::int[])`)
    .execute()
  return new Map(
    rows.flatMap(({ gateway_id, firmware, firmware_at: at }) =>
      at === null ? [] : [[gateway_id, { version: firmware, at: at.getTime() }] as const],
    ),
  )
}

/** Whether this gateway may still hear of this upgrade, from whichever server. */
export async function isOpenUpgrade({ general }: Database, upgradeId: string, gatewayId: number): Promise<boolean> {
  const row = await general
    .selectFrom('firmware_upgrade')
    .select('state')
    .where('upgrade_id', '=', upgradeId)
    .where('gateway_id', '=', gatewayId)
    .executeTakeFirst()
  return row !== undefined && isUpgradeOpen(row.state)
}

/** Gateways on which an order to set something is under way. */
export async function gatewaysBeingSet({ control }: Database): Promise<ReadonlySet<number>> {
  const rows = await control.selectFrom('setting_change').select('gateway_id').where('state', 'in', underWayStates).execute()
  return new Set(rows.map(({ gateway_id }) => gateway_id))
}
