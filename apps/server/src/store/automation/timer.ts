import type { ConflictKey, IfRefused, Occurrence, SceneAction, Schedule, TimerFunction } from '@linewarden/rules/automation'
import { conflictEffects } from '@linewarden/rules/automation'
import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import { storableJson } from '../../lib/storable-text.ts'
import type { Schema } from '../core/schema.ts'
import type { TimerTable } from './schema.ts'

/** The scene that a timer runs, as it is now. */
export interface TimerScene {
  readonly sceneId: number
  readonly name: string
  readonly enabled: boolean
  readonly ifRefused: IfRefused
  readonly version: number
  /** In the order in which it runs, but for trips, which come first. */
  readonly items: readonly { readonly lineId: number; readonly action: SceneAction }[]
}

/** A timer as it is stored; times Unix ms. */
export interface StoredTimer {
  readonly timerId: number
  readonly projectId: number
  readonly name: string
  readonly function: TimerFunction
  readonly schedule: Schedule
  readonly sceneId: number | null
  /** Null: it runs none, or that was removed. */
  readonly scene: TimerScene | null
  readonly keepWhileWanted: boolean
  readonly enabled: boolean
  readonly ownerId: string | null
  readonly ownerName: string
  readonly version: number
  readonly changedAt: number
  readonly changedBy: string
  /** In the order in which they were listed; of one that runs a scene, those of the scene. */
  readonly lineIds: readonly number[]
}

export interface TimerFilter {
  readonly projectIds?: readonly number[] | undefined
  readonly timerIds?: readonly number[] | undefined
  readonly name?: string | undefined
  readonly lineIds?: readonly number[] | undefined
  readonly enabled?: boolean | undefined
  /** Of which a run was missed since, Unix ms, or of which none was. */
  readonly missed?: { readonly since: number; readonly any: boolean } | undefined
  /** Whether the last check found more of it than something to note. */
  readonly inConflict?: boolean | undefined
  /** Removed ones, too. */
  readonly removedToo?: boolean | undefined
}

export type Db = Kysely<Schema>

/** Timers, by project and name; unless they are asked for, none that is removed. */
export async function timersWhere(db: Db, filter: TimerFilter): Promise<readonly StoredTimer[]> {
  const rows = await timersBy(db, filter)
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('timer_line')
        .whereRef('timer_line.timer_id', '=', 'timer.timer_id')
        .select(sql<number[]>`coalesce(array_agg(line_id order by position), '{}')`.as('lines'))
        .as('lines'),
    )
    .select(sceneOfTimer.as('scene'))
    .orderBy('project_id')
    .orderBy('name')
    .orderBy('timer_id')
    .execute()
  return rows.map((row) => ({
    ...timerOf(row),
    scene: row.scene,
    lineIds: row.function === 'scene' ? (row.scene?.items ?? []).map(({ lineId }) => lineId) : (row.lines ?? []),
  }))
}

const sceneOfTimer = sql<TimerScene | null>`case when scene_id is not null then (
  select jsonb_build_object('sceneId', s.scene_id, 'name', s.name, 'enabled', s.enabled, 'ifRefused', s.if_refused, 'version', s.version,
    'items', (select coalesce(jsonb_agg(jsonb_build_object('lineId', line_id, 'action', action) order by turn, position), '[]')
      from scene_item where scene_item.scene_id = s.scene_id))
  from scene s where s.scene_id = timer.scene_id and s.removed_at is null) end`

/** What passes a filter, for whoever says which columns are read. */
export function timersBy(db: Db, filter: TimerFilter) {
  const { projectIds, timerIds, name, lineIds, enabled, inConflict, missed, removedToo } = filter
  return db
    .selectFrom('timer')
    .$if(!removedToo, (qb) => qb.where('removed_at', 'is', null))
    .$if(projectIds !== undefined, (qb) => qb.where(sql<boolean>`project_id = any(${[...(projectIds ?? [])]}::int[])`))
    .$if(timerIds !== undefined, (qb) => qb.where(sql<boolean>`timer_id = any(${[...(timerIds ?? [])]}::int[])`))
    .$if(lineIds !== undefined, (qb) =>
      qb.where(sql<boolean>`timer_id in (select timer_id from timer_acts where line_id = any(${[...(lineIds ?? [])]}::int[]))`),
    )
    .$if(missed !== undefined, (qb) =>
      qb.where(
        // Of each timer its own runs: else the row policies try every run that was missed anywhere, again for each timer.
        sql<boolean>`exists (select from automation_run r where r.source = 'timer' and r.source_id = timer.timer_id
          and r.state = 'missed' and r.claimed_at >= ${new Date(missed?.since ?? 0)}) = ${missed?.any ?? true}`,
      ),
    )
    .$if(inConflict !== undefined, (qb) =>
      qb.where(
        sql<boolean>`exists (select from timer_conflict c where c.timer_id = timer.timer_id and c.keys && ${adverse}::text[]) = ${inConflict}`,
      ),
    )
    .$if(enabled !== undefined, (qb) => qb.where('enabled', '=', enabled ?? true))
    .$if(name !== undefined, (qb) => qb.where(sql<boolean>`strpos(lower(name), lower(${name?.trim() ?? ''})) > 0`))
}

