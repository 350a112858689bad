import type { ActiveHours, Comparison, ConditionKind, LinkageActionKind } from '@linewarden/rules/automation'
import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'
import type { HaltedWhy, LinkageMode, LinkageTable, WantedOrder } from './linkage-schema.ts'

export interface StoredCondition {
  readonly kind: ConditionKind
  readonly lineId: number
  readonly key: string
  readonly op: Comparison
  readonly value: number
  readonly release: number
  readonly forS: number
}

export interface StoredAction {
  readonly kind: LinkageActionKind
  /** Null: of a scene. */
  readonly lineId: number | null
  readonly sceneId: number | null
  readonly delayS: number
  /** Of a work order. */
  readonly order: WantedOrder | null
}

/** What people set of a linkage. */
export interface LinkageValues {
  readonly name: string
  readonly enabled: boolean
  readonly mode: LinkageMode
  readonly match: 'all' | 'any'
  readonly activeHours: readonly ActiveHours[]
  readonly cooldownS: number
  readonly maxPerHour: number
  readonly maxPerDay: number
  readonly mayClose: boolean
  readonly conditions: readonly StoredCondition[]
  readonly actions: readonly StoredAction[]
}

export interface StoredLinkage extends LinkageValues {
  readonly linkageId: number
  readonly projectId: number
  readonly halted: { readonly at: number; readonly why: HaltedWhy } | null
  /** When a person cleared what had halted it last; null: nobody has. */
  readonly clearedAt: number | null
  /** Since when it only logs; null: it orders. */
  readonly shadowSince: number | null
  /** Whoever saved it last; null: that account is gone. */
  readonly ownerId: string | null
  readonly ownerName: string
  readonly version: number
  readonly changedAt: number
  readonly changedBy: string
  readonly removed: boolean
}

/** Linkages that were not removed, by their names; of these projects (null: all). */
export async function linkagesOf(db: Kysely<Schema>, projectIds: readonly number[] | null): Promise<readonly StoredLinkage[]> {
  const rows = await db
    .selectFrom('linkage')
    .selectAll()
    .where('removed_at', 'is', null)
    .$if(projectIds !== null, (qb) => qb.where(sql<boolean>`project_id = any(${[...(projectIds ?? [])]}::int[])`))
    .orderBy('name')
    .orderBy('linkage_id')
    .execute()
  return withParts(db, rows)
}

/** Of these, also of those that were removed. */
export async function linkagesById(db: Kysely<Schema>, linkageIds: readonly number[]): Promise<readonly StoredLinkage[]> {
  if (linkageIds.length === 0) return []
  const rows = await db
    .selectFrom('linkage')
    .selectAll()
    .where(sql<boolean>`linkage_id = any(${[...linkageIds]}::int[])`)
    .execute()
  return withParts(db, rows)
}

/** Null: there is none, or it was removed. */
export async function linkageById(db: Kysely<Schema>, linkageId: number): Promise<StoredLinkage | null> {
  const [linkage] = await linkagesById(db, [linkageId])
  return linkage && !linkage.removed ? linkage : null
}

/** Of these, what they are called and where, also of those that were removed. */
export const linkageNames = (db: Kysely<Schema>, linkageIds: readonly number[]) =>
  db
    .selectFrom('linkage')
    .select(['linkage_id as linkageId', 'name', 'project_id as projectId'])
    .where(sql<boolean>`linkage_id = any(${[...linkageIds]}::int[])`)
    .execute()

/** Ids and versions of linkages that are enabled; those that have stopped themselves say why. */
export async function enabledLinkages(
  db: Kysely<Schema>,
): Promise<readonly { readonly linkageId: number; readonly version: number; readonly halted: HaltedWhy | null }[]> {
  const rows = await db
    .selectFrom('linkage')
    .select(['linkage_id as linkageId', 'version', 'halted_why as halted'])
    .where('removed_at', 'is', null)
    .where('enabled', '=', true)
    .execute()
  return rows
}

/**
 * Names of linkages of their own project that name a line of these gateways; for whoever is about to take them away, in that transaction. Those of
 * a project that they have left have stopped themselves, and are nobody's affair where they are now.
 */
