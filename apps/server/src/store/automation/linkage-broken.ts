import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'

/**
 * Of these those that name a line which was removed or is in another project, and of all those that run a scene which was removed; as far as they
 * are enabled and have not stopped themselves. What scenes are gone only the database knows.
 */
export async function brokenLinkages(db: Kysely<Schema>, suspectIds: readonly number[]): Promise<readonly number[]> {
  const { rows } = await sql<{ linkage_id: number }>`
    select distinct linkage_id from linkage
    join (select linkage_id, line_id from linkage_condition union all
      select linkage_id, line_id from linkage_action where line_id is not null) named using (linkage_id)
    join line using (line_id) join device using (device_id) join gateway using (gateway_id)
    where linkage_id = any(${[...suspectIds]}::int[]) and ${inForce}
      and (gateway.removed_at is not null or gateway.project_id <> linkage.project_id)
    union
    select linkage_id from linkage join linkage_action using (linkage_id) join scene using (scene_id)
    where scene.removed_at is not null and ${inForce}`.execute(db)
  return rows.map(({ linkage_id }) => linkage_id)
}

const inForce = sql`linkage.enabled and linkage.removed_at is null and linkage.halted_at is null`

/** A line as it is stored, wherever it is now. */
export interface StoredLine {
  readonly lineId: number
  readonly name: string
  readonly lineNo: number
  /** Of a removed gateway it ends with a number of its own, so that another can have it again. */
  readonly controllerId: string
  readonly deviceId: number
  readonly family: string
  readonly projectId: number
  readonly isRemoved: boolean
}

/** Lines also of gateways that were removed: what they are called is known nowhere else. */
export async function storedLines(db: Kysely<Schema>, lineIds: readonly number[]): Promise<ReadonlyMap<number, StoredLine>> {
  if (lineIds.length === 0) return new Map()
  const { rows } = await sql<StoredLine>`
    select line_id as "lineId", line.name, line_no as "lineNo", controller_id as "controllerId", device_id as "deviceId", family,
      project_id as "projectId", gateway.removed_at is not null as "isRemoved"
    from line join device using (device_id) join gateway using (gateway_id)
    where line_id = any(${[...lineIds]}::int[])`.execute(db)
  return new Map(rows.map((row) => [row.lineId, row]))
}
