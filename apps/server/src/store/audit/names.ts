import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Owner } from '../core/tenant.ts'
import { ownedBy } from '../core/tenant.ts'

/** Which of them: these ids; null: all. */
type Ids = readonly number[] | null

const among = (column: string, ids: Ids) =>
  ids ? sql<boolean>`${sql.ref(column)} = any(${[...ids]}::int[])` : sql<boolean>`true`

/** What roles of this owner are called now. `within`: only those that allow nothing beyond this. */
export async function namesOfRoles(
  { general }: Database,
  owner: Owner,
  within: { readonly privileges: readonly string[]; readonly buttons: readonly string[] } | null,
  ids: Ids,
): Promise<ReadonlyMap<number, string>> {
  let query = general
    .selectFrom('role')
    .select(['role_id', 'name'])
    .where(ownedBy('owner_id', owner))
    .where(among('role_id', ids))
  if (within)
    query = query.where(
      sql<boolean>`privileges <@ ${[...within.privileges]}::text[] and buttons <@ ${[...within.buttons]}::text[]`,
    )
  return new Map((await query.execute()).map((row) => [row.role_id, row.name]))
}

/** What upgrades install: model and version. */
export async function namesOfCampaigns({ general }: Database, ids: Ids): Promise<ReadonlyMap<number, string>> {
  const rows = await general
    .selectFrom('firmware_campaign')
    .innerJoin('firmware_image', 'firmware_image.image_id', 'firmware_campaign.image_id')
    .select(['campaign_id', 'model', 'version'])
    .where(among('campaign_id', ids))
    .execute()
  return new Map(rows.map((row) => [row.campaign_id, `${row.model} ${row.version}`]))
}

export interface NamedPush {
  readonly pushId: number
  readonly projectId: number
  readonly name: string
}

/** Push subscriptions that are still there. */
export async function namesOfPushes({ general }: Database, ids: Ids): Promise<readonly NamedPush[]> {
  const rows = await general
    .selectFrom('push')
    .select(['push_id as pushId', 'project_id as projectId', 'name'])
    .where('removed_at', 'is', null)
    .where(among('push_id', ids))
    .execute()
  return rows
}

export interface NamedEvent {
  readonly zh: string
  readonly en: string
  /** Null: of the project as a whole. */
  readonly gatewayId: number | null
  readonly projectId: number
  readonly lineId: number | null
}

/** What these events said, and where. */
export async function namesOfEvents({ general }: Database, ids: readonly string[]): Promise<ReadonlyMap<string, NamedEvent>> {
  const rows = await general
    .selectFrom('event')
    .select(['event_id', 'label_zh', 'label_en', 'gateway_id', 'project_id', 'line_id'])
    .where(sql<boolean>`event_id = any(${[...ids]}::bigint[])`)
    .execute()
  return new Map(
    rows.map((row) => [
      row.event_id,
      { zh: row.label_zh, en: row.label_en, gatewayId: row.gateway_id, projectId: row.project_id, lineId: row.line_id },
    ]),
  )
}

/** What templates of settings of this owner are called now. */
export async function namesOfTemplates({ general }: Database, owner: Owner, ids: Ids) {
  return general
    .selectFrom('setting_template')
    .select(['template_id as id', 'name'])
    .where(ownedBy('owner_id', owner))
    .where(among('template_id', ids))
    .execute()
}

/** What firmware is there, withdrawn ones too: model and version. */
export async function namesOfImages({ general }: Database, ids: Ids): Promise<ReadonlyMap<number, string>> {
  const rows = await general
    .selectFrom('firmware_image')
    .select(['image_id', 'model', 'version'])
    .where(among('image_id', ids))
    .execute()
  return new Map(rows.map((row) => [row.image_id, `${row.model} ${row.version}`]))
}
