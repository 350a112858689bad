import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import { inTransaction } from '../core/run.ts'
import { announceIn } from './announcement.ts'
import { takeTurn } from './fold.ts'
import { raiseRootAgain } from './incident-root.ts'

/** Projects in one transaction: few enough that nobody waits long for the turn of one. */
const portion = 250

/** Nothing was taken in meanwhile. */
export interface Away {
  /** Unix ms; null: since the last checkpoint. */
  readonly since: number | null
  /** Unix ms. */
  readonly backAt: number
}

/** Projects in which it could not be noted, and the first exception by which that failed. */
export interface Unnoted {
  readonly projectIds: readonly number[]
  readonly failed: unknown
}

/**
 * Notes that nothing was taken in before `backAt`: in each project with gateways that reported until then, or in those of `projectIds` alone.
 * What is silent from then on is folded into it; where all come back nobody is shown anything. Away once more while the incident is open, it
 * goes on, and its root calls again where something is silent still, else with the first that is (ADR 89). A portion of projects that fails
 * leaves the others alone; it throws only where not even the projects can be read.
 */
export async function notePlatformAway(
  { general }: Pick<Database, 'general'>,
  away: Away,
  projectIds: readonly number[] | null = null,
): Promise<Unnoted> {
  const ids =
    projectIds ??
    (await general.selectFrom('project').select('project_id').orderBy('project_id').execute()).map((row) => row.project_id)
  const left: number[] = []
  let failed: unknown = null
  for (let first = 0; first < ids.length; first += portion) {
    const these = ids.slice(first, first + portion)
    try {
      await noteIn(general, away, these)
    } catch (error) {
      failed ??= error
      left.push(...these)
    }
  }
  return { projectIds: left, failed }
}

const noteIn = (general: Database['general'], { since, backAt }: Away, ids: readonly number[]): Promise<void> =>
  general.transaction().execute(async (trx) => {
    const run = inTransaction(trx)
    await run(sql`set local lock_timeout = '1s'`)
    await takeTurn(run, ids)
    await run(sql`
      delete from incident where kind = 'platform' and folded = 0 and closed_at is not null and project_id = any(${[...ids]}::int[])`)
    const noted = await run(sql<{ root_event_id: string | null; is_silent: boolean }>`
      insert into incident (kind, project_id, opened_at, raised_at)
      select distinct 'platform', project_id, least(${new Date(backAt)},
        coalesce(${since === null ? null : new Date(since)}::timestamptz, (select received_at from latest_watermark), ${new Date(backAt)})),
        ${new Date(backAt)}::timestamptz
      from gateway where link in ('online', 'stale') and removed_at is null and project_id = any(${[...ids]}::int[])
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