export async function linkagesOnGateways(trx: Kysely<Schema>, gatewayIds: readonly number[]): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct linkage.name from linkage
    join (select linkage_id, line_id from linkage_condition union all
      select linkage_id, line_id from linkage_action where line_id is not null) named using (linkage_id)
    join line using (line_id) join device using (device_id) join gateway using (gateway_id)
    where linkage.removed_at is null and gateway.project_id = linkage.project_id and gateway_id = any(${[...gatewayIds]}::int[]) order by 1`.execute(
    trx,
  )
  return rows.map(({ name }) => name)
}

/** The same of a project. */
export async function linkagesIn(trx: Kysely<Schema>, projectId: number): Promise<readonly string[]> {
  const rows = await trx
    .selectFrom('linkage')
    .select('name')
    .where('project_id', '=', projectId)
    .where('removed_at', 'is', null)
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

/** Linkages of a line's own project that read it, or act on it; of these by what, a trip before a close. Null: it only reads or raises. */
export async function linkagesWithLine(db: Kysely<Schema>, lineId: number) {
  const { rows } = await sql<{ linkageId: number; name: string; enabled: boolean; action: 'trip' | 'close' | null }>`
    with acts as (
      select linkage_id, case when kind in ('trip', 'close') then kind end as action from linkage_action where line_id = ${lineId}
      union all
      select linkage_id, item.action from linkage_action join scene_item item using (scene_id) where item.line_id = ${lineId}
      union all
      select linkage_id, null from linkage_condition where line_id = ${lineId})
    select linkage_id as "linkageId", linkage.name, enabled, max(action) as action
    from acts join linkage using (linkage_id)
    where removed_at is null and project_id = (
      select project_id from line join device using (device_id) join gateway using (gateway_id) where line_id = ${lineId})
    group by linkage_id, linkage.name, enabled order by lower(linkage.name), linkage_id`.execute(db)
  return rows
}

/** By its id the lines of a scene. */
export type SceneLines = ReadonlyMap<number, readonly number[]>

/** Of all scenes that these linkages run. */
export async function sceneLinesOf(db: Kysely<Schema>, linkages: readonly Pick<StoredLinkage, 'actions'>[]): Promise<SceneLines> {
  const ids = [...new Set(linkages.flatMap(({ actions }) => actions.flatMap(({ sceneId }) => sceneId ?? [])))]
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('scene_item')
    .select(['scene_id', 'line_id'])
    .where(sql<boolean>`scene_id = any(${ids}::int[])`)
    .execute()
  const of = Map.groupBy(rows, ({ scene_id }) => scene_id)
  return new Map([...of].map(([sceneId, items]) => [sceneId, items.map(({ line_id }) => line_id)]))
}

/** Names of linkages that run a scene. */
export async function linkagesRunning(trx: Kysely<Schema>, sceneId: number): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct name from linkage join linkage_action using (linkage_id)
    where linkage.removed_at is null and scene_id = ${sceneId} order by 1`.execute(trx)
  return rows.map(({ name }) => name)
}

async function withParts(db: Kysely<Schema>, rows: readonly Selectable<LinkageTable>[]): Promise<readonly StoredLinkage[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ linkage_id }) => linkage_id)
  const [conditions, actions] = [
    await db
      .selectFrom('linkage_condition')
      .selectAll()
      .where(sql<boolean>`linkage_id = any(${ids}::int[])`)
      .orderBy('position')
      .execute(),
    await db
      .selectFrom('linkage_action')
      .selectAll()
      .where(sql<boolean>`linkage_id = any(${ids}::int[])`)
      .orderBy('position')
      .execute(),
  ]
  const conditionsOf = Map.groupBy(conditions, ({ linkage_id }) => linkage_id)
  const actionsOf = Map.groupBy(actions, ({ linkage_id }) => linkage_id)
  return rows.map((row) => ({
    linkageId: row.linkage_id,
    projectId: row.project_id,
    name: row.name,
    enabled: row.enabled,
    mode: row.mode,
    match: row.match,
    activeHours: row.active_hours,
    cooldownS: row.cooldown_s,
    maxPerHour: row.max_per_hour,
    maxPerDay: row.max_per_day,
    mayClose: row.may_close,
    halted: row.halted_at && row.halted_why ? { at: row.halted_at.getTime(), why: row.halted_why } : null,
    clearedAt: row.cleared_at?.getTime() ?? null,
    shadowSince: row.shadow_since?.getTime() ?? null,
    ownerId: row.owner_id,
    ownerName: row.owner_name,
    version: row.version,
    changedAt: row.changed_at.getTime(),
    changedBy: row.changed_by,
    removed: row.removed_at !== null,
    conditions: (conditionsOf.get(row.linkage_id) ?? []).map((each) => ({
      ...{ kind: each.kind, lineId: each.line_id, key: each.key, op: each.op },
      ...{ value: each.value, release: each.release, forS: each.for_s },
    })),
    actions: (actionsOf.get(row.linkage_id) ?? []).map((each) => ({
      ...{ kind: each.kind, lineId: each.line_id, sceneId: each.scene_id, delayS: each.delay_s },
      order: each.work_order,
    })),
  }))
}
