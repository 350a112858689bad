import type { Priority } from '@linewarden/equipment'
import type { AlarmState, EventKind } from '@linewarden/rules/alarm'
import { openAlarmStates } from '@linewarden/rules/alarm'
import type { Expression, ExpressionBuilder, SelectQueryBuilder, SqlBool } from 'kysely'
import { expressionBuilder, sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { CountedEvents } from '../hazard/counted.ts'
import { countedSo } from '../hazard/counted.ts'

/** Whole projects, and single gateways of others. */
export interface Seen {
  readonly projectIds: readonly number[]
  readonly gatewayIds: readonly number[]
}

/** Somebody who sees no equipment sees no event. */
export const seesNothing = (seen: Seen | null): boolean => seen?.projectIds.length === 0 && seen.gatewayIds.length === 0

/** Of what is seen. */
export const within = ({ projectIds, gatewayIds }: Seen) =>
  sql<boolean>`(project_id = any(${[...projectIds]}::int[]) or gateway_id = any(${[...gatewayIds]}::int[]))`

/** Notices of orders are for one person each, and stand in no list of events. */
export const forEverybody = sql<boolean>`for_account is null`

/**
 * Whether its root shows for an event, to this person: whoever does not see the root is shown the event itself. Root and children are of one
 * project.
 */
export const foldedFor = (seen: Seen | null) =>
  seen === null || seen.gatewayIds.length === 0
    ? sql<boolean>`folded`
    : sql<boolean>`(folded and (project_id = any(${[...seen.projectIds]}::int[])
        or coalesce(root_gateway_id = any(${[...seen.gatewayIds]}::int[]), false)))`

/** The same of a row that was read. */
export const isFoldedFor = (
  seen: Seen | null,
  row: { readonly folded: boolean; readonly project_id: number; readonly root_gateway_id: number | null },
): boolean =>
  row.folded &&
  (seen === null ||
    seen.projectIds.includes(row.project_id) ||
    (row.root_gateway_id !== null && seen.gatewayIds.includes(row.root_gateway_id)))

/** What a searched text is found in: the names of these. */
export interface Named {
  readonly projectIds: readonly number[]
  readonly gatewayIds: readonly number[]
  readonly deviceIds: readonly number[]
  readonly lineIds: readonly number[]
  readonly keys: readonly string[]
}

/** Which events; null or false where it narrows nothing. */
export interface EventFilter {
  readonly seen: Seen | null
  readonly projectIds: readonly number[] | null
  readonly gatewayId: number | null
  /** A device with its lines. */
  readonly device: { readonly id: number; readonly lineIds: readonly number[] } | null
  readonly line: {
    readonly id: number
    /** Also what concerns the whole device, or the whole gateway; null: only the line itself. */
    readonly around: { readonly deviceId: number; readonly gatewayId: number } | null
  } | null
  /** Only alarms that still need somebody. */
  readonly open: boolean
  /** Only what is of the very place; `null`: also what is below it. */
  readonly here: 'project' | 'gateway' | 'device' | null
  /** Equipment of a model. */
  readonly model: { readonly deviceIds: readonly number[]; readonly lineIds: readonly number[] } | null
  /** What the statistics counted; by its own priority. */
  readonly counted: CountedEvents | null
  readonly keys: readonly string[] | null
  readonly kinds: readonly EventKind[] | null
  readonly priorities: readonly Priority[] | null
  readonly states: readonly AlarmState[] | null
  /** Unix ms; the end is excluded. */
  readonly from: number | null
  readonly to: number | null
  /** On the shelf by now, or not; null: either. */
  readonly shelved: { readonly is: boolean; readonly now: number } | null
  readonly named: Named | null
  /** Only children of roots that are seen, or only the others; null: either. */
  readonly folded: boolean | null
  /** What was folded into this incident. */
  readonly incidentId: string | null
  /** By their numbers: none newer than this one, and only newer ones than that; null: whichever. */
  readonly upTo: string | null
  readonly after: string | null
  /** Only those not announced after this announcement; null: whichever. */
  readonly mark: string | null
  /** Only the newest event of each series. */
  readonly newest: boolean
}

export type Events = SelectQueryBuilder<Schema, 'event', object>
type Is = ExpressionBuilder<Schema, 'event'>

/** The events of a filter. Lists are parameters of their own: only by the values themselves does the planner find its index. */
export function matchingEvents({ general }: Pick<Database, 'general'>, filter: EventFilter): Events {
  return matchingOf(general.selectFrom('event').where(forEverybody), filter)
}

/** The same of whatever stands in for them under the name of `event`, and has the columns that the filter asks for. */
export const matchingOf = (events: Events, filter: EventFilter): Events =>
  events.where((is) => is.and([...conditions(is, filter)]))

/** Whether a filter narrows anything. */
export const narrows = (filter: EventFilter): boolean => !conditions(expressionBuilder<Schema, 'event'>(), filter).next().done

function* conditions(is: Is, filter: EventFilter): Generator<Expression<SqlBool>> {
  const { seen, projectIds, gatewayId, device, line, from, to, shelved, named } = filter
  if (seen) yield within(seen)
  if (projectIds) yield sql<boolean>`project_id = any(${[...projectIds]}::int[])`
  if (gatewayId !== null) yield is('gateway_id', '=', gatewayId)
  if (device) yield is.or([is('device_id', '=', device.id), sql<boolean>`line_id = any(${[...device.lineIds]}::int[])`])
  if (line) yield ofLine(is, line)
  if (filter.here) yield sql.join(hereConditions[filter.here], sql` and `) as Expression<SqlBool>
  if (filter.model)
    yield sql<boolean>`(device_id = any(${[...filter.model.deviceIds]}::int[]) or line_id = any(${[...filter.model.lineIds]}::int[]))`
  if (filter.counted) yield countedSo(filter.counted, filter.priorities)
  if (filter.newest) yield newestOfSeries(filter)
  if (filter.open) yield is('state', 'in', openAlarmStates)
  if (filter.keys) yield is('key', 'in', [...filter.keys])
  if (filter.kinds) yield is('kind', 'in', [...filter.kinds])
  if (filter.priorities && !filter.counted) yield is('priority', 'in', [...filter.priorities])
  if (filter.states) yield is('state', 'in', [...filter.states])
  if (from !== null) yield is.or([is('raised_at', '>=', new Date(from)), is('raised_again_at', '>=', new Date(from))])
  if (to !== null) yield is('raised_at', '<', new Date(to))
  if (shelved) yield sql<boolean>`coalesce(shelved_until > ${new Date(shelved.now)}, false) = ${shelved.is}`
  if (named) yield is.or([...namedSo(named)])
  if (filter.folded !== null) yield filter.folded ? foldedFor(seen) : sql<boolean>`not ${foldedFor(seen)}`
  if (filter.incidentId !== null) yield is('incident_id', '=', filter.incidentId)
  if (filter.upTo !== null) yield is('event_id', '<=', filter.upTo)
  if (filter.after !== null) yield is('event_id', '>', filter.after)
  if (filter.mark !== null)
    yield sql<boolean>`event_id not in (select announcement.event_id from announcement where announcement_id > ${filter.mark})`
}

/** As of the end of the filter: a series that went on later has the row that was its newest until then. */
function newestOfSeries({ to, upTo }: Pick<EventFilter, 'to' | 'upTo'>): Expression<SqlBool> {
  if (to === null && upTo === null) return sql<boolean>`not superseded`
  const untilThen = [
    sql<boolean>`newer.series_id = coalesce(event.series_id, event.event_id) and newer.event_id > event.event_id`,
    ...(to === null ? [] : [sql<boolean>`newer.raised_at < ${new Date(to)}`]),
    ...(upTo === null ? [] : [sql<boolean>`newer.event_id <= ${upTo}`]),
  ]
  return sql<boolean>`(not superseded or not exists (select from event newer where ${sql.join(untilThen, sql` and `)}))`
}

const hereConditions = {
  project: [sql`gateway_id is null`],
  gateway: [sql`device_id is null`, sql`line_id is null`],
  device: [sql`line_id is null`],
}

function ofLine(is: Is, { id, around }: NonNullable<EventFilter['line']>): Expression<SqlBool> {
  if (!around) return is('line_id', '=', id)
  return is.or([
    is('line_id', '=', id),
    is.and([
      is('line_id', 'is', null),
      is('gateway_id', '=', around.gatewayId),
      is.or([is('device_id', 'is', null), is('device_id', '=', around.deviceId)]),
    ]),
  ])
}

function* namedSo({ projectIds, gatewayIds, deviceIds, lineIds, keys }: Named): Generator<Expression<SqlBool>> {
  if (projectIds.length > 0) yield sql<boolean>`project_id = any(${[...projectIds]}::int[])`
  if (gatewayIds.length > 0) yield sql<boolean>`gateway_id = any(${[...gatewayIds]}::int[])`
  if (deviceIds.length > 0) yield sql<boolean>`device_id = any(${[...deviceIds]}::int[])`
  if (lineIds.length > 0) yield sql<boolean>`line_id = any(${[...lineIds]}::int[])`
  if (keys.length > 0) yield sql<boolean>`key = any(${[...keys]}::text[])`
}
