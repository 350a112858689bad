import type { FoldEvent, FoldTopology, Incident } from '@linewarden/rules/alarm'
import {
  closedKey,
  foldableKeys,
  gatewayOfflineKey,
  isOfCause,
  neutralKey,
  openAlarmStates,
  outageKey,
  placeKey,
  platformAwayKey,
  supplyOffKey,
} from '@linewarden/rules/alarm'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Run } from '../core/run.ts'
import type { Schema } from '../core/schema.ts'
import type { EventRow } from './event.ts'

/** An incident with the key of the event that shows for it. */
export type FoldedIncident = Selectable<Schema['incident']> & { readonly root_key: string | null }

/** What the database knows that some events may change. */
export interface FoldingRead {
  readonly incidents: readonly FoldedIncident[]
  readonly events: ReadonlyMap<string, EventRow>
  readonly topology: FoldTopology
}

/** Raised by the server itself, because no alarm of the equipment tells of the cause. */
export const isMadeRoot = (key: string | null): boolean => key === outageKey || key === supplyOffKey || key === platformAwayKey

/** As the rules read it; a root that the server raised is none of the equipment's. */
export const incidentOf = (row: FoldedIncident): Incident & { readonly id: string } => ({
  id: row.incident_id,
  kind: row.kind as Incident['kind'],
  projectId: row.project_id ?? 0,
  gatewayId: row.gateway_id,
  lineId: row.line_id,
  rootId: isMadeRoot(row.root_key) ? null : row.root_event_id,
  openedAt: row.opened_at.getTime(),
  raisedAt: row.raised_at.getTime(),
  endedAt: row.ended_at?.getTime() ?? null,
})

/** A clock that is ahead says of nothing that it will be. */
export const foldEventOf = (row: EventRow, parents: ReadonlyMap<string, string>, now: number): FoldEvent => ({
  id: row.event_id,
  key: row.key,
  projectId: row.project_id,
  gatewayId: row.gateway_id ?? 0,
  deviceId: row.device_id,
  lineId: row.line_id,
  at: Math.min((row.raised_again_at ?? row.raised_at).getTime(), now),
  returnedAt: row.returned_at === null ? null : Math.min(row.returned_at.getTime(), now),
  parent: row.folded && row.incident_id !== null ? (parents.get(row.incident_id) ?? null) : null,
  apart: row.stands_alone || row.suppressed === 'tag',
})

/** Places of incidents by their numbers. */
export const placesOf = (incidents: readonly FoldedIncident[]): ReadonlyMap<string, string> =>
  new Map(incidents.map((row) => [row.incident_id, placeKey(incidentOf(row))]))

/** Before the first event of a cause nothing that it explains has come; equipment reports each within a minute. */
const lookBackMs = 60_000
/** So long a gateway that is gone may belong to an outage that shows only now. */
const outageLookBackMs = 5 * 60_000

/** Reads what these events may change, and what that depends on; of a `whole` project also what belongs to its incidents. */
export async function readFolding(run: Run, came: readonly EventRow[], now: number, whole?: number): Promise<FoldingRead> {
  const projectIds = [...new Set([...came.map(({ project_id }) => project_id), ...(whole === undefined ? [] : [whole])])]
  const incidents = await openIncidents(run, projectIds)
  const causes = came.filter(({ key }) => isOfCause(key))
  const opened = causes.flatMap(({ line_id, key }) =>
    line_id === null || key === neutralKey || key === closedKey ? [] : [line_id],
  )
  const tripped = incidents.flatMap(({ kind, line_id }) => (kind === 'upstreamTrip' && line_id !== null ? [line_id] : []))
  const { topology, gatewaysBelow } = await readTopology(run, [...new Set([...opened, ...tripped])], {
    projectIds: causes.length > 0 || whole !== undefined ? projectIds : [],
    gatewayIds: came.flatMap(({ gateway_id }) => gateway_id ?? []),
    backIn: incidents.flatMap(({ kind, project_id }) => (kind === 'platform' ? (project_id ?? []) : [])),
  })
  const events = new Map<string, EventRow>()
  if (causes.length > 0) {
    const own = causes.flatMap(({ key, gateway_id }) => (gateway_id !== null && foldableKeys.includes(key) ? [gateway_id] : []))
    const below = opened.flatMap((line) => gatewaysBelow.get(line) ?? [])
    const since = Math.min(...causes.map((row) => (row.raised_again_at ?? row.raised_at).getTime())) - lookBackMs
    for (const row of await candidates(run, [...new Set([...own, ...below])], since)) events.set(row.event_id, row)
  }
  if (causes.length > 0 || whole !== undefined)
    for (const row of await members(run, incidents, now)) events.set(row.event_id, row)
  for (const row of came) events.set(row.event_id, row)
  return { incidents, events, topology }
}

const openIncidents = (run: Run, projectIds: readonly number[]): Promise<FoldedIncident[]> =>
  run(sql<FoldedIncident>`
    select incident.*, root.key as root_key from incident left join event root on root.event_id = root_event_id
    where incident.project_id = any(${[...projectIds]}::int[]) and closed_at is null`)

const open = sql`state in (${sql.join(openAlarmStates.map((state) => sql.lit(state)))}) and not historical`

