import type { Priority } from '@linewarden/equipment'
import { activeAlarmStates } from '@linewarden/rules/alarm'
import { sql } from 'kysely'
import type { EventRow } from '../alarm/event.ts'
import type { Database } from '../core/database.ts'
import type { CountFilter } from './filter.ts'
import { counted, matching } from './filter.ts'

type Db = Pick<Database, 'general'>

/** Days or windows, counted since 1970; the end is excluded. */
export interface CountRange {
  readonly from: number
  readonly to: number
}

interface WindowRow {
  readonly ten: number
  readonly critical: number
  readonly high: number
  readonly medium: number
  readonly low: number
  readonly folded: number
}

/** What was announced in each window of ten minutes, by priority, and how much was folded; windows without any are left out. */
export async function windowsOf({ general }: Db, filter: CountFilter, { from, to }: CountRange): Promise<readonly WindowRow[]> {
  const { rows } = await sql<WindowRow>`
    select ten, coalesce(sum(announced) filter (where priority = 'critical'), 0)::int as critical,
      coalesce(sum(announced) filter (where priority = 'high'), 0)::int as high,
      coalesce(sum(announced) filter (where priority = 'medium'), 0)::int as medium,
      coalesce(sum(announced) filter (where priority = 'low'), 0)::int as low, sum(folded)::int as folded
    from event_ten where ten >= ${from} and ten < ${to} and ${counted(filter)} group by ten order by ten`.execute(general)
  return rows
}

/** What was announced in each window of ten minutes; windows without any are left out. */
export async function announcedOf({ general }: Db, filter: CountFilter, { from, to }: CountRange) {
  const { rows } = await sql<{ ten: number; announced: number }>`
    select ten, sum(announced)::int as announced from event_ten
    where ten >= ${from} and ten < ${to} and ${counted(filter)} group by ten`.execute(general)
  return rows
}

/** Where alarms are. 0: no gateway, project, device or line. */
export interface Site {
  readonly gateway_id: number
  readonly project_id: number
  readonly device_id: number
  readonly line_id: number
}

/** How often an alarm was raised at a site. */
export interface RaisedRow extends Site {
  readonly key: string
  readonly raised: number
}

/** What alarms came to at each site, by alarm and together; what is equally frequent is in order of its ids. */
export interface Frequent {
  /** The alarms of a site that were raised most often, the worst first. */
  readonly worst: readonly RaisedRow[]
  readonly sites: readonly (Site & { readonly raised: number })[]
  readonly keys: readonly { readonly key: string; readonly raised: number }[]
  readonly total: Omit<TotalRow, 'announced'>
  /** Alarms of a site that chattered. */
  readonly chattered: number
}

/** All of it from one reading of the days: of very many alarms and lines only their sums leave the database. */
export async function frequentIn(
  { general }: Db,
  filter: CountFilter,
  { from, to, most }: CountRange & { readonly most: number },
): Promise<Frequent> {
  const { rows } = await sql<RaisedRow & Frequent['total'] & { of: 'worst' | 'site' | 'key' | 'all'; chattered: number }>`
    with place as materialized (
      select gateway_id, project_id, device_id, line_id, key, sum(raised) as raised, sum(folded) as folded, sum(bursts) as bursts,
        sum(fleeting) as fleeting, sum(unjustified) as unjustified
      from event_day where day >= ${from} and day < ${to} and ${counted(filter)} group by gateway_id, project_id, device_id, line_id, key
    ), worst as (
      select * from place where raised > 0
      order by raised desc, gateway_id, project_id, device_id, line_id, key collate "C" limit ${most}
    ), summed as (
      select 'worst' as of, worst.*, 0 as chattered from worst
      union all
      select case when grouping(key) = 0 then 'key' when grouping(line_id) = 0 then 'site' else 'all' end, gateway_id, project_id, device_id,
        line_id, key, sum(raised), sum(folded), sum(bursts), sum(fleeting), sum(unjustified), count(*) filter (where bursts > 0)
      from place group by grouping sets ((gateway_id, project_id, device_id, line_id), (key), ())
    )
    select of, gateway_id, project_id, device_id, line_id, key, coalesce(raised, 0)::int as raised, coalesce(folded, 0)::int as folded,
      coalesce(bursts, 0)::int as bursts, coalesce(fleeting, 0)::int as fleeting, coalesce(unjustified, 0)::int as unjustified,
      chattered::int as chattered
    from summed order by raised desc, gateway_id, project_id, device_id, line_id, key collate "C"`.execute(general)
  const those = (wanted: (typeof rows)[number]['of']) => rows.filter(({ of }) => of === wanted)
  const [{ raised, folded, bursts, fleeting, unjustified, chattered } = { ...nothing, chattered: 0 }] = those('all')
  return {
    worst: those('worst'),
    sites: those('site'),
    keys: those('key'),
    total: { raised, folded, bursts, fleeting, unjustified },
    chattered,
  }
}

/** What an alarm of a site came to. */
export interface PlaceRow extends RaisedRow {
  readonly announced: number
  readonly folded: number
  readonly bursts: number
  readonly fleeting: number
  readonly unjustified: number
  readonly active_ms: number
}

/** Of every alarm of every site, in order of their ids: for a file. */
export async function placesOf({ general }: Db, filter: CountFilter, { from, to }: CountRange): Promise<readonly PlaceRow[]> {
  const { rows } = await sql<PlaceRow>`
    select gateway_id, project_id, device_id, line_id, key, sum(raised)::int as raised, sum(announced)::int as announced,
      sum(folded)::int as folded, sum(bursts)::int as bursts, sum(fleeting)::int as fleeting, sum(unjustified)::int as unjustified,
      sum(active_ms)::float8 as active_ms
    from event_day where day >= ${from} and day < ${to} and ${counted(filter)}
    group by gateway_id, project_id, device_id, line_id, key
    order by gateway_id, project_id, device_id, line_id, key collate "C"`.execute(general)
  return rows
}

