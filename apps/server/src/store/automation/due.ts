import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { LeaseClock } from '../jobs/due-work.ts'
import type { NextDue, StoredTimer } from './timer.ts'
import { replaceDue, zoneData } from './timer.ts'

/** Now, by the clock that decides what is due, Unix ms. */
export async function dueNow({ control }: Pick<Database, 'control'>, clock: LeaseClock): Promise<number> {
  const { rows } = await sql<{ now: Date }>`select ${clock()} as now`.execute(control)
  return rows[0]?.now.getTime() ?? Number.NaN
}

/** The same, and when the next timer is due after it; null: none. */
export async function dueNext(
  db: Kysely<Schema>,
  clock: LeaseClock,
): Promise<{ readonly now: number; readonly next: number | null }> {
  const { rows } = await sql<{ now: Date; next: Date | null }>`
    with c as materialized (select ${clock()} as now) select now, (select min(due_at) from timer_due where due_at > now) as next from c`.execute(
    db,
  )
  return { now: rows[0]?.now.getTime() ?? Number.NaN, next: rows[0]?.next?.getTime() ?? null }
}

/** What a timer is due for after an instant, and the clock of it. */
export interface DueBy {
  readonly clock: LeaseClock
  readonly next: (after: number) => NextDue
}

/**
 * A timer changes: what it is due for is made anew, but for what is due already. That stays, with the lines it has, for whoever claims it. Part
 * of the transaction that changes the timer, before its lines do.
 */
export async function changeDue(
  trx: Kysely<Schema>,
  timer: Pick<StoredTimer, 'timerId' | 'version'>,
  { clock, next }: DueBy,
): Promise<void> {
  const { due, now } = await lockDue(trx, timer.timerId, clock)
  if (due === null || due > now) return replaceDue(trx, timer, next(now))
  const linesOfNow = sql<number[]>`coalesce(line_ids,
    (select coalesce(array_agg(line_id order by position), '{}') from timer_line where timer_line.timer_id = timer_due.timer_id))`
  await trx
    .updateTable('timer_due')
    .set({ changed_at: new Date(now), line_ids: linesOfNow })
    .where('timer_id', '=', timer.timerId)
    .execute()
}

/** The instant that a timer is due for, held until the transaction ends, and the time once it is. Null: nothing. */
export async function lockDue(
  trx: Kysely<Schema>,
  timerId: number,
  clock: LeaseClock,
): Promise<{ readonly due: number | null; readonly now: number }> {
  const row = await trx.selectFrom('timer_due').select('due_at').where('timer_id', '=', timerId).forUpdate().executeTakeFirst()
  return { due: row?.due_at.getTime() ?? null, now: await dueNow({ control: trx }, clock) }
}

/** What was made by other time zone data than this server's is to be made anew. */
export async function markOtherZoneData({ control }: Pick<Database, 'control'>): Promise<void> {
  await control
    .updateTable('timer_due')
    .set({ stale: true })
    .where('zone_data', '<>', zoneData)
    .where('stale', '=', false)
    .execute()
}
