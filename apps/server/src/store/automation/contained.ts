import type { SceneAction, TimedLinesMode } from '@linewarden/rules/automation'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'
import { linkagesIn, linkagesOnGateways } from './linkage.ts'
import { scenesIn, scenesOnGateways } from './scene.ts'

/** An enabled timer that switches a line, or runs a scene with it. */
export interface TimerOfLine {
  readonly timerId: number
  readonly name: string
  /** Unix ms; null: nothing is due, or the next run is skipped. */
  readonly nextAt: number | null
  readonly nextAction: SceneAction | null
}

/** What switches a line at its own times, the next first, and what its project asks of a close by hand. Timers of other projects do nothing to it. */
export async function timersOfLine(
  db: Kysely<Schema>,
  lineId: number,
): Promise<{ readonly mode: TimedLinesMode; readonly timers: readonly TimerOfLine[] }> {
  const { rows } = await sql<{
    mode: TimedLinesMode
    timerId: number | null
    name: string
    nextAt: Date | null
    nextAction: SceneAction | null
  }>`
    select project.timed_lines as mode, t.timer_id as "timerId", t.name, d.due_at as "nextAt",
      case when d.action = 'run' then t.scene_action else d.action end as "nextAction"
    from line join device using (device_id) join gateway using (gateway_id) join project using (project_id)
    left join lateral (
      select timer.timer_id, timer.name, (select action from scene_item s where s.scene_id = timer.scene_id and s.line_id = line.line_id) as scene_action
      from timer
      where timer.project_id = project.project_id and enabled and timer.removed_at is null and (
        function = 'switch' and exists (select from timer_line l where l.timer_id = timer.timer_id and l.line_id = line.line_id)
        or function = 'scene' and exists (
          select from scene_item s join scene using (scene_id)
          where s.scene_id = timer.scene_id and s.line_id = line.line_id and scene.removed_at is null))
    ) t on true
    left join timer_due d on d.timer_id = t.timer_id and d.skip is null
    where line.line_id = ${lineId} order by d.due_at nulls last, t.name`.execute(db)
  return {
    mode: rows[0]?.mode ?? 'ask',
    timers: rows.flatMap(({ timerId, name, nextAt, nextAction }) =>
      timerId === null ? [] : [{ timerId, name, nextAt: nextAt?.getTime() ?? null, nextAction }],
    ),
  }
}

/** Names of what contains lines, each in its order. */
export interface Contained {
  readonly scenes: readonly string[]
  readonly timers: readonly string[]
  readonly linkages: readonly string[]
}

export const isContained = ({ scenes, timers, linkages }: Contained): boolean =>
  scenes.length + timers.length + linkages.length > 0

/** Scenes, and enabled timers, with a line of these gateways; for whoever is about to take them away, in that transaction. */
export async function containedOnGateways(trx: Kysely<Schema>, gatewayIds: readonly number[]): Promise<Contained> {
  const { rows } = await sql<{ name: string }>`
    select distinct timer.name from timer join timer_acts using (timer_id) join line using (line_id) join device using (device_id)
    where timer.removed_at is null and timer.enabled and device.gateway_id = any(${[...gatewayIds]}::int[]) order by 1`.execute(
    trx,
  )
  return {
    scenes: await scenesOnGateways(trx, gatewayIds),
    timers: rows.map(({ name }) => name),
    linkages: await linkagesOnGateways(trx, gatewayIds),
  }
}

/** The same of a project: all of its scenes and linkages, and its enabled timers. */
export async function containedInProject(trx: Kysely<Schema>, projectId: number): Promise<Contained> {
  return {
    scenes: await scenesIn(trx, projectId),
    timers: await timersIn(trx, projectId),
    linkages: await linkagesIn(trx, projectId),
  }
}

async function timersIn(trx: Kysely<Schema>, projectId: number): Promise<readonly string[]> {
  const rows = await trx
    .selectFrom('timer')
    .select('name')
    .where('project_id', '=', projectId)
    .where('removed_at', 'is', null)
    .where('enabled', '=', true)
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

/** A line that something of its project operates; `timed`: enabled timers switch it, themselves or by a scene. */
export interface OperatedLine {
  readonly lineId: number
  readonly timed: boolean
}

/** Lines that a person may keep something from: enabled timers of these projects switch them, or enabled linkages or scenes close them. */
export async function operatedLines(db: Kysely<Schema>, projectIds: readonly number[]): Promise<readonly OperatedLine[]> {
  const { rows } = await sql<OperatedLine>`${timedLines}
    select line_id as "lineId", bool_or(is_timed) as timed from (
      select project_id, line_id, true as is_timed from timed
      union all
      select project_id, line_id, false from linkage join linkage_action using (linkage_id)
        where enabled and removed_at is null and kind = 'close'
      union all
      select project_id, line_id, false from scene join scene_item using (scene_id)
        where enabled and removed_at is null and action = 'close'
    ) operated where project_id = any(${[...projectIds]}::int[]) group by line_id order by line_id`.execute(db)
  return rows
}

/** When something timed is due next of each of these lines; those of which nothing is are left out. Unix ms. */
export async function nextDues(db: Kysely<Schema>, lineIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (lineIds.length === 0) return new Map()
  const { rows } = await sql<{ line_id: number; due_at: Date }>`${timedLines}
    select line_id, min(due_at) as due_at from timed join timer_due using (timer_id)
    where line_id = any(${[...lineIds]}::int[]) and skip is null group by line_id`.execute(db)
  return new Map(rows.map(({ line_id, due_at }) => [line_id, due_at.getTime()]))
}

const timedLines = sql`with timed as (
  select timer_id, project_id, line_id from timer join timer_line using (timer_id)
    where enabled and removed_at is null and function = 'switch'
  union all
  select timer_id, timer.project_id, line_id from timer join scene using (scene_id) join scene_item using (scene_id)
    where timer.enabled and timer.removed_at is null and function = 'scene' and scene.removed_at is null)`
