import type { ConflictKey } from '@linewarden/rules/automation'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { LeaseClock } from '../jobs/due-work.ts'
import { dueNow } from './due.ts'
import type { NextDue, StoredTimer } from './timer.ts'

/** A project whose timers one server checks at this moment. */
export interface CheckClaim {
  readonly projectId: number
  readonly generation: number
  /** Owners whose timers were announced as without one. */
  readonly orphanOwners: readonly string[]
  /** By the clock that decides what is due, Unix ms. */
  readonly now: number
}

/** A project that changes again and again is checked no more often. */
const restMs = 5_000
/** A claim that nobody finishes is due again after this. */
const claimMs = 300_000

/** Claims the check that is due longest, with the marks that were left until now; null: none is due. What another server claims is left alone. */
export function claimCheck({ general }: Database, clock: LeaseClock): Promise<CheckClaim | null> {
  return general.transaction().execute(async (trx) => {
    await sql`insert into timer_check (project_id, due_at)
      select distinct project_id, '-infinity'::timestamptz from timer_check_mark on conflict do nothing`.execute(trx)
    const { rows } = await sql<{ project_id: number; generation: number; orphan_owners: string[]; now: Date }>`
      with due as materialized (
        select project_id from timer_check
        where (checked_at is null or checked_at <= ${clock()} - ${restMs} * interval '1 ms' or checked_at > ${clock()})
          and (due_at <= ${clock()} or exists (select from timer_check_mark where timer_check_mark.project_id = timer_check.project_id))
        order by checked_at nulls first limit 1 for update skip locked
      )
      update timer_check set generation = generation + 1, due_at = ${clock()} + ${claimMs} * interval '1 ms', checked_at = ${clock()}
      from due where timer_check.project_id = due.project_id
      returning timer_check.project_id, generation, orphan_owners, ${clock()} as now`.execute(trx)
    const [row] = rows
    if (!row) return null
    await trx.deleteFrom('timer_check_mark').where('project_id', '=', row.project_id).execute()
    return {
      projectId: row.project_id,
      generation: row.generation,
      orphanOwners: row.orphan_owners,
      now: row.now.getTime(),
    }
  })
}

/** What a check found. */
export interface CheckFindings {
  readonly conflicts: ReadonlyMap<number, readonly ConflictKey[]>
  readonly orphanOwners: readonly string[]
  /** When it is checked next, whatever happens, Unix ms. */
  readonly nextAt: number
}

/** Stores what a check found, in place of what the one before did; false: another has claimed it since, and this one says nothing. */
export function finishCheck(
  { general }: Database,
  { projectId, generation, now }: CheckClaim,
  { conflicts, orphanOwners, nextAt }: CheckFindings,
): Promise<boolean> {
  return general.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('timer_check')
      .set({ due_at: new Date(nextAt), orphan_owners: [...orphanOwners] })
      .where('project_id', '=', projectId)
      .where('generation', '=', generation)
      .returning('project_id')
      .executeTakeFirst()
    if (!row) return false
    await sql`delete from timer_conflict using timer where timer.timer_id = timer_conflict.timer_id and project_id = ${projectId}`.execute(
      trx,
    )
    const found = [...conflicts].map(([timer_id, keys]) => ({ timer_id, keys: [...keys], checked_at: new Date(now) }))
    if (found.length > 0) await trx.insertInto('timer_conflict').values(found).execute()
    return true
  })
}

/**
 * Timers that are enabled and have no due row, as one that is further away than was looked, get theirs; of others it is made anew where it is
 * another than it should be. What is due already is left alone.
 */
export async function mendDue(
  { general }: Database,
  timers: readonly { readonly timer: StoredTimer; readonly next: NextDue }[],
  now: number,
): Promise<void> {
  const ids = timers.map(({ timer }) => timer.timerId)
  const rows = await general
    .selectFrom('timer_due')
    .select(['timer_id', 'version', 'due_at'])
    .where(sql<boolean>`timer_id = any(${ids}::int[])`)
    .execute()
  const known = new Map(rows.map((row) => [row.timer_id, row]))
  for (const { timer, next } of timers) {
    const row = known.get(timer.timerId)
    if (row && (row.version !== timer.version || row.due_at.getTime() <= now)) continue
    if (row && row.due_at.getTime() !== next.due?.at)
      await sql`update timer_due set stale = true where timer_id = ${timer.timerId} and version = ${timer.version}`.execute(
        general,
      )
    if (!row && next.due)
      // Made anew at once by whoever looks next, under the lock of what is due.
      await sql`insert into timer_due (timer_id, version, time_zone, point_no, due_at, action, stale)
        select timer_id, version, ${next.timeZone}, ${next.due.pointNo}, ${new Date(next.due.at)}, ${next.due.action}, true from timer
        where timer_id = ${timer.timerId} and version = ${timer.version} and enabled and removed_at is null
        on conflict do nothing`.execute(general)
  }
}

/** Due rows that nobody has claimed in time, the oldest first: Unix ms. */
export async function lateDue(
  { general }: Database,
  clock: LeaseClock,
  lateMs: number,
): Promise<{ readonly now: number; readonly rows: readonly LateDue[] }> {
  const now = await dueNow({ control: general }, clock)
  const { rows } = await sql<{ timer_id: number; project_id: number; due_at: Date }>`
    select timer_id, project_id, due_at from timer_due join timer using (timer_id)
    where due_at <= ${new Date(now - lateMs)} order by due_at, timer_id limit 1000`.execute(general)
  return {
    now,
    rows: rows.map(({ timer_id, project_id, due_at }) => ({ timerId: timer_id, projectId: project_id, dueAt: due_at.getTime() })),
  }
}

export interface LateDue {
  readonly timerId: number
  readonly projectId: number
  readonly dueAt: number
}

/** Where an alarm of automation is active: by project its gateway. */
export async function activeFaults({ general }: Database, key: string): Promise<ReadonlyMap<number, number>> {
  const rows = await general
    .selectFrom('event')
    .select(['project_id', 'gateway_id'])
    .where('key', '=', key)
    .where('state', 'in', ['active', 'acknowledged'])
    .where('gateway_id', 'is not', null)
    .execute()
  return new Map(rows.flatMap(({ project_id, gateway_id }) => (gateway_id === null ? [] : [[project_id, gateway_id] as const])))
}
