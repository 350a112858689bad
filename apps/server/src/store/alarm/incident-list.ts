import type { Priority } from '@linewarden/equipment'
import { priorities } from '@linewarden/equipment'
import type { IncidentKind } from '@linewarden/rules/alarm'
import { openAlarmStates } from '@linewarden/rules/alarm'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { EventRow } from './event.ts'
import type { Seen } from './event-filter.ts'
import { seesNothing, within } from './event-filter.ts'
import type { RootOf } from './event-record.ts'

export type IncidentRow = Selectable<Schema['incident']>

/** Children of an incident that are of one alarm and one priority. */
export interface ChildCount {
  readonly incident_id: string
  readonly key: string
  readonly label_zh: string
  readonly label_en: string
  readonly priority: Priority
  /** Folded, and still in need of somebody. */
  readonly present: number
  readonly total: number
}

const worstFirst = sql.join(priorities.map((each) => sql.lit(each)))
const seenEvents = (seen: Seen | null) => (seen ? within(seen) : sql<boolean>`true`)
/** Whatever was folded into an incident and is not its root. */
const children = (incidentIds: readonly string[], seen: Seen | null) =>
  sql`event where event.incident_id = any(${[...incidentIds]}::bigint[]) and ${seenEvents(seen)}`
const present = sql<boolean>`folded and state = any(${openAlarmStates})`

/** What these events show for whose roots they are, where anything was ever folded under them, by the incident, as far as somebody sees it. `mark`: the newest announcement before they were read. */
export async function rootsOf(
  { general }: Pick<Database, 'general'>,
  roots: readonly Pick<EventRow, 'root_of' | 'priority'>[],
  seen: Seen | null,
  mark: string,
): Promise<ReadonlyMap<string, RootOf>> {
  const ids = roots.flatMap(({ root_of }) => root_of ?? [])
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ incident_id: string; kind: IncidentKind; present: number; worst: number | null }>`
    select incident_id, kind, coalesce(present, 0) as present, worst from incident left join (
      select incident_id, count(*)::int as present, min(array_position(array[${worstFirst}], priority)) as worst
      from ${children(ids, seen)} and ${present} group by incident_id) folded using (incident_id)
    where incident_id = any(${ids}::bigint[]) and incident.folded > 0`.execute(general)
  const own = new Map(roots.map(({ root_of, priority }) => [root_of, priority]))
  return new Map(
    rows.map(({ worst, ...row }) => [
      row.incident_id,
      { ...row, mark, priority: gravest([own.get(row.incident_id), priorities[(worst ?? 0) - 1]]) ?? 'low' },
    ]),
  )
}

/** The gravest of these; null: there is none. */
export const gravest = (some: readonly (string | undefined)[]): Priority | null =>
  priorities.find((each) => some.includes(each)) ?? null

/** The children of these incidents by alarm and priority, the gravest and most frequent first, as far as somebody sees them. */
export async function childCounts(
  { general }: Pick<Database, 'general'>,
  incidentIds: readonly string[],
  seen: Seen | null,
): Promise<ChildCount[]> {
  if (incidentIds.length === 0) return []
  const { rows } = await sql<ChildCount>`
    select incident_id, key, max(label_zh) as label_zh, max(label_en) as label_en, priority,
      count(*) filter (where ${present})::int as present, count(*)::int as total
    from ${children(incidentIds, seen)}
    group by incident_id, key, priority
    order by incident_id, array_position(array[${worstFirst}], priority), total desc, key`.execute(general)
  return rows
}

/** Which incidents; null: whichever. */
export interface IncidentFilter {
  readonly seen: Seen | null
  readonly gatewayId: number | null
  readonly kinds: readonly IncidentKind[] | null
  readonly open: boolean | null
  /** Unix ms; the end is excluded. */
  readonly from: number | null
  readonly to: number | null
}

/** A page of incidents whose root is seen, newest first, and how many there are. */
export async function listIncidents(
  { general }: Pick<Database, 'general'>,
  filter: IncidentFilter,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<{ rows: IncidentRow[]; total: number }> {
  if (seesNothing(filter.seen)) return { rows: [], total: 0 }
  let all = general.selectFrom('incident').where(shown(filter.seen))
  if (filter.gatewayId !== null) all = all.where('gateway_id', '=', filter.gatewayId)
  if (filter.kinds) all = all.where('kind', 'in', [...filter.kinds])
  if (filter.open !== null) all = all.where('ended_at', filter.open ? 'is' : 'is not', null)
  if (filter.from !== null) all = all.where('opened_at', '>=', new Date(filter.from))
  if (filter.to !== null) all = all.where('opened_at', '<', new Date(filter.to))
  const rows = await all
    .selectAll()
    .orderBy('incident_id', 'desc')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await all.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}

/** An incident whose root somebody sees. */
export const incidentById = (
  { general }: Pick<Database, 'general'>,
  incidentId: string,
  seen: Seen | null,
): Promise<IncidentRow | undefined> =>
  general.selectFrom('incident').selectAll().where('incident_id', '=', incidentId).where(shown(seen)).executeTakeFirst()

/** One that has gathered something, by a root that is seen. */
const shown = (seen: Seen | null) =>
  sql<boolean>`(incident.folded > 0 and exists (
    select from event root where root.event_id = root_event_id ${seen ? sql`and ${rootWithin(seen)}` : sql``}))`

const rootWithin = ({ projectIds, gatewayIds }: Seen) =>
  sql`(root.project_id = any(${[...projectIds]}::int[]) or root.gateway_id = any(${[...gatewayIds]}::int[]))`

/** What is folded under the root of an incident and still needs somebody, as far as somebody sees it. */
export async function presentChildren(
  { general }: Pick<Database, 'general'>,
  incidentId: string,
  seen: Seen | null,
): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select event.* from ${children([incidentId], seen)} and ${present} order by event_id`.execute(general)
  return rows
}

/** The roots of these incidents, by the number of the incident. */
export async function rootsOfIncidents(
  { general }: Pick<Database, 'general'>,
  incidentIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await general
    .selectFrom('incident')
    .select(['incident_id', 'root_event_id'])
    .where(sql<boolean>`incident_id = any(${[...incidentIds]}::bigint[])`)
    .execute()
  return new Map(rows.flatMap(({ incident_id, root_event_id }) => (root_event_id === null ? [] : [[incident_id, root_event_id]])))
}
