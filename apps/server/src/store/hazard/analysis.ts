import type { Priority } from '@linewarden/equipment'
import { activeAlarmStates } from '@linewarden/rules/alarm'
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { EventRow } from '../alarm/event.ts'
import type { Database } from '../core/database.ts'
import type { CountFilter } from './filter.ts'
import { counted, countedWith, isOfEverything, matching, summed, withPlace } from './filter.ts'

type Db = Pick<Database, 'general'>

/** Days or windows, counted since 1970; the end is excluded. */
export interface CountRange {
  readonly from: number
  readonly to: number
}

/** Within a transaction, for sums over very many places: they are made in memory and not on disk. */
export const roomForSums = `select set_config('work_mem', '96MB', true)`

export const withRoomForSums = async ({ general }: Db): Promise<void> => void (await sql.raw(roomForSums).execute(general))

/** Where the counts of days are: `key` and `kind` and `priority` beside them. Of everything they are kept summed. */
const daysOf = (filter: CountFilter, { from, to }: CountRange): RawBuilder<unknown> =>
  isOfEverything(filter)
    ? sql`event_day_sum where day >= ${from} and day < ${to} and ${summed(filter)}`
    : sql`event_day counted ${withPlace} where day >= ${from} and day < ${to} and ${counted(filter)}`

/** The same of windows: with `priority`. */
const tensOf = (filter: CountFilter, { from, to }: CountRange): RawBuilder<unknown> =>
  isOfEverything(filter) && filter.keys === null
    ? sql`event_ten_sum where ten >= ${from} and ten < ${to} and ${summed(filter)}`
    : sql`event_ten counted ${withPlace} where ten >= ${from} and ten < ${to} and ${counted(filter)}`

const acksOf = (filter: CountFilter, { from, to }: CountRange): RawBuilder<unknown> =>
  isOfEverything(filter) && filter.keys === null
    ? sql`event_ack_sum where day >= ${from} and day < ${to} and ${summed(filter)}`
    : sql`event_ack counted ${withPlace} where day >= ${from} and day < ${to} and ${counted(filter)}`

interface WindowRow {
  readonly ten: number
  readonly critical: number
  readonly high: number
  readonly medium: number
  readonly low: number
  readonly folded: number
}

/** What was announced in each window of ten minutes, by priority, and how much was folded; windows without any are left out. */
export async function windowsOf({ general }: Db, filter: CountFilter, range: CountRange): Promise<readonly WindowRow[]> {
  const announced = (priority: Priority) => sql`coalesce(sum(announced) filter (where priority = ${sql.lit(priority)}), 0)`
  // As one text: of a year they are fifty thousand rows.
  const { rows } = await sql<{ windows: number[][] | null }>`
    select json_agg(array[ten, critical, high, medium, low, folded]) as windows from (
      select ten, ${announced('critical')} as critical, ${announced('high')} as high, ${announced('medium')} as medium,
        ${announced('low')} as low, sum(folded) as folded
      from ${tensOf(filter, range)} group by ten order by ten) as found`.execute(general)
  return (rows[0]?.windows ?? []).map(([ten = 0, critical = 0, high = 0, medium = 0, low = 0, folded = 0]) => ({
    ...{ ten, critical, high },
    ...{ medium, low, folded },
  }))
}

