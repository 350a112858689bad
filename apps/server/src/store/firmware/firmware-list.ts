import type { UpgradeState } from '@linewarden/rules/firmware'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { CampaignRow, StoredCampaign, StoredUpgrade, UpgradeRow } from './firmware-campaign.ts'
import { campaignOf, upgradeOf } from './firmware-campaign.ts'

export interface ListedCampaign {
  readonly campaign: StoredCampaign
  readonly model: string
  readonly version: string
  readonly counts: Readonly<Partial<Record<UpgradeState, number>>>
}

/** Campaigns, newest first, or one of them. */
export async function listCampaigns(
  { general }: Database,
  { campaignId, offset, limit }: { readonly campaignId: number | null; readonly offset: number; readonly limit: number },
): Promise<{ readonly rows: readonly ListedCampaign[]; readonly total: number }> {
  let query = general
    .selectFrom('firmware_campaign')
    .innerJoin('firmware_image', 'firmware_image.image_id', 'firmware_campaign.image_id')
  if (campaignId !== null) query = query.where('campaign_id', '=', campaignId)
  const { count } = await query.select(({ fn }) => fn.countAll<string>().as('count')).executeTakeFirstOrThrow()
  const rows = await query
    .selectAll('firmware_campaign')
    .select(['firmware_image.model', 'firmware_image.version'])
    .orderBy('campaign_id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
  const counted = await general
    .selectFrom('firmware_upgrade')
    .select(['campaign_id', 'state', ({ fn }) => fn.countAll<string>().as('count')])
    .where(sql<boolean>`campaign_id = any(${rows.map(({ campaign_id }) => campaign_id)}::int[])`)
    .groupBy(['campaign_id', 'state'])
    .execute()
  return {
    total: Number(count),
    rows: rows.map((row) => ({
      campaign: campaignOf(row),
      model: row.model,
      version: row.version,
      counts: Object.fromEntries(
        counted.filter(({ campaign_id }) => campaign_id === row.campaign_id).map((each) => [each.state, Number(each.count)]),
      ),
    })),
  }
}

export interface ListedUpgrade {
  readonly upgrade: StoredUpgrade
  readonly campaign: StoredCampaign
  readonly version: string
  readonly size: number
}

const listed = ({ general }: Database) =>
  general
    .selectFrom('firmware_upgrade')
    .innerJoin('firmware_campaign', 'firmware_campaign.campaign_id', 'firmware_upgrade.campaign_id')
    .innerJoin('firmware_image', 'firmware_image.image_id', 'firmware_campaign.image_id')

const listedColumns = sql<{
  upgrade: UpgradeRow
  campaign: CampaignRow
}>`json_build_object('upgrade', to_json(firmware_upgrade), 'campaign', to_json(firmware_campaign))`

const listedOf = (row: {
  both: { upgrade: UpgradeRow; campaign: CampaignRow }
  version: string
  size: number
}): ListedUpgrade => {
  // Inside JSON a time is text.
  const { upgrade, campaign } = row.both
  const dated = (value: Date | string) => new Date(value)
  return {
    version: row.version,
    size: row.size,
    upgrade: upgradeOf({ ...upgrade, since: dated(upgrade.since), heard_at: upgrade.heard_at && dated(upgrade.heard_at) }),
    campaign: campaignOf({
      ...campaign,
      started_at: dated(campaign.started_at),
      ended_at: campaign.ended_at && dated(campaign.ended_at),
    }),
  }
}

/** The gateways of a campaign, in its order. */
export async function upgradesOfCampaign(
  database: Database,
  campaignId: number,
  { state, offset, limit }: { readonly state: UpgradeState | null; readonly offset: number; readonly limit: number },
): Promise<{ readonly rows: readonly ListedUpgrade[]; readonly total: number }> {
  let query = listed(database).where('firmware_upgrade.campaign_id', '=', campaignId)
  if (state !== null) query = query.where('firmware_upgrade.state', '=', state)
  const { count } = await query.select(({ fn }) => fn.countAll<string>().as('count')).executeTakeFirstOrThrow()
  const rows = await query
    .select([listedColumns.as('both'), 'firmware_image.version', 'firmware_image.size'])
    .orderBy('position')
    .offset(offset)
    .limit(limit)
    .execute()
  return { rows: rows.map(listedOf), total: Number(count) }
}

/** The newest upgrade of each of these gateways. */
export async function lastUpgrades(database: Database, gatewayIds: readonly number[]): Promise<readonly ListedUpgrade[]> {
  const rows = await listed(database)
    .distinctOn('firmware_upgrade.gateway_id')
    .select([listedColumns.as('both'), 'firmware_image.version', 'firmware_image.size'])
    .where(sql<boolean>`firmware_upgrade.gateway_id = any(${[...gatewayIds]}::int[])`)
    .orderBy('firmware_upgrade.gateway_id')
    .orderBy('firmware_upgrade.campaign_id', 'desc')
    .execute()
  return rows.map(listedOf)
}
