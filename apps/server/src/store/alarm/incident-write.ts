import type { Incident } from '@linewarden/rules/alarm'
import { sql } from 'kysely'
import type { Run } from '../core/run.ts'
import type { FoldedIncident } from './fold-read.ts'
import { incidentOf } from './fold-read.ts'
import { dateOf } from './step.ts'

/** Stores incidents that are new or otherwise than before. Answers all of them, by their places. */
export async function writeIncidents(
  run: Run,
  before: ReadonlyMap<string, FoldedIncident>,
  incidents: ReadonlyMap<string, Incident>,
): Promise<Map<string, FoldedIncident>> {
  const after = new Map<string, FoldedIncident>()
  for (const [key, incident] of incidents) {
    const known = before.get(key)
    const row = known ? await update(run, known, incident) : await insert(run, incident)
    if (row) after.set(key, row)
  }
  return after
}

async function insert(run: Run, { kind, projectId, gatewayId, lineId, rootId, openedAt, raisedAt, endedAt }: Incident) {
  // An alarm that is raised again is the root of the same incident again.
  const [row] = await run(sql<FoldedIncident>`
    insert into incident (kind, project_id, gateway_id, line_id, root_event_id, opened_at, raised_at, ended_at)
    values (${kind}, ${projectId}, ${gatewayId}, ${lineId}, ${rootId}, ${new Date(openedAt)}, ${new Date(raisedAt)}, ${dateOf(endedAt)})
    on conflict (root_event_id) where root_event_id is not null do update set project_id = excluded.project_id,
      opened_at = excluded.opened_at, raised_at = excluded.raised_at, ended_at = excluded.ended_at, closed_at = null, emptied_at = null
    returning *, null as root_key`)
  return row
}

async function update(run: Run, known: FoldedIncident, incident: Incident): Promise<FoldedIncident> {
  const was = incidentOf(known)
  const { rootId, openedAt, raisedAt, endedAt } = incident
  const isOtherRoot = rootId !== null && rootId !== was.rootId
  if (!isOtherRoot && was.openedAt === openedAt && was.raisedAt === raisedAt && was.endedAt === endedAt) return known
  const times = { opened_at: new Date(openedAt), raised_at: new Date(raisedAt), ended_at: dateOf(endedAt) }
  if (isOtherRoot) await leaveEarlier(run, known.incident_id, rootId)
  const root_event_id = rootId ?? known.root_event_id
  await run(sql`update incident set opened_at = ${times.opened_at}, raised_at = ${times.raised_at}, ended_at = ${times.ended_at},
    root_event_id = ${root_event_id} where incident_id = ${known.incident_id}`)
  return { ...known, ...times, root_event_id }
}

/** An event shows for one incident: of an earlier one that is over nothing is left but to count. */
export const leaveEarlier = (run: Run, incidentId: string, rootId: string): Promise<unknown> =>
  run(sql`update incident set root_event_id = null where root_event_id = ${rootId} and incident_id <> ${incidentId}`)

/** It folds nothing any more. */
export const closeDissolved = (run: Run, incidentId: string, now: number): Promise<unknown> =>
  run(sql`update incident set ended_at = coalesce(ended_at, ${new Date(now)}), closed_at = ${new Date(now)}, emptied_at = ${new Date(now)}
    where incident_id = ${incidentId}`)
