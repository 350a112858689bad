import { sql } from 'kysely'
import type { Database } from '../core/database.ts'

/** So long nobody else begins a turn while one is under way; a server that is gone with it keeps the others no longer. */
const underWayMs = 5_000

/**
 * Takes the turn of a project: at least `staggerMs` after the last that was taken there, by the database's clock. Answers 0 with the turn, else
 * how long to wait, ms. A turn further ahead than any is was left by a clock that was set back.
 */
export async function takeProjectTurn(
  { control }: Pick<Database, 'control'>,
  projectId: number,
  staggerMs: number,
  turnId: string,
): Promise<number> {
  const ms = sql`interval '1 ms'`
  const { rows } = await sql<{ taken_by: string }>`
    insert into project_turn as turn (project_id, turn_at, taken_by)
    values (${projectId}, clock_timestamp() + ${underWayMs} * ${ms}, ${turnId})
    on conflict (project_id) do update set turn_at = clock_timestamp() + ${underWayMs} * ${ms}, taken_by = excluded.taken_by
      where turn.turn_at <= clock_timestamp() - ${staggerMs} * ${ms} or turn.turn_at > clock_timestamp() + ${underWayMs} * ${ms}
    returning taken_by`.execute(control)
  if (rows.length > 0) return 0
  const waits = await sql<{ ms: number }>`
    select (extract(epoch from turn_at - clock_timestamp()) * 1000)::float8 as ms from project_turn
    where project_id = ${projectId}`.execute(control)
  return Math.max(1, Math.ceil((waits.rows[0]?.ms ?? 0) + staggerMs))
}

/** The order of a turn has left: the next one counts from here. */
export async function endProjectTurn({ control }: Pick<Database, 'control'>, projectId: number, turnId: string): Promise<void> {
  await sql`update project_turn set turn_at = clock_timestamp() where project_id = ${projectId} and taken_by = ${turnId}`.execute(
    control,
  )
}