/** Open events that can be folded, of these gateways, raised since then. */
const candidates = (run: Run, gatewayIds: readonly number[], since: number): Promise<EventRow[]> =>
  gatewayIds.length === 0
    ? Promise.resolve([])
    : run(sql<EventRow>`
        select * from event where gateway_id = any(${[...gatewayIds]}::int[]) and ${open} and key = any(${[...foldableKeys]}::text[])
          and coalesce(raised_again_at, raised_at) >= ${new Date(since)}`)

/** What makes an outage or a broken neutral: gateways that went lately, findings, and whatever belongs to such an incident. */
function members(run: Run, incidents: readonly FoldedIncident[], now: number): Promise<EventRow[]> {
  const since = now - outageLookBackMs
  const roots = incidents.flatMap(({ kind, root_event_id, raised_at }) =>
    root_event_id !== null && (kind === 'neutral' || (kind === 'gateway' && raised_at.getTime() >= since)) ? [root_event_id] : [],
  )
  const clusters = incidents.flatMap(({ kind, incident_id }) => (kind === 'outage' || kind === 'neutral' ? [incident_id] : []))
  if (roots.length + clusters.length === 0) return Promise.resolve([])
  return run(sql<EventRow>`
    select * from event where event_id = any(${roots}::bigint[]) and not historical
    union
    select * from event where incident_id = any(${clusters}::bigint[]) and key in (${gatewayOfflineKey}, ${neutralKey})`)
}

interface BelowRow {
  readonly root: number
  readonly steps: number
  readonly line_id: number
  readonly device_id: number
  readonly gateway_id: number
}

interface ReadFor {
  readonly projectIds: readonly number[]
  readonly gatewayIds: readonly number[]
  /** Projects that the platform is back in only lately: of all their gateways it matters how often they report. */
  readonly backIn: readonly number[]
}

/** What lies downstream of these lines, and how much there is of what may hang there. */
async function readTopology(
  run: Run,
  lineIds: readonly number[],
  { projectIds, gatewayIds, backIn }: ReadFor,
): Promise<{ topology: FoldTopology; gatewaysBelow: ReadonlyMap<number, readonly number[]> }> {
  const found = lineIds.length === 0 ? [] : await linesBelow(run, lineIds)
  const hanging = [...new Set(found.map(({ gateway_id }) => gateway_id))]
  const lines = hanging.length === 0 ? [] : await linesOf(run, hanging)
  const counts = projectIds.length === 0 ? [] : await gatewaysOf(run, projectIds)
  const periods =
    found.length + backIn.length === 0 ? [] : await periodsOf(run, [...new Set([...gatewayIds, ...hanging])], backIn)
  const below = new Map<number, Map<number, number>>()
  for (const { root, line_id, steps } of found) below.set(root, (below.get(root) ?? new Map()).set(line_id, steps))
  const ids = (rows: readonly BelowRow[] | readonly { readonly line_id: number }[]) => rows.map(({ line_id }) => line_id)
  const grouped = (by: 'device_id' | 'gateway_id') =>
    new Map([...Map.groupBy(lines, (row) => row[by])].map(([id, rows]) => [id, ids(rows)]))
  return {
    topology: {
      below,
      linesOfDevice: grouped('device_id'),
      linesOfGateway: grouped('gateway_id'),
      gatewaysOf: new Map(counts.map(({ project_id, gateways }) => [project_id, gateways])),
      maxPeriodMsOf: new Map(counts.map(({ project_id, longest }) => [project_id, longest])),
      periodOf: new Map(periods.map(({ gateway_id, reporting_period_ms }) => [gateway_id, reporting_period_ms])),
    },
    gatewaysBelow: new Map(
      [...Map.groupBy(found, ({ root }) => root)].map(([root, rows]) => [root, rows.map(({ gateway_id }) => gateway_id)]),
    ),
  }
}

/** No installation is deeper, and a loop that somebody registered ends. */
const maxSteps = 32

const linesBelow = (run: Run, lineIds: readonly number[]): Promise<BelowRow[]> =>
  run(sql<BelowRow>`
    with recursive below (root, line_id, steps) as (
      select fed_by, line_id, 1 from line where fed_by = any(${[...lineIds]}::int[])
      union all
      select root, line.line_id, steps + 1 from line join below on line.fed_by = below.line_id where steps < ${maxSteps}
    )
    select root, min(steps) as steps, line_id, device_id, gateway_id from below join line using (line_id) join device using (device_id)
    where root <> line_id group by root, line_id, device_id, gateway_id`)

const linesOf = (run: Run, gatewayIds: readonly number[]) =>
  run(sql<{ line_id: number; device_id: number; gateway_id: number }>`
    select line_id, device_id, gateway_id from line join device using (device_id) where gateway_id = any(${[...gatewayIds]}::int[])`)

const gatewaysOf = (run: Run, projectIds: readonly number[]) =>
  run(sql<{ project_id: number; gateways: number; longest: number }>`
    select project_id, count(*)::int as gateways, max(reporting_period_ms) as longest from gateway
    where project_id = any(${[...projectIds]}::int[]) and removed_at is null group by project_id`)

const periodsOf = (run: Run, gatewayIds: readonly number[], projectIds: readonly number[]) =>
  run(sql<{ gateway_id: number; reporting_period_ms: number }>`
    select gateway_id, reporting_period_ms from gateway
    where gateway_id = any(${[...gatewayIds]}::int[]) or project_id = any(${[...projectIds]}::int[])`)
