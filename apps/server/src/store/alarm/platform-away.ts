import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import { inTransaction } from '../core/run.ts'
import { announceIn } from './announcement.ts'
import { takeTurn } from './fold.ts'
import { raiseRootAgain } from './incident-root.ts'

/**
 * Notes that nothing was taken in before `backAt`, since `since` (Unix ms; null: since the last checkpoint): in each project with gateways
 * that reported until then. What is silent from then on is folded into it; where all come back nobody is shown anything. Away once more
 * while the incident is open, it goes on, and its root calls again where something is silent still, else with the first that is (ADR 89).
 */
export async function notePlatformAway(
  { general }: Pick<Database, 'general'>,
  { since, backAt }: { readonly since: number | null; readonly backAt: number },
): Promise<void> {
  await general.transaction().execute(async (trx) => {
    const run = inTransaction(trx)
    const projects = await run(sql<{ project_id: number }>`
      select distinct project_id from gateway where link in ('online', 'stale') and removed_at is null`)
    const ids = projects.map(({ project_id }) => project_id)
    if (ids.length === 0) return
    await takeTurn(run, ids)
    await run(sql`delete from incident where kind = 'platform' and folded = 0 and closed_at is not null`)
    const noted = await run(sql<{ root_event_id: string | null; is_silent: boolean }>`
      insert into incident (kind, project_id, opened_at, raised_at)
      select 'platform', unnest(${ids}::int[]), least(${new Date(backAt)},
        coalesce(${since === null ? null : new Date(since)}::timestamptz, (select received_at from latest_watermark), ${new Date(backAt)})), ${new Date(backAt)}
      on conflict (kind, coalesce(project_id, 0), coalesce(gateway_id, 0), coalesce(line_id, 0)) where closed_at is null
        do update set raised_at = excluded.raised_at, ended_at = null
      returning root_event_id, exists (select from event where event.incident_id = incident.incident_id and event.folded
        and event.state in ('active', 'acknowledged')) as is_silent`)
    const calling: string[] = []
    for (const { root_event_id, is_silent } of noted) {
      const again = root_event_id !== null && is_silent ? await raiseRootAgain(run, root_event_id, backAt, backAt) : null
      if (again?.isNew) calling.push(again.row.event_id)
    }
    await announceIn(
      trx,
      calling.map((eventId) => ({ eventId, why: 'raise' })),
      backAt,
    )
  })
}