/** All of it together. */
export interface TotalRow {
  readonly raised: number
  readonly announced: number
  readonly folded: number
  readonly bursts: number
  readonly fleeting: number
  readonly unjustified: number
}

const nothing: TotalRow = { raised: 0, announced: 0, folded: 0, bursts: 0, fleeting: 0, unjustified: 0 }

export async function totalOf({ general }: Db, filter: CountFilter, { from, to }: CountRange): Promise<TotalRow> {
  const { rows } = await sql<TotalRow>`
    select coalesce(sum(raised), 0)::int as raised, coalesce(sum(announced), 0)::int as announced, coalesce(sum(folded), 0)::int as folded,
      coalesce(sum(bursts), 0)::int as bursts, coalesce(sum(fleeting), 0)::int as fleeting,
      coalesce(sum(unjustified), 0)::int as unjustified
    from event_day where day >= ${from} and day < ${to} and ${counted(filter)}`.execute(general)
  return rows[0] ?? nothing
}

/** How many that have returned since were active for more than a day when each day began; days without any are left out. */
export async function overDayOf(
  { general }: Db,
  filter: CountFilter,
  { from, to }: CountRange,
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ day: number; over: number }>`
    select day, sum(over_day)::int as over from event_day
    where day >= ${from} and day < ${to} and over_day > 0 and ${counted(filter)} group by day`.execute(general)
  return new Map(rows.map(({ day, over }) => [day, over]))
}

/** How often an acknowledgement took so many seconds, by priority. */
export async function ackSecondsOf({ general }: Db, filter: CountFilter, { from, to }: CountRange) {
  const { rows } = await sql<{ priority: Priority; seconds: number; times: number }>`
    select priority, seconds, count(*)::int as times from event_day cross join unnest(ack_seconds) as seconds
    where day >= ${from} and day < ${to} and ${counted(filter)} group by priority, seconds`.execute(general)
  return rows
}

/** Alarms that are active now and were before `before`, the longest first. */
export async function activeEvents({ general }: Db, filter: CountFilter, before: Date): Promise<readonly EventRow[]> {
  const { rows } = await sql<EventRow>`
    select event.* from event
    where state = any(${[...activeAlarmStates]}) and not historical and coalesce(raised_again_at, raised_at) < ${before}
      and ${matching(filter)} order by coalesce(raised_again_at, raised_at), event_id`.execute(general)
  return rows
}

/** What kept quiet for a while, and for how long together within the range. */
export interface SuppressedRow {
  readonly event_id: string
  readonly times: number
  readonly ms: number
  readonly longest_ms: number
}

/** Alarms that were on the shelf, by their place: the newest event of each stands for it. The longest first. */
export async function shelvedIn(
  { general }: Db,
  filter: CountFilter,
  { from, to, most }: { readonly from: Date; readonly to: Date; readonly most: number },
): Promise<readonly SuppressedRow[]> {
  const { rows } = await sql<SuppressedRow>`
    with shelf as (
      select event.event_id, event.key, event.point, event.gateway_id, event.device_id, event.line_id,
        greatest(shelved_at, ${from}) as began, least(coalesce(ended_at, until), ${to}) as ended
      from event_shelf join event on event.event_id = event_shelf.event_id
      where shelved_at < ${to} and coalesce(ended_at, until) > ${from} and ${matching(filter)}
    )
    select max(event_id) as event_id, count(*)::int as times, sum(extract(epoch from ended - began) * 1000)::float8 as ms,
      max(extract(epoch from ended - began) * 1000)::float8 as longest_ms
    from shelf group by key, point, gateway_id, device_id, line_id order by ms desc, event_id limit ${most}`.execute(general)
  return rows
}

/** Places that were out of service by tags. */
export interface TaggedRow {
  readonly line_id: number | null
  readonly device_id: number | null
  readonly gateway_id: number | null
  readonly times: number
  readonly ms: number
  readonly longest_ms: number
}

/** Of these lines, devices and gateways. The longest first. */
export async function taggedIn(
  { general }: Db,
  places: { readonly lineIds: readonly number[]; readonly deviceIds: readonly number[]; readonly gatewayIds: readonly number[] },
  { from, to, most }: { readonly from: Date; readonly to: Date; readonly most: number },
): Promise<readonly TaggedRow[]> {
  const { rows } = await sql<TaggedRow>`
    with hung as (
      select line_id, device_id, gateway_id, greatest(placed_at, ${from}) as began, least(coalesce(removed_at, ${to}), ${to}) as ended
      from tag where placed_at < ${to} and coalesce(removed_at, ${to}) > ${from}
        and (line_id = any(${[...places.lineIds]}::int[]) or device_id = any(${[...places.deviceIds]}::int[])
          or gateway_id = any(${[...places.gatewayIds]}::int[]))
    )
    select line_id, device_id, gateway_id, count(*)::int as times, sum(extract(epoch from ended - began) * 1000)::float8 as ms,
      max(extract(epoch from ended - began) * 1000)::float8 as longest_ms
    from hung group by line_id, device_id, gateway_id order by ms desc limit ${most}`.execute(general)
  return rows
}

export const isRecounting = async ({ general }: Db): Promise<boolean> =>
  (await sql`select from event_recount limit 1`.execute(general)).rows.length > 0
