import type { RunState } from '@linewarden/rules/automation'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Db, StoredTimer, TimerFilter } from './timer.ts'
import { adverse, timersBy } from './timer.ts'

/** What a list of timers can be ordered by. */
export type TimerOrder = 'Next' | 'Name' | 'Last' | '-Next' | '-Name' | '-Last'

/**
 * The timers that pass a filter, in no order; for reading as somebody, under the row policies. Ten thousand come as one row: as many rows take
 * longer to read than to find.
 */
export async function timerIdsBy({ general }: Database, filter: TimerFilter): Promise<readonly number[]> {
  const { ids } = await timersBy(general, filter)
    .select(sql<string | null>`string_agg(timer_id::text, ',')`.as('ids'))
    .executeTakeFirstOrThrow()
  return ids === null ? [] : ids.split(',').map(Number)
}

/** Of very many, as one text: an array is written element by element. */
const idsIn = (timerIds: readonly number[]) => sql`string_to_array(${timerIds.join(',')}, ',')::int[]`

/** How a last run ended, what needs somebody first; a timer that never ran comes last. */
const lastRank: readonly RunState[] = ['missed', 'refused', 'partly', 'stopped', 'skipped', 'running', 'done', 'merged']

/** A page of these timers in an order; what has no next time, or no run, comes last either way. */
export async function pageOfTimers(
  db: Db,
  timerIds: readonly number[],
  { order, page, size }: { readonly order: TimerOrder; readonly page: number; readonly size: number },
): Promise<readonly number[]> {
  const direction = order.startsWith('-') ? sql`desc` : sql`asc`
  const by = {
    Next: sql`due_at ${direction} nulls last,`,
    Name: sql`lower(name) ${direction},`,
    Last: sql`(select array_position(${[...lastRank]}::text[], state) from automation_run
      where source = 'timer' and source_id = timer.timer_id
      order by claimed_at desc, due_at desc nulls last limit 1) ${direction} nulls last,`,
  }[order.replace('-', '') as 'Next' | 'Name' | 'Last']
  const { rows } = await sql<{ timer_id: number }>`
    select timer_id from timer left join timer_due using (timer_id) where timer_id = any(${idsIn(timerIds)})
    order by ${by} lower(name), timer_id limit ${size} offset ${(page - 1) * size}`.execute(db)
  return rows.map(({ timer_id }) => timer_id)
}

/** Who owns these timers, and of which lines they are. */
export async function ownersOfTimers(
  db: Db,
  timerIds: readonly number[],
): Promise<readonly Pick<StoredTimer, 'timerId' | 'projectId' | 'ownerId' | 'lineIds'>[]> {
  const { rows } = await sql<Pick<StoredTimer, 'timerId' | 'projectId' | 'ownerId' | 'lineIds'>>`
    select timer.timer_id as "timerId", project_id as "projectId", owner_id as "ownerId", coalesce(l.lines, '{}') as "lineIds"
    from timer left join (select timer_id, array_agg(line_id) as lines from timer_acts
      where timer_id = any(${idsIn(timerIds)}) group by timer_id) l using (timer_id)
    where timer.timer_id = any(${idsIn(timerIds)})`.execute(db)
  return rows
}

/** How many runs of each of these were missed since, Unix ms; of which there is none, it is not there. */
export async function missedRuns(db: Db, timerIds: readonly number[], since: number): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ source_id: number; count: string }>`
    select source_id, count(*) from automation_run
    where source = 'timer' and state = 'missed' and claimed_at >= ${new Date(since)} and source_id = any(${[...timerIds]}::int[])
    group by source_id`.execute(db)
  return new Map(rows.map(({ source_id, count }) => [source_id, Number(count)]))
}

/** What is said of several timers at once. */
export async function countTimers(db: Db, timerIds: readonly number[]) {
  const { rows } = await sql<{ total: number; enabled: number; conflict: number }>`
    select count(*)::int as total, count(*) filter (where enabled)::int as enabled,
      count(*) filter (where exists (select from timer_conflict c
        where c.timer_id = timer.timer_id and c.keys && ${adverse}::text[]))::int as conflict
    from timer where timer_id = any(${[...timerIds]}::int[])`.execute(db)
  return rows[0] ?? { total: 0, enabled: 0, conflict: 0 }
}

/** What of these is due first after an instant, Unix ms, and is not left out. */
export async function firstDue(db: Db, timerIds: readonly number[], after: number) {
  return db
    .selectFrom('timer_due')
    .innerJoin('timer', 'timer.timer_id', 'timer_due.timer_id')
    .where(sql<boolean>`timer.timer_id = any(${[...timerIds]}::int[])`)
    .where('due_at', '>', new Date(after))
    .where('skip', 'is', null)
    .select(['timer.timer_id', 'timer.name', 'timer_due.due_at', 'timer_due.action', 'timer_due.time_zone'])
    .orderBy('due_at')
    .orderBy('timer.name')
    .limit(1)
    .executeTakeFirst()
}

/** What of these is due at another instant since the time zone data changed, Unix ms; what is due first comes first, at most `most`. */
export async function movedDues(db: Db, timerIds: readonly number[], most: number) {
  const { rows } = await sql<{
    timer_id: number
    name: string
    due_at: Date
    moved_from: Date
    time_zone: string
    count: number
  }>`
    select timer_id, name, due_at, moved_from, time_zone, count(*) over ()::int as count from timer_due join timer using (timer_id)
    where moved_from is not null and timer_id = any(${[...timerIds]}::int[]) order by due_at, timer_id limit ${most}`.execute(db)
  return rows
}

/** How many runs of these were due in a stretch, Unix ms, those that were one with another not counted. */
export async function countRunsDue(db: Db, timerIds: readonly number[], from: number, to: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from automation_run
    where source = 'timer' and state <> 'merged' and due_at >= ${new Date(from)} and due_at < ${new Date(to)}
      and source_id = any(${[...timerIds]}::int[])`.execute(db)
  return rows[0]?.count ?? 0
}

/** Of these, enabled ones that go by the calendar, counted by project. */
export async function calendarTimers(db: Db, timerIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ project_id: number; count: number }>`
    select project_id, count(*)::int as count from timer
    where enabled and schedule -> 'period' ->> 'type' = 'calendar' and timer_id = any(${[...timerIds]}::int[])
    group by project_id`.execute(db)
  return new Map(rows.map(({ project_id, count }) => [project_id, count]))
}

/** What is due at an instant, Unix ms, or before, and nobody has claimed; the longest overdue first. Under the row policies. */
export async function unclaimedDues(db: Db, by: number, projectId?: number) {
  const rows = await db
    .selectFrom('timer_due')
    .innerJoin('timer', 'timer.timer_id', 'timer_due.timer_id')
    .where('due_at', '<=', new Date(by))
    .$if(projectId !== undefined, (qb) => qb.where('project_id', '=', projectId ?? 0))
    .select(['timer.timer_id', 'due_at', 'action', 'skip'])
    .orderBy('due_at')
    .limit(1_000)
    .execute()
  return rows.map(({ timer_id, due_at, action, skip }) => ({ timerId: timer_id, dueAt: due_at.getTime(), action, skip }))
}
