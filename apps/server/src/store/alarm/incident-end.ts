import { afterEndMs, alarmAfter, callsAgain, openAlarmStates, platformSettledAt, standsAlone } from '@linewarden/rules/alarm'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Run } from '../core/run.ts'
import { inTransaction } from '../core/run.ts'
import { announceIn } from './announcement.ts'
import type { EventRow } from './event.ts'
import type { MovedEvent } from './fold.ts'
import { foldAgain, isWaitedFor, waitsBriefly } from './fold.ts'
import { conditionOf, writeSteps } from './step.ts'

const maxAtOnce = 50
/** So long after its last change an incident is looked at each second; after that now and then. */
const freshMs = 5 * 60_000
/** A line that opened and took nothing with it is no incident. */
const nothingFoldedMs = 10 * 60_000

/** Projects with incidents that changed lately, or all with open ones. After a start each project has one of the platform: without children there is nothing to look at. */
export async function projectsWithIncidents({ general }: Database, now: number, all: boolean): Promise<readonly number[]> {
  const since = new Date(now - freshMs)
  const rows = await general
    .selectFrom('incident')
    .select('project_id')
    .distinct()
    .where('closed_at', 'is', null)
    .where('project_id', 'is not', null)
    .where((is) => is.or([is('kind', '<>', 'platform'), is('folded', '>', 0)]))
    .$if(!all, (query) => query.where((is) => is.or([is('raised_at', '>=', since), is('ended_at', '>=', since)])))
    .execute()
  return rows.flatMap(({ project_id }) => project_id ?? [])
}

/**
 * Folds once more whatever the open incidents of a project explain: what a transaction left because somebody else was changing it, or could
 * not fold, and roots that went otherwise than by the equipment. Where somebody has a row that it needs it leaves all to the next look.
 */
export async function foldProject({ general }: Database, projectId: number, now: number): Promise<readonly MovedEvent[]> {
  try {
    return await general.transaction().execute(async (trx) => {
      await sql.raw(waitsBriefly).execute(trx)
      const moved = await foldAgain(inTransaction(trx), projectId, now)
      await sql`set local lock_timeout to default`.execute(trx)
      await announceMoved(trx, moved, now)
      return moved
    })
  } catch (error) {
    if (isWaitedFor(error)) return []
    throw error
  }
}

/**
 * Ends incidents whose time is over, each on whichever server comes first: what is still there stands alone, and so does what needs somebody
 * once its root needs nobody. `isQuiet`: of an event whose place is out of service nobody is told.
 */
export async function endIncidents(
  { general }: Database,
  now: number,
  isQuiet: (row: EventRow) => boolean,
): Promise<readonly MovedEvent[]> {
  const due = dueBy(now)
  const found =
    await sql`select from incident left join event root on root.event_id = root_event_id where ${due} limit 1`.execute(general)
  if (found.rows.length === 0) return []
  return general.transaction().execute(async (trx) => {
    const run = inTransaction(trx)
    const incidents = await run(sql<{ incident_id: string; root_state: EventRow['state'] }>`
      select incident.incident_id, root.state as root_state from incident left join event root on root.event_id = root_event_id
      where ${due} order by incident.incident_id limit ${maxAtOnce} for update of incident skip locked`)
    const moved = await letStandAlone(run, new Map(incidents.map((row) => [row.incident_id, row.root_state])), now, isQuiet)
    await announceMoved(trx, moved, now)
    return moved
  })
}

const dueBy = (now: number) => sql<boolean>`emptied_at is null and (
    (closed_at is null and ended_at <= ${new Date(now - afterEndMs)})
    or (closed_at is null and incident.kind = 'platform' and incident.folded = 0 and incident.raised_at < ${new Date(now - platformSettledAt(0, Number.POSITIVE_INFINITY))})
    or (closed_at is null and incident.kind = 'upstreamTrip' and incident.folded = 0 and incident.raised_at < ${new Date(now - nothingFoldedMs)})
    or (closed_at is not null and (root.state = 'normal' or root.event_id is null)))`

async function letStandAlone(
  run: Run,
  rootStates: ReadonlyMap<string, EventRow['state']>,
  now: number,
  isQuiet: (row: EventRow) => boolean,
): Promise<readonly MovedEvent[]> {
  const ids = [...rootStates.keys()]
  if (ids.length === 0) return []
  const rows = await run(sql<EventRow>`
    select * from event where incident_id = any(${ids}::bigint[]) and folded and state = any(${openAlarmStates})
    order by event_id for update skip locked`)
  const calls = new Set<string>()
  const steps = rows.flatMap((row) => {
    const { state } = row
    if (state === null || !standsAlone(state, rootStates.get(row.incident_id ?? '') ?? null)) return []
    const step = { row: { ...row, state }, act: 'alone', at: now, actor: null } as const
    const isAnnounced = !isQuiet(row) && callsAgain('alone', alarmAfter(conditionOf(step.row), row.priority, step), now)
    if (isAnnounced) calls.add(row.event_id)
    return [{ ...step, isAnnounced }]
  })
  const after = await writeSteps(run, steps)
  await run(sql`
    update incident set closed_at = coalesce(closed_at, ${new Date(now)}),
      emptied_at = case when exists (select from event where event.incident_id = incident.incident_id and event.folded
        and event.state = any(${openAlarmStates})) then null else ${new Date(now)}::timestamptz end
    where incident_id = any(${ids}::bigint[])`)
  return after.map((row) => ({ row, why: calls.has(row.event_id) ? 'alone' : null }))
}

const announceMoved = (trx: Parameters<typeof announceIn>[0], moved: readonly MovedEvent[], now: number): Promise<void> =>
  announceIn(
    trx,
    moved.flatMap(({ row, why }) => (why === null ? [] : [{ eventId: row.event_id, why }])),
    now,
  )