/** What was announced on each of these days, which begin with these windows; the last one is the end. */
export async function announcedOn({ general }: Db, filter: CountFilter, begins: readonly number[]): Promise<readonly number[]> {
  const range = { from: begins[0] ?? 0, to: begins.at(-1) ?? 0 }
  const { rows } = await sql<{ nth: number; announced: number }>`
    select width_bucket(ten, ${[...begins]}::int[]) as nth, sum(announced)::int as announced
    from ${tensOf(filter, range)} group by nth`.execute(general)
  const found = new Map(rows.map(({ nth, announced }) => [nth, announced]))
  return begins.slice(1).map((_, i) => found.get(i + 1) ?? 0)
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

interface FrequentRow {
  readonly worst: RaisedRow[] | null
  readonly sites: [number, number, number, number, number][] | null
  readonly keys: Frequent['keys'] | null
  readonly total: Frequent['total']
  readonly chattered: number
}

/** All of it as of one moment: of very many alarms and lines only their sums leave the database. */
export async function frequentIn(
  { general }: Db,
  filter: CountFilter,
  { most, ...range }: CountRange & { readonly most: number },
): Promise<Frequent> {
  const sums = sql`coalesce(sum(raised), 0)::int as raised, coalesce(sum(folded), 0)::int as folded,
    coalesce(sum(bursts), 0)::int as bursts, coalesce(sum(fleeting), 0)::int as fleeting, coalesce(sum(unjustified), 0)::int as unjustified`
  const { rows } = await sql<FrequentRow>`
    with each as (
      select place_id, sum(raised)::int as raised, sum(bursts)::int as bursts from event_day counted ${countedWith(filter)}
      where day >= ${range.from} and day < ${range.to} and ${counted(filter)} group by place_id
    ), found as materialized (
      select gateway_id, project_id, device_id, line_id, key, sum(raised)::int as raised, sum(bursts)::int as bursts
      from each join event_place using (place_id) group by gateway_id, project_id, device_id, line_id, key
    ), worst as (
      select gateway_id, project_id, device_id, line_id, key, raised from found where raised > 0
      order by raised desc, gateway_id, project_id, device_id, line_id, key collate "C" limit ${most}
    ), site as (
      select gateway_id, project_id, device_id, line_id, sum(raised)::int as raised from found
      group by gateway_id, project_id, device_id, line_id
    ), alarm as (
      select key, grouping(key) = 1 as is_all, ${sums} from ${daysOf(filter, range)} group by grouping sets ((key), ())
    )
    select (select json_agg(worst order by raised desc, gateway_id, project_id, device_id, line_id, key collate "C") from worst) as worst,
      (select json_agg(array[gateway_id, project_id, device_id, line_id, raised] order by raised desc, gateway_id, project_id, device_id, line_id)
        from site) as sites,
      (select json_agg(json_build_object('key', key, 'raised', raised) order by raised desc, key collate "C") from alarm where not is_all) as keys,
      (select json_build_object('raised', raised, 'folded', folded, 'bursts', bursts, 'fleeting', fleeting, 'unjustified', unjustified)
        from alarm where is_all) as total,
      (select count(*) from found where bursts > 0)::int as chattered`.execute(general)
  const { worst, sites, keys, total, chattered } = rows[0] ?? {
    worst: null,
    sites: null,
    keys: null,
    total: nothing,
    chattered: 0,
  }
  return {
    worst: worst ?? [],
    sites: (sites ?? []).map(([gateway_id, project_id, device_id, line_id, raised]) => ({
      ...{ gateway_id, project_id, device_id },
      ...{ line_id, raised },
    })),
    keys: keys ?? [],
    total,
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
    from (select place_id, sum(raised) as raised, sum(announced) as announced, sum(folded) as folded, sum(bursts) as bursts,
        sum(fleeting) as fleeting, sum(unjustified) as unjustified, sum(active_ms) as active_ms
      from event_day counted ${countedWith(filter)} where day >= ${from} and day < ${to} and ${counted(filter)} group by place_id) each
      join event_place using (place_id)
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

export async function totalOf({ general }: Db, filter: CountFilter, range: CountRange): Promise<TotalRow> {
  const { rows } = await sql<TotalRow>`
    select coalesce(sum(raised), 0)::int as raised, coalesce(sum(announced), 0)::int as announced, coalesce(sum(folded), 0)::int as folded,
      coalesce(sum(bursts), 0)::int as bursts, coalesce(sum(fleeting), 0)::int as fleeting,
      coalesce(sum(unjustified), 0)::int as unjustified
    from ${daysOf(filter, range)}`.execute(general)
  return rows[0] ?? nothing
}

/** How many that have returned since were active for more than a day when each day began; days without any are left out. */
export async function overDayOf({ general }: Db, filter: CountFilter, range: CountRange): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ day: number; over: number }>`
    select day, sum(over_day)::int as over from ${daysOf(filter, range)} and over_day > 0 group by day`.execute(general)
  return new Map(rows.map(({ day, over }) => [day, over]))
}

/** How often an acknowledgement took so many seconds, by priority. */
export async function ackSecondsOf({ general }: Db, filter: CountFilter, range: CountRange) {
  const { rows } = await sql<{ priority: Priority; seconds: number; times: number }>`
    select priority, seconds, sum(times)::int as times from ${acksOf(filter, range)} group by priority, seconds`.execute(general)
  return rows
}

/** Alarms that are active now and were before `before`: of each project since when (Unix ms), and those that are so for longest. */
export async function activeIn(
  { general }: Db,
  filter: CountFilter,
  { before, most }: { readonly before: Date; readonly most: number },
): Promise<{ readonly since: readonly ActiveRow[]; readonly first: readonly EventRow[] }> {
  const active = sql`event where state = any(${[...activeAlarmStates]}) and not historical
    and coalesce(raised_again_at, raised_at) < ${before} and ${matching(filter)}`
  const since = await sql<ActiveRow>`
    select project_id, json_agg((extract(epoch from coalesce(raised_again_at, raised_at)) * 1000)::bigint) as since
    from ${active} group by project_id`.execute(general)
  const first = await sql<EventRow>`
    select event.* from ${active} order by coalesce(raised_again_at, raised_at), event_id limit ${most}`.execute(general)
  return { since: since.rows, first: first.rows }
}

interface ActiveRow {
  readonly project_id: number
  readonly since: readonly number[]
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
