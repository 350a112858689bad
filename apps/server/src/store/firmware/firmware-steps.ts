import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import { isGatewayBlocked } from '../control/applied-interlocks.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Claim } from '../jobs/due-work.ts'
import { hasLease } from '../jobs/due-work.ts'
import type { StoredCampaign, StoredUpgrade } from './firmware-campaign.ts'
import { campaignOf } from './firmware-campaign.ts'

/** What moved of the gateways of a campaign, and what the log says of it. False: it is carried by another server, and nothing was written. */
export function saveUpgrades(
  { general }: Database,
  claim: Claim,
  upgrades: readonly StoredUpgrade[],
  audits: readonly AuditEntry[] = [],
): Promise<boolean> {
  return general.transaction().execute(async (trx) => {
    if (!(await hasLease(trx, claim))) return false
    await writeUpgrades(trx, upgrades)
    for (const audit of audits) await appendAudit(trx, audit)
    return true
  })
}

/** Whether a step was stored after which something is sent to a gateway; else why not. */
export type Permission = 'given' | 'carried elsewhere' | 'not running' | 'many at once' | 'blocked'

/** Before an offer is sent: so many gateways upgrade at once, over all campaigns and servers. */
export const saveOffer = (database: Database, claim: Claim, upgrade: StoredUpgrade, atMost: number): Promise<Permission> =>
  saveStep(database, claim, upgrade, async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('firmware offers'))`.execute(trx)
    return (await countUpgrading(trx)) < atMost ? 'given' : 'many at once'
  })

/** Before a gateway is let install: it restarts under nobody's hands, whichever server was told of them. */
export const saveInstall = (database: Database, claim: Claim, upgrade: StoredUpgrade, now: number): Promise<Permission> =>
  saveStep(database, claim, upgrade, async (trx) => ((await isGatewayBlocked(trx, upgrade.gatewayId, now)) ? 'blocked' : 'given'))

/** Before it is told once more: it was let install, and has not heard of it. */
export const mayInstallAgain = ({ general }: Database, claim: Claim, gatewayId: number, now: number): Promise<Permission> =>
  general.transaction().execute(async (trx) => {
    if (!(await hasLease(trx, claim))) return 'carried elsewhere'
    return (await isGatewayBlocked(trx, gatewayId, now)) ? 'blocked' : 'given'
  })

/** Only while its campaign is carried by this claim and runs, and until this is over nobody pauses it. */
function saveStep(
  { general }: Database,
  claim: Claim,
  upgrade: StoredUpgrade,
  permission: (trx: Kysely<Schema>) => Promise<Permission>,
): Promise<Permission> {
  return general.transaction().execute(async (trx) => {
    if (!(await hasLease(trx, claim))) return 'carried elsewhere'
    const running = await trx
      .selectFrom('firmware_campaign')
      .select('campaign_id')
      .where('campaign_id', '=', upgrade.campaignId)
      .where('state', '=', 'running')
      .forShare()
      .executeTakeFirst()
    if (!running) return 'not running'
    const outcome = await permission(trx)
    if (outcome === 'given') await writeUpgrades(trx, [upgrade])
    return outcome
  })
}

/** Gateways that are busy with an upgrade, over all campaigns and servers, without those that are ready and blocked by a tag. */
export const upgradingNow = ({ general }: Database): Promise<number> => countUpgrading(general)

async function countUpgrading(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from firmware_upgrade u where state in ('offered', 'downloading', 'ready', 'installing')
      and not (state = 'ready' and exists (
        select from tag left join line using (line_id) left join device on device.device_id = coalesce(tag.device_id, line.device_id)
        where tag.removed_at is null and coalesce(tag.gateway_id, device.gateway_id) = u.gateway_id))`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * What a campaign does by itself. False: it is carried by another server, or a person steered it meanwhile, and nothing was written.
 */
export function moveCampaign(
  { general }: Database,
  claim: Claim,
  before: StoredCampaign,
  next: StoredCampaign,
  audit: AuditEntry,
): Promise<boolean> {
  return general.transaction().execute(async (trx) => {
    if (!(await hasLease(trx, claim))) return false
    const moved = await writeCampaign(trx, next)
      .where('state', '=', before.state)
      .where('stage', '=', before.stage)
      .where('forgiven', '=', before.forgiven)
      .where('ended_at', 'is', null)
      .returning('campaign_id')
      .executeTakeFirst()
    if (moved) await appendAudit(trx, audit)
    return moved !== undefined
  })
}

/**
 * What a person wants of a campaign, whichever server carries it: that one hears of it at its next step. `decide` gets the campaign with how
 * many of its gateways went wrong; what it answers is stored, unless it is null or nothing new.
 */
export function steerCampaign(
  { general }: Database,
  campaignId: number,
  decide: (campaign: StoredCampaign, failed: number) => StoredCampaign | null,
  audit: AuditEntry,
): Promise<StoredCampaign | null> {
  return general.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('firmware_campaign')
      .selectAll()
      .where('campaign_id', '=', campaignId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const { failed } = await trx
      .selectFrom('firmware_upgrade')
      .select(({ fn }) => fn.countAll<string>().as('failed'))
      .where('campaign_id', '=', campaignId)
      .where('state', 'in', ['failed', 'unknown'])
      .executeTakeFirstOrThrow()
    const campaign = campaignOf(row)
    const next = decide(campaign, Number(failed))
    if (next && next !== campaign) {
      await writeCampaign(trx, next).execute()
      await appendAudit(trx, audit)
    }
    return next
  })
}

const writeCampaign = (trx: Kysely<Schema>, { campaignId, state, pausedBy, stage, forgiven, endedAt }: StoredCampaign) =>
  trx
    .updateTable('firmware_campaign')
    .set({ state, paused_by: pausedBy, stage, forgiven, ended_at: endedAt === null ? null : new Date(endedAt) })
    .where('campaign_id', '=', campaignId)

async function writeUpgrades(trx: Kysely<Schema>, upgrades: readonly StoredUpgrade[]): Promise<void> {
  if (upgrades.length === 0) return
  const rows = upgrades.map(({ upgradeId, state, got, tries, reason, since, reportedAt }) => ({
    upgrade_id: upgradeId,
    state,
    got,
    tries,
    why: reason,
    since: new Date(since).toISOString(),
    heard_at: reportedAt === null ? null : new Date(reportedAt).toISOString(),
  }))
  await sql`update firmware_upgrade as u set state = n.state, got = n.got, tries = n.tries, why = n.why, since = n.since, heard_at = n.heard_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as n (upgrade_id uuid, state text, got int, tries int, why text, since timestamptz, heard_at timestamptz)
    where u.upgrade_id = n.upgrade_id`.execute(trx)
}
