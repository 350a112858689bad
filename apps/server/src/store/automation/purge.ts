import { dayMs } from '@linewarden/equipment'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'

/** So long it is kept what timers, scenes and linkages did, and what linkages nearly did. */
export const [keptRunsMs, keptNearMs] = [400 * dayMs, 30 * dayMs]

/** So many in one transaction: nobody waits for the locks of a year. */
const atOnce = 1_000

/** Deletes runs that ended long ago, with what became of their lines; the commands stay in the ledger. A run that stands for an alarm stays too. */
export async function purgeExecutions({ general }: Pick<Database, 'general'>, now: number): Promise<void> {
  for (let deleted = BigInt(atOnce); deleted >= atOnce; ) {
    const { numAffectedRows } = await sql`
      with old as (
        select run_id from automation_run where claimed_at < ${new Date(now - keptRunsMs)} and ended_at is not null
          and not exists (select from linkage_raised where linkage_raised.run_id = automation_run.run_id)
        order by claimed_at limit ${atOnce})
      delete from automation_run where run_id in (
        select run_id from old union select later.run_id from automation_run later join old on later.parent_run_id = old.run_id)`.execute(
      general,
    )
    deleted = numAffectedRows ?? 0n
  }
}

export async function purgeNear({ general }: Pick<Database, 'general'>, now: number): Promise<void> {
  for (let deleted = BigInt(atOnce); deleted >= atOnce; ) {
    const { numAffectedRows } = await sql`
      delete from linkage_near where (linkage_id, why, slot) in (
        select linkage_id, why, slot from linkage_near where at < ${new Date(now - keptNearMs)} order by at limit ${atOnce})`.execute(
      general,
    )
    deleted = numAffectedRows ?? 0n
  }
}