const timerOf = (row: Selectable<TimerTable>): Omit<StoredTimer, 'lineIds' | 'scene'> => ({
  timerId: row.timer_id,
  projectId: row.project_id,
  name: row.name,
  function: row.function,
  schedule: {
    ...row.schedule,
    skipNext: row.skip_since && row.skip_until ? { since: row.skip_since.getTime(), until: row.skip_until.getTime() } : null,
  },
  sceneId: row.scene_id,
  keepWhileWanted: row.keep_while_wanted,
  enabled: row.enabled,
  ownerId: row.owner_id,
  ownerName: row.owner_name,
  version: row.version,
  changedAt: row.changed_at.getTime(),
  changedBy: row.changed_by,
})

export type TimerValues = Omit<StoredTimer, 'timerId' | 'version' | 'projectId' | 'changedAt' | 'changedBy' | 'scene'> & {
  /** As it was read: a timer is not saved for what has become another scene since. */
  readonly scene?: TimerScene | null
}

/** The columns of a timer that somebody saves now. */
export const columnsOf = ({ schedule, ...timer }: TimerValues) => ({
  name: timer.name,
  function: timer.function,
  schedule: storableJson({ period: schedule.period, points: schedule.points, exceptions: schedule.exceptions }),
  scene_id: timer.sceneId,
  keep_while_wanted: timer.keepWhileWanted,
  enabled: timer.enabled,
  owner_id: timer.ownerId,
  owner_name: timer.ownerName,
  skip_since: schedule.skipNext && new Date(schedule.skipNext.since),
  skip_until: schedule.skipNext && new Date(schedule.skipNext.until),
})

/** What a timer is due for next, and by which zone. */
export interface NextDue {
  readonly timeZone: string
  readonly due: Occurrence | null
  /** By other time zone data it was due at this instant, Unix ms; left out: at the same, or that is not why it is made anew. */
  readonly movedFrom?: number
}

/** Whose civil time this server goes by. */
export const zoneData = process.versions.tz ?? ''

/** What a timer is due for next; null: nothing, and no row says otherwise. Part of the transaction that changes the timer. */
export const replaceDue = (trx: Db, timer: Pick<StoredTimer, 'timerId' | 'version'>, next: NextDue): Promise<void> =>
  replaceDues(trx, [{ timer, next }])

/** The same of several at once; of a timer that is there twice the last counts. */
export async function replaceDues(
  trx: Db,
  changes: readonly { readonly timer: Pick<StoredTimer, 'timerId' | 'version'>; readonly next: NextDue }[],
): Promise<void> {
  const byId = new Map(changes.map((change) => [change.timer.timerId, change]))
  const over = [...byId.values()].flatMap(({ timer, next }) => (next.due ? [] : timer.timerId))
  if (over.length > 0) await trx.deleteFrom('timer_due').where(sql<boolean>`timer_id = any(${over}::int[])`).execute()
  const rows = [...byId.values()].flatMap(({ timer, next: { timeZone, due, movedFrom } }) =>
    due
      ? {
          ...{ timer_id: timer.timerId, version: timer.version, time_zone: timeZone, point_no: due.pointNo },
          ...{ due_at: new Date(due.at), action: due.action, skip: due.skip, merged: due.merged.map(({ pointNo }) => pointNo) },
          ...{ changed_at: null, line_ids: null, stale: false, zone_data: zoneData },
          moved_from: movedFrom === undefined ? null : new Date(movedFrom),
        }
      : [],
  )
  if (rows.length === 0) return
  await trx
    .insertInto('timer_due')
    .values(rows)
    .onConflict((oc) =>
      oc.column('timer_id').doUpdateSet(({ ref }) => ({
        ...{ version: ref('excluded.version'), time_zone: ref('excluded.time_zone'), point_no: ref('excluded.point_no') },
        ...{ due_at: ref('excluded.due_at'), action: ref('excluded.action'), skip: ref('excluded.skip') },
        ...{ merged: ref('excluded.merged'), changed_at: ref('excluded.changed_at'), line_ids: ref('excluded.line_ids') },
        ...{ stale: ref('excluded.stale'), zone_data: ref('excluded.zone_data'), moved_from: ref('excluded.moved_from') },
      })),
    )
    .execute()
}

/** What makes a timer one in conflict: not what is only noted, nor what has a filter of its own. */
export const adverse = (Object.keys(conflictEffects) as ConflictKey[]).filter(
  (key) => key !== 'orphan' && conflictEffects[key] !== 'note',
)

/** What the last check found of these. */
export async function conflictsOfTimers(
  db: Db,
  timerIds: readonly number[],
): Promise<ReadonlyMap<number, readonly ConflictKey[]>> {
  const rows = await db
    .selectFrom('timer_conflict')
    .select(['timer_id', 'keys'])
    .where(sql<boolean>`timer_id = any(${[...timerIds]}::int[])`)
    .execute()
  return new Map(rows.map(({ timer_id, keys }) => [timer_id, keys]))
}

/** Names of the enabled timers of a project that go by sunrise or sunset. */
export async function timersBySun(db: Db, projectId: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('timer')
    .select('name')
    .where('project_id', '=', projectId)
    .where('removed_at', 'is', null)
    .where('enabled', '=', true)
    .where(sql<boolean>`schedule -> 'period' ->> 'type' = 'sun'`)
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}
