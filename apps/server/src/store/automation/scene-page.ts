import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'
import { containsText } from '../core/tenant.ts'

/** Of what scenes are asked for; what is left out asks for all. */
export interface SceneFilter {
  readonly projectIds?: readonly number[] | undefined
  /** One that contains one of these lines. */
  readonly lineIds?: readonly number[] | undefined
  /** Part of its name, or of that of a line in it. */
  readonly name?: string | undefined
  readonly enabled?: boolean | undefined
}

/** What a list of scenes can be ordered by; `Last`: by when it was run last, as far as the reader sees that. */
export type SceneOrder = 'Name' | 'Last' | 'Changed' | '-Name' | '-Last' | '-Changed'

interface Page {
  readonly page: number
  readonly size: number
  readonly order: SceneOrder
}

/** A page of the scenes that pass a filter, in an order, and how many there are; for reading as somebody, under the row policies. */
export async function scenePage(
  db: Kysely<Schema>,
  filter: SceneFilter,
  { page, size, order }: Page,
): Promise<{ readonly ids: readonly number[]; readonly total: number }> {
  const all = scenesBy(db, filter)
  const rows = await inOrder(all, order)
    .select('scene_id')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await all.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  return { ids: rows.map(({ scene_id }) => scene_id), total: Number(total) }
}

/** All that pass a filter, in an order; for reading as somebody, under the row policies. */
export async function sceneIdsBy(
  db: Kysely<Schema>,
  filter: SceneFilter,
  order: SceneOrder = 'Name',
): Promise<readonly number[]> {
  const rows = await inOrder(scenesBy(db, filter), order).select('scene_id').execute()
  return rows.map(({ scene_id }) => scene_id)
}

/** What never ran comes last either way; of those that are alike they stay by name. */
function inOrder(scenes: ReturnType<typeof scenesBy>, order: SceneOrder) {
  const by = {
    Name: sql`name`,
    Last: sql`(select claimed_at from automation_run where source = 'scene' and source_id = scene.scene_id
      order by claimed_at desc limit 1)`,
    Changed: sql`changed_at`,
  }[order.replace('-', '') as 'Name' | 'Last' | 'Changed']
  return scenes
    .orderBy(by, (ob) => (order.startsWith('-') ? ob.desc() : ob.asc()).nullsLast())
    .orderBy('name')
    .orderBy('scene_id')
}

/** Who answers for a scene, and of which lines it is. */
export interface OwnedScene {
  readonly sceneId: number
  readonly projectId: number
  readonly ownerId: string | null
  readonly lineIds: readonly number[]
}

/** Of these, in no order. */
export async function ownersOfScenes(db: Kysely<Schema>, sceneIds: readonly number[]): Promise<readonly OwnedScene[]> {
  const { rows } = await sql<OwnedScene>`
    select scene.scene_id as "sceneId", project_id as "projectId", owner_id as "ownerId", coalesce(i.lines, '{}') as "lineIds"
    from scene left join (select scene_id, array_agg(line_id) as lines from scene_item
      where scene_id = any(${[...sceneIds]}::int[]) group by scene_id) i using (scene_id)
    where scene.scene_id = any(${[...sceneIds]}::int[])`.execute(db)
  return rows
}

/** A scene is listed by a line of it that is there and seen. */
function scenesBy(db: Kysely<Schema>, { projectIds, lineIds, name, enabled }: SceneFilter) {
  const items = sql`scene_item join line using (line_id) where scene_item.scene_id = scene.scene_id`
  return db
    .selectFrom('scene')
    .where('removed_at', 'is', null)
    .$if(projectIds !== undefined, (qb) => qb.where(sql<boolean>`project_id = any(${[...(projectIds ?? [])]}::int[])`))
    .$if(enabled !== undefined, (qb) => qb.where('enabled', '=', enabled ?? true))
    .where(
      sql<boolean>`exists (select from scene_item join line using (line_id) join device using (device_id) join gateway using (gateway_id)
        where scene_item.scene_id = scene.scene_id and gateway.removed_at is null
        ${lineIds === undefined ? sql`` : sql`and line_id = any(${[...lineIds]}::int[])`})`,
    )
    .$if(Boolean(name?.trim()), (qb) =>
      qb.where(
        sql<boolean>`(${containsText('scene.name', name)} or exists (select from ${items} and ${containsText('line.name', name)}))`,
      ),
    )
}
