import type { MoveSince, SceneAction, TripSince } from '@linewarden/rules/automation'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'
import type { LineBefore, LineMarks } from './linkage-schema.ts'
import { operationsOfRuns } from './outer-run.ts'

/** What a run of a linkage does of a firing before. */
export interface LaterRun {
  /** The run of the firing. */
  readonly firingId: string
  /** Unix ms. */
  readonly firedAt: number
  /** Among the actions of its linkage. */
  readonly position: number
  /** Null: it was not kept. */
  readonly before: readonly LineBefore[] | null
}

/** How far each of these lines has come by now, as far as it is stored. */
export async function marksOf(db: Kysely<Schema>, lineIds: readonly number[]): Promise<ReadonlyMap<number, LineMarks>> {
  const { rows } = await sql<{ line_id: number; fence: string | null; event: string | null }>`
    select line_id, fence, (select max(event_id) from event where event.line_id = l.line_id) as event
    from unnest(${[...lineIds]}::int[]) as l (line_id) left join command_fence using (line_id)`.execute(db)
  return new Map(rows.map(({ line_id, fence, event }) => [line_id, { fence: Number(fence ?? 0), event: Number(event ?? 0) }]))
}

/** A trip of a line since a firing, or under way then. */
export interface StoredTripSince extends TripSince {
  readonly lineId: number
  /** Null: it has not been ordered. */
  readonly fence: number | null
}

interface TripRow {
  readonly line_id: number
  readonly fence: string | null
  readonly at: Date
  readonly is_own: boolean
  readonly after_danger: boolean
}

/**
 * Trips of these lines since a firing, by whomever: ordered, about to be, and those of linkages that were left out because another was under way.
 * A trip counts that is behind the fence of then, or was ordered since by the servers' clocks, or had not come to its end by then: what comes of it
 * is no doing of the firing. Where no fence was kept it goes by the clocks alone.
 */
export async function tripsSince(
  db: Kysely<Schema>,
  { firingId, firedAt }: LaterRun,
  lines: readonly { readonly lineId: number; readonly marks: LineMarks | null }[],
): Promise<readonly StoredTripSince[]> {
  const from = new Date(firedAt)
  const { rows } = await sql<TripRow>`
    with asked as (
      select * from unnest(${lines.map(({ lineId }) => lineId)}::int[], ${lines.map(({ marks }) => marks?.fence ?? null)}::bigint[])
        as l (line_id, fence)),
    firing as (
      select run_id from automation_run where run_id = ${firingId} or (parent_run_id = ${firingId} and source = 'linkage')),
    trip as (
      select c.line_id, c.run_id, c.fence, c.issued_at as at from asked join command c using (line_id)
      where c.action = 'trip'
        and (c.fence > asked.fence or c.issued_at >= ${from} or c.ended_at is null or c.ended_at >= ${from})
      union all
      select l.line_id, l.run_id, null, o.started_at from asked join operation_run_line l using (line_id) join operation_run o using (run_id)
      where o.action = 'trip' and (
        l.state = 'waiting' and o.ended_at is null or l.refusal->>'key' = 'underWay' and o.started_at >= ${from}))
    select trip.line_id, trip.fence, trip.at,
      coalesce(coalesce(o.outer_run_id, o.automation_run_id) in (select run_id from firing), false) as is_own,
      -- Runs of an older version of the server did not keep it.
      coalesce(r.source = 'linkage' and coalesce(r.after_danger, true), false) as after_danger
    from trip left join operation_run o on o.run_id = trip.run_id
      left join automation_run r on r.run_id = coalesce(o.outer_run_id, o.automation_run_id)`.execute(db)
  return rows.map((row) => ({
    ...{ lineId: row.line_id, fence: row.fence === null ? null : Number(row.fence), at: row.at.getTime() },
    ...{ isOwn: row.is_own, afterDanger: row.after_danger, isOrdered: row.fence !== null },
  }))
}

/** How a line was observed to open and close since, in that order. */
export async function movesSince(
  db: Kysely<Schema>,
  lineId: number,
  { event }: Pick<LineMarks, 'event'>,
): Promise<readonly MoveSince[]> {
  const { rows } = await sql<{ key: string; stored_at: Date }>`
    select key, stored_at from event
    where line_id = ${lineId} and event_id > ${event} and key in ('position.open', 'position.closed') order by event_id`.execute(
    db,
  )
  return rows.map(({ key, stored_at }) => ({ to: key === 'position.open' ? 'open' : 'closed', at: stored_at.getTime() }))
}

/** Since when both the device of a line and its gateway are as they are, there or away, Unix ms; null: that is not stored. */
export async function linkedSince(db: Kysely<Schema>, lineId: number): Promise<number | null> {
  const { rows } = await sql<{ since: Date | null }>`
    select greatest(device.link_since, gateway.link_since) as since
    from line join device using (device_id) join gateway using (gateway_id) where line_id = ${lineId}`.execute(db)
  return rows[0]?.since?.getTime() ?? null
}

/** What a firing has done so far, at once and later. */
export interface FiringSoFar {
  /** Ids of its runs. */
  readonly executionIds: readonly string[]
  /** The scenes that they run. */
  readonly scenes: readonly { readonly executionId: string; readonly outerId: string; readonly sceneId: number }[]
  readonly operations: readonly {
    readonly operationId: string
    /** The run, or the scene in it, that it belongs to. */
    readonly executionId: string
    readonly action: SceneAction
    /** Lines that were ordered or are to be. */
    readonly lineIds: readonly number[]
  }[]
}

interface OperationRow {
  readonly run_id: string
  readonly automation_run_id: string
  readonly action: SceneAction
  readonly line_ids: number[]
}

export async function firingSoFar(db: Kysely<Schema>, firingId: string): Promise<FiringSoFar> {
  const runs = await db
    .selectFrom('automation_run')
    .select('run_id')
    .where((eb) => eb.or([eb('run_id', '=', firingId), eb('parent_run_id', '=', firingId)]))
    .where('source', '=', 'linkage')
    .execute()
  const executionIds = runs.map(({ run_id }) => run_id)
  const scenes = await sql<{ run_id: string; parent_run_id: string; source_id: number }>`
    select run_id, parent_run_id, source_id from automation_run
    where parent_run_id = any(${executionIds}::uuid[]) and source = 'scene'`.execute(db)
  const operations = await sql<OperationRow>`
    select o.run_id, o.automation_run_id, o.action,
      array(select line_id from operation_run_line l where l.run_id = o.run_id
        and (l.state in ('waiting', 'ordered') or l.refusal->>'key' = 'underWay')) as line_ids
    from operation_run o where ${operationsOfRuns(executionIds)}`.execute(db)
  return {
    executionIds,
    scenes: scenes.rows.map((row) => ({ executionId: row.run_id, outerId: row.parent_run_id, sceneId: row.source_id })),
    operations: operations.rows.map((row) => ({
      ...{ operationId: row.run_id, executionId: row.automation_run_id, action: row.action, lineIds: row.line_ids },
    })),
  }
}
