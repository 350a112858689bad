import type { SceneIcon } from '@linewarden/contract'
import { about } from '@linewarden/contract'
import type { IfRefused, SceneAction } from '@linewarden/rules/automation'
import { turnOrder } from '@linewarden/rules/automation'
import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import { linkagesRunning } from './linkage.ts'
import type { SceneTable } from './schema.ts'

export interface SceneItem {
  readonly lineId: number
  readonly action: SceneAction
  readonly order: number
}

/** What people set of a scene. */
export interface SceneValues {
  readonly name: string
  readonly icon: SceneIcon
  readonly ifRefused: IfRefused
  readonly enabled: boolean
  readonly items: readonly SceneItem[]
}

export interface StoredScene extends SceneValues {
  readonly sceneId: number
  readonly projectId: number
  /** Whoever saved it last; null: that account is gone. */
  readonly ownerId: string | null
  readonly ownerName: string
  readonly version: number
  readonly changedAt: number
}

interface Owner {
  readonly accountId: string
  readonly name: string
}

/** Scenes of these projects that were not removed, by their names. */
export async function scenesOf(db: Kysely<Schema>, projectIds: readonly number[]): Promise<readonly StoredScene[]> {
  const rows = await db
    .selectFrom('scene')
    .selectAll()
    .where('removed_at', 'is', null)
    .where(sql<boolean>`project_id = any(${[...projectIds]}::int[])`)
    .orderBy('name')
    .orderBy('scene_id')
    .execute()
  return withItems(db, rows)
}

/** These, in their order; what was removed since is left out. */
export async function scenesByIds(db: Kysely<Schema>, sceneIds: readonly number[]): Promise<readonly StoredScene[]> {
  const rows = await db
    .selectFrom('scene')
    .selectAll()
    .where('removed_at', 'is', null)
    .where(sql<boolean>`scene_id = any(${[...sceneIds]}::int[])`)
    .execute()
  const byId = new Map((await withItems(db, rows)).map((scene) => [scene.sceneId, scene]))
  return sceneIds.flatMap((sceneId) => byId.get(sceneId) ?? [])
}

/** Null: there is none, or it was removed. */
export async function sceneById(db: Kysely<Schema>, sceneId: number): Promise<StoredScene | null> {
  const rows = await db.selectFrom('scene').selectAll().where('scene_id', '=', sceneId).where('removed_at', 'is', null).execute()
  return (await withItems(db, rows))[0] ?? null
}

/** Of these, what they are called and where, also of those that were removed. */
export const sceneNames = (db: Kysely<Schema>, sceneIds: readonly number[]) =>
  db
    .selectFrom('scene')
    .select(['scene_id as sceneId', 'name', 'project_id as projectId'])
    .where(sql<boolean>`scene_id = any(${[...sceneIds]}::int[])`)
    .execute()

/** Scenes that contain a line, by their names. */
export async function scenesWith(db: Kysely<Schema>, lineId: number): Promise<readonly StoredScene[]> {
  const rows = await db
    .selectFrom('scene')
    .selectAll()
    .where('removed_at', 'is', null)
    .where(({ eb, selectFrom }) =>
      eb('scene_id', 'in', selectFrom('scene_item').select('scene_item.scene_id').where('line_id', '=', lineId)),
    )
    .orderBy('name')
    .execute()
  return withItems(db, rows)
}

/** `exists`: the name is taken. `gone`: a line is not in the project any more. `full`: the project has `most`. */
export type SceneSaved = StoredScene | 'exists' | 'gone' | 'full' | 'changed'

