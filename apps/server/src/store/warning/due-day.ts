import type pg from 'pg'

/** The newest local day of a project that is over, since 1970 by its own calendar. */
export interface FinishedDay {
  readonly projectId: number
  readonly day: number
}

/** A day that lines are due on, in one time zone. */
export interface DueDay {
  readonly day: number
  readonly timeZone: string
}

/** After a longer absence no more days than these are made up for, of lines that reported nothing. */
const maxMissedDays = 14

/**
 * Notes every line of a project on each day that has ended, also one that reported nothing: that it cannot be evaluated is said, too. Once
 * for each project and day, on whichever server comes first.
 */
export async function noteFinishedDays(client: pg.ClientBase, finished: readonly FinishedDay[]): Promise<void> {
  await client.query(
    `with finished as (select * from unnest($1::int[], $2::int[]) as finished (project_id, day)),
       known as (select project_id, day from project_day where project_id = any($1) for update),
       moved as (
         insert into project_day (project_id, day)
         select finished.project_id, finished.day from finished left join known on known.project_id = finished.project_id
         where known.day is null or known.day < finished.day
         on conflict (project_id) do update set day = excluded.day where project_day.day < excluded.day
         returning project_id, day
       )
     insert into line_day_due (line_id, day)
     select line_id, missed from moved left join known on known.project_id = moved.project_id
       join gateway on gateway.project_id = moved.project_id join device using (gateway_id) join line using (device_id)
       cross join lateral generate_series(greatest(coalesce(known.day + 1, moved.day), moved.day - $3), moved.day) as missed
     where gateway.removed_at is null
       and not exists (select from line_day_due noted where noted.line_id = line.line_id and noted.day = missed)`,
    [finished.map(({ projectId }) => projectId), finished.map(({ day }) => day), maxMissedDays],
  )
}

/** Days that lines are due on, the oldest first. */
export async function dueDays(client: pg.ClientBase): Promise<readonly DueDay[]> {
  const { rows } = await client.query<{ day: number; time_zone: string }>(
    `select distinct day, time_zone from line_day_due join line using (line_id) join device using (device_id)
       join gateway using (gateway_id) join project using (project_id) order by day`,
  )
  return rows.map(({ day, time_zone }) => ({ day, timeZone: time_zone }))
}

/** Whether hours of this stretch are still to be rolled up. */
export async function hoursAreDue(client: pg.ClientBase, begins: number, ends: number): Promise<boolean> {
  const { rows } = await client.query('select from rollup_due where hour >= $1 and hour < $2 limit 1', [
    new Date(begins),
    new Date(ends),
  ])
  return rows.length > 0
}

/**
 * Begins a transaction in which nobody else evaluates lines, on any server; false: somebody does, and nothing has begun. Whoever is killed
 * leaves everything as due as it was.
 */
export async function beginEvaluating(client: pg.ClientBase): Promise<boolean> {
  await client.query('begin')
  const { rows } = await client.query<{ free: boolean }>(`select pg_try_advisory_xact_lock(hashtext('line_day')) as free`)
  if (rows[0]?.free) return true
  await client.query('rollback')
  return false
}

/** Keeps everybody else, on any server, from evaluating lines until this connection ends. Waits for whoever is at it. */
export const keepEvaluating = async (client: pg.ClientBase): Promise<void> => {
  await client.query(`select pg_advisory_lock(hashtext('line_day'))`)
}

/** Takes the notes of so many lines of a day, gateway by gateway, and answers the lines. */
export async function takeDue(
  client: pg.ClientBase,
  { day, timeZone }: DueDay,
  { most, except }: { readonly most: number; readonly except: readonly number[] },
): Promise<readonly number[]> {
  const { rows } = await client.query<{ line_id: number }>(
    `with taken as (
       select due.ctid, line_id from line_day_due due join line using (line_id) join device using (device_id)
         join gateway using (gateway_id) join project using (project_id)
       where day = $1 and time_zone = $2 and line_id <> all($4) order by gateway_id, line_id limit $3 for update of due skip locked
     )
     delete from line_day_due due using taken where due.ctid = taken.ctid returning due.line_id`,
    [day, timeZone, most, except],
  )
  return [...new Set(rows.map(({ line_id }) => line_id))]
}

/** Ends the transaction that evaluates lines. */
export const endEvaluating = async (client: pg.ClientBase, how: 'commit' | 'rollback'): Promise<void> => {
  await client.query(how)
}
