import { about } from '@linewarden/contract'
import { underWayStates } from '@linewarden/rules/control'
import type { UpgradeLife } from '@linewarden/rules/firmware'
import { unsettledStates } from '@linewarden/rules/firmware'
import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { StoredImage } from './firmware-image.ts'
import { imageOf } from './firmware-image.ts'
import type { FirmwareTables } from './schema.ts'

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
  heardAt: row.heard_at?.getTime() ?? null,
})

/**
 * Makes a campaign with its gateways, all or none. Answers the gateway that is in another upgrade already, or that the image is not to be
 * installed any more.
 */
export async function insertCampaign(
  { general }: Database,
  campaign: Omit<StoredCampaign, 'campaignId' | 'pausedBy' | 'endedAt' | 'state'>,
  upgrades: readonly Omit<StoredUpgrade, 'campaignId'>[],
  audit: AuditEntry,
): Promise<
  { readonly campaign: StoredCampaign; readonly upgrades: readonly StoredUpgrade[] } | { readonly busy: number } | 'withdrawn'
> {
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
      return { campaign: campaignOf(row), upgrades: made }
    })
    .catch((error) => {
      if (error instanceof Busy) return { busy: error.gatewayId }
      if ((error as { code?: string }).code === '23505') return { busy: upgrades[0]?.gatewayId ?? 0 }
      throw error
    })
}

// Thrown to take the whole transaction back.
class Busy extends Error {
  readonly gatewayId: number
  constructor(gatewayId: number) {
    super(`gateway ${gatewayId} is in another upgrade`)
    this.gatewayId = gatewayId
  }
}

/** What moved in one step, in one transaction: lives of gateways, the campaign itself, and what the log says of it. */
export async function saveStep(
  { general }: Database,
  step: {
    readonly upgrades?: readonly StoredUpgrade[]
    readonly campaign?: StoredCampaign
    readonly audits?: readonly AuditEntry[]
  },
): Promise<void> {
  await general.transaction().execute(async (trx) => {
    await writeUpgrades(trx, step.upgrades ?? [])
    if (step.campaign) {
      const { campaignId, state, pausedBy, stage, forgiven, endedAt } = step.campaign
      await trx
        .updateTable('firmware_campaign')
        .set({ state, paused_by: pausedBy, stage, forgiven, ended_at: endedAt === null ? null : new Date(endedAt) })
        .where('campaign_id', '=', campaignId)
        .execute()
    }
    for (const audit of step.audits ?? []) await appendAudit(trx, audit)
  })
}

async function writeUpgrades(trx: Kysely<Schema>, upgrades: readonly StoredUpgrade[]): Promise<void> {
  if (upgrades.length === 0) return
  const rows = upgrades.map(({ upgradeId, state, got, tries, reason, since, heardAt }) => ({
    upgrade_id: upgradeId,
    state,
    got,
    tries,
    why: reason,
    since: new Date(since).toISOString(),
    heard_at: heardAt === null ? null : new Date(heardAt).toISOString(),
  }))
  await sql`update firmware_upgrade as u set state = n.state, got = n.got, tries = n.tries, why = n.why, since = n.since, heard_at = n.heard_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as n (upgrade_id uuid, state text, got int, tries int, why text, since timestamptz, heard_at timestamptz)
    where u.upgrade_id = n.upgrade_id`.execute(trx)
}

/** What was not at its end when the server stopped: campaigns with their image and every gateway of them. */
export async function openCampaigns({ general }: Database): Promise<{
  readonly campaigns: readonly StoredCampaign[]
  readonly images: readonly StoredImage[]
  readonly upgrades: readonly StoredUpgrade[]
}> {
  const campaigns = await general
    .selectFrom('firmware_campaign')
    .selectAll('firmware_campaign')
    .where((eb) =>
      eb.or([
        eb('ended_at', 'is', null),
        // A gateway that did not come back may do so after its campaign ended.
        eb.exists(
          eb
            .selectFrom('firmware_upgrade')
            .select('upgrade_id')
            .whereRef('firmware_upgrade.campaign_id', '=', 'firmware_campaign.campaign_id')
            .where('firmware_upgrade.state', '=', 'unknown'),
        ),
      ]),
    )
    .execute()
  const ids = campaigns.map(({ campaign_id }) => campaign_id)
  const upgrades = await general
    .selectFrom('firmware_upgrade')
    .selectAll()
    .where(sql<boolean>`campaign_id = any(${ids}::int[])`)
    .orderBy('position')
    .execute()
  const images = await general
    .selectFrom('firmware_image')
    .selectAll()
    .where(sql<boolean>`image_id = any(${campaigns.map(({ image_id }) => image_id)}::int[])`)
    .execute()
  return { campaigns: campaigns.map(campaignOf), images: images.map(imageOf), upgrades: upgrades.map(upgradeOf) }
}

/** Gateways on which an order to set something is under way. */
export async function gatewaysBeingSet({ control }: Database): Promise<ReadonlySet<number>> {
  const rows = await control.selectFrom('setting_change').select('gateway_id').where('state', 'in', underWayStates).execute()
  return new Set(rows.map(({ gateway_id }) => gateway_id))
}