export async function insertScene(
  { general }: Database,
  scene: SceneValues & { readonly projectId: number; readonly owner: Owner; readonly most: number },
  audit: AuditEntry,
): Promise<SceneSaved> {
  return general.transaction().execute(async (trx) => {
    if (!(await keepsLines(trx, scene.projectId, lineIdsOf(scene)))) return 'gone'
    const { count } = await trx
      .selectFrom('scene')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('project_id', '=', scene.projectId)
      .where('removed_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (Number(count) >= scene.most) return 'full'
    if (await isNameTaken(trx, scene.projectId, scene.name, null)) return 'exists'
    const row = await trx
      .insertInto('scene')
      .values({ ...columnsOf(scene, scene.owner, audit.at), project_id: scene.projectId, removed_at: null })
      .returningAll()
      .executeTakeFirstOrThrow()
    await insertItems(trx, row.scene_id, scene.items)
    await appendAudit(trx, { ...audit, subject: about('scene', row.scene_id) })
    return sceneOf(row, scene.items)
  })
}

interface SceneUpdate extends SceneValues {
  readonly sceneId: number
  readonly version: number
  readonly owner: Owner
  /** What it is held against before it is changed, in that transaction. Throws what refuses it. */
  readonly check: (trx: Kysely<Schema>) => Promise<void>
}

/** `changed`: somebody else saved in between, or removed it. */
export async function updateScene({ general }: Database, scene: SceneUpdate, audit: AuditEntry): Promise<SceneSaved> {
  return general.transaction().execute(async (trx) => {
    await scene.check(trx)
    const before = await lockedScene(trx, scene.sceneId)
    if (before?.version !== scene.version) return 'changed'
    if (!(await keepsLines(trx, before.project_id, lineIdsOf(scene)))) return 'gone'
    if (await isNameTaken(trx, before.project_id, scene.name, scene.sceneId)) return 'exists'
    const row = await trx
      .updateTable('scene')
      .set({ ...columnsOf(scene, scene.owner, audit.at), version: before.version + 1 })
      .where('scene_id', '=', scene.sceneId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await trx.deleteFrom('scene_item').where('scene_id', '=', scene.sceneId).execute()
    await insertItems(trx, scene.sceneId, scene.items)
    await appendAudit(trx, audit)
    return sceneOf(row, scene.items)
  })
}

/** Enables it for whoever does so, or disables it, whoever owns it. False: somebody else saved in between, or removed it. */
export async function enableScene(
  { general }: Database,
  { sceneId, version, owner }: { readonly sceneId: number; readonly version: number; readonly owner: Owner | null },
  audit: AuditEntry,
): Promise<boolean> {
  return general.transaction().execute(async (trx) => {
    const before = await lockedScene(trx, sceneId)
    if (before?.version !== version) return false
    await trx
      .updateTable('scene')
      .set({
        enabled: owner !== null,
        version: version + 1,
        changed_at: new Date(audit.at),
        ...(owner && { owner_id: owner.accountId, owner_name: owner.name }),
      })
      .where('scene_id', '=', sceneId)
      .execute()
    await appendAudit(trx, audit)
    return true
  })
}

/** Whoever takes it over answers for it as it is. False: somebody else saved in between, or removed it. */
export function takeScene(
  { general }: Database,
  { sceneId, version, owner }: { readonly sceneId: number; readonly version: number; readonly owner: Owner },
  audit: AuditEntry,
): Promise<boolean> {
  return general.transaction().execute(async (trx) => {
    const before = await lockedScene(trx, sceneId)
    if (before?.version !== version) return false
    await trx
      .updateTable('scene')
      .set({
        ...{ owner_id: owner.accountId, owner_name: owner.name },
        ...{ version: version + 1, changed_at: new Date(audit.at) },
      })
      .where('scene_id', '=', sceneId)
      .execute()
    await appendAudit(trx, audit)
    return true
  })
}

/** `running`: a run of it goes on. `linkages`, `timers`: these run it. */
export async function removeScene(
  { general }: Database,
  { sceneId, version }: { readonly sceneId: number; readonly version: number },
  audit: AuditEntry,
): Promise<'done' | 'changed' | 'running' | { readonly linkages: readonly string[] } | { readonly timers: readonly string[] }> {
  return general.transaction().execute(async (trx) => {
    const before = await lockedScene(trx, sceneId)
    if (before?.version !== version) return 'changed'
    const { rows } = await sql`select from automation_run
      where source = 'scene' and source_id = ${sceneId} and ended_at is null limit 1`.execute(trx)
    if (rows.length > 0) return 'running'
    const linkages = await linkagesRunning(trx, sceneId)
    if (linkages.length > 0) return { linkages }
    const timers = await timersRunning(trx, sceneId)
    if (timers.length > 0) return { timers }
    await trx
      .updateTable('scene')
      .set({ removed_at: new Date(audit.at), enabled: false, version: version + 1 })
      .where('scene_id', '=', sceneId)
      .execute()
    await appendAudit(trx, audit)
    return 'done'
  })
}

/** Names of the timers that run a scene, enabled or not. */
export async function timersRunning(db: Kysely<Schema>, sceneId: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('timer')
    .select('name')
    .where('scene_id', '=', sceneId)
    .where('removed_at', 'is', null)
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

/** Names of the scenes that contain a line of these gateways; for whoever is about to take them away, in that transaction. */
export async function scenesOnGateways(trx: Kysely<Schema>, gatewayIds: readonly number[]): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct scene.name from scene join scene_item using (scene_id) join line using (line_id) join device using (device_id)
    where scene.removed_at is null and device.gateway_id = any(${[...gatewayIds]}::int[]) order by 1`.execute(trx)
  return rows.map(({ name }) => name)
}

/** The same of a project. */
export async function scenesIn(trx: Kysely<Schema>, projectId: number): Promise<readonly string[]> {
  const rows = await trx
    .selectFrom('scene')
    .select('name')
    .where('project_id', '=', projectId)
    .where('removed_at', 'is', null)
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

const lineIdsOf = ({ items }: Pick<SceneValues, 'items'>) => items.map(({ lineId }) => lineId)

const lockedScene = (trx: Kysely<Schema>, sceneId: number) =>
  trx
    .selectFrom('scene')
    .selectAll()
    .where('scene_id', '=', sceneId)
    .where('removed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

/** Whether the lines are all in the project still. Keeps them there until the transaction ends. */
export async function keepsLines(trx: Kysely<Schema>, projectId: number, lineIds: readonly number[]): Promise<boolean> {
  const project = await sql`select from project where project_id = ${projectId} and removed_at is null for share`.execute(trx)
  if (project.rows.length === 0) return false
  // In order of id, so that two who lock the same gateways never wait for each other in a circle.
  await sql`select from gateway where project_id = ${projectId} and removed_at is null and gateway_id in (
      select gateway_id from device join line using (device_id) where line_id = any(${[...lineIds]}::int[]))
    order by gateway_id for share`.execute(trx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from line join device using (device_id) join gateway using (gateway_id)
    where line_id = any(${[...lineIds]}::int[]) and project_id = ${projectId} and removed_at is null`.execute(trx)
  return rows[0]?.count === lineIds.length
}

async function isNameTaken(trx: Kysely<Schema>, projectId: number, name: string, but: number | null): Promise<boolean> {
  // Who makes two of one name at once comes one after the other.
  await sql`select pg_advisory_xact_lock(hashtext('scene'), ${projectId})`.execute(trx)
  const { rows } = await sql`select from scene where project_id = ${projectId} and lower(name) = lower(${name})
    and removed_at is null and scene_id is distinct from ${but}::int limit 1`.execute(trx)
  return rows.length > 0
}

const columnsOf = ({ name, icon, ifRefused, enabled }: SceneValues, owner: Owner, at: number) => ({
  name,
  icon,
  if_refused: ifRefused,
  enabled,
  owner_id: owner.accountId,
  owner_name: owner.name,
  changed_at: new Date(at),
})

async function insertItems(trx: Kysely<Schema>, sceneId: number, items: readonly SceneItem[]): Promise<void> {
  await trx
    .insertInto('scene_item')
    .values(
      items.map(({ lineId, action, order }, position) => ({ scene_id: sceneId, line_id: lineId, action, turn: order, position })),
    )
    .execute()
}

async function withItems(db: Kysely<Schema>, rows: readonly Selectable<SceneTable>[]): Promise<readonly StoredScene[]> {
  if (rows.length === 0) return []
  const items = await db
    .selectFrom('scene_item')
    .selectAll()
    .where(sql<boolean>`scene_id = any(${rows.map(({ scene_id }) => scene_id)}::int[])`)
    .orderBy('turn')
    .orderBy('position')
    .execute()
  const byScene = Map.groupBy(items, ({ scene_id }) => scene_id)
  return rows.map((row) =>
    sceneOf(
      row,
      (byScene.get(row.scene_id) ?? []).map(({ line_id, action, turn }) => ({ lineId: line_id, action, order: turn })),
    ),
  )
}

const sceneOf = (row: Selectable<SceneTable>, items: readonly SceneItem[]): StoredScene => ({
  sceneId: row.scene_id,
  projectId: row.project_id,
  name: row.name,
  icon: row.icon,
  ifRefused: row.if_refused,
  enabled: row.enabled,
  ownerId: row.owner_id,
  ownerName: row.owner_name,
  version: row.version,
  changedAt: row.changed_at.getTime(),
  items: inTurns(items),
})

/** In the order in which it runs. */
function inTurns(items: readonly SceneItem[]): readonly SceneItem[] {
  const { trips, turns } = turnOrder(items)
  return [...trips, ...turns]
}
