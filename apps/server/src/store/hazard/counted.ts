import type { Priority } from '@linewarden/equipment'
import { alarmKinds, dayMs } from '@linewarden/equipment'
import type { EventKind } from '@linewarden/rules/alarm'
import { activeAlarmStates } from '@linewarden/rules/alarm'
import type { CountedAs } from '@linewarden/rules/hazard'
import { countedAs, longActiveMs, windowMs } from '@linewarden/rules/hazard'
import type { Expression, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'

/** Which events the statistics counted, as what and when. Days by the clock of each project, counted since 1970; times in Unix ms. */
export type CountedEvents =
  | {
      readonly as: CountedAs
      readonly from: number | null
      readonly to: number | null
      readonly days: { readonly from: number; readonly to: number } | null
      readonly hour: { readonly weekday: number; readonly hour: number; readonly timeZone: string } | null
    }
  | { readonly as: 'longActive'; readonly at: number | null; readonly day: number | null }

/** Whether an event was counted so. `priorities`: as it was when it was counted. Each event is asked for by itself: whoever walks needs few. */
export function countedSo(counted: CountedEvents, priorities: readonly Priority[] | null): RawBuilder<boolean> {
  if (counted.as === 'longActive') return longActive(counted, priorities)
  return sql<boolean>`coalesce((select true from event_counted counted where counted.event_id = event.event_id and ${steps(counted, priorities)}
    limit 1), false)`
}

/** How often they were counted so: the figure whose list it is. */
export async function timesCounted(
  { general }: Pick<Database, 'general'>,
  filter: StepFilter,
  events: Expression<unknown> | null,
) {
  const { rows } = await sql<{ times: number }>`
    select count(*)::int as times from ${countedSteps(filter)} ${events ? sql`and counted.event_id in (${events})` : sql``}`.execute(
    general,
  )
  return rows[0]?.times ?? 0
}

/** What of steps is asked for beside what they were counted as: by this no event needs to be looked at. */
export interface StepFilter {
  readonly counted: CountedSteps
  readonly priorities: readonly Priority[] | null
  readonly gatewayId: number | null
  readonly lineId: number | null
  readonly keys: readonly string[] | null
  readonly kinds: readonly EventKind[] | null
}

/** `event_counted counted`, as far as it was counted so. */
export function countedSteps({ counted, priorities, gatewayId, lineId, keys, kinds }: StepFilter): RawBuilder<unknown> {
  const ofPlace = [
    ...(lineId === null ? [] : [sql`place.line_id = ${lineId}`]),
    ...(keys ? [sql`place.key = any(${[...keys]}::text[])`] : []),
    // Nothing else is counted.
    ...(kinds && !alarmKinds.every((each) => kinds.includes(each)) ? [sql`place.kind = any(${[...kinds]}::text[])`] : []),
  ]
  return sql`event_counted counted ${ofPlace.length > 0 ? sql`join event_place place using (place_id)` : sql``} where ${sql.join(
    [
      steps(counted, priorities),
      ...(gatewayId === null ? [] : [sql`counted.gateway_id = ${gatewayId}`]),
      ...(lineId === null
        ? []
        : [sql`counted.gateway_id = any(array(select gateway_id from event_place where event_place.line_id = ${lineId}))`]),
      ...ofPlace,
    ],
    sql` and `,
  )}`
}

/** The first and the last event that were counted on the days of these steps; null: on any day. */
export async function eventsCounted({ general }: Pick<Database, 'general'>, counted: CountedSteps) {
  const days = daysOf(counted)
  if (days.from === null || days.to === null || days.to - days.from > maxDaysApart) return null
  const { rows } = await sql<{ first: string | null; last: string | null }>`
    select min(first) as first, max(last) as last from generate_series(${days.from}::int, ${days.to}::int) as each (day)
    cross join lateral (select event_id as first from event_counted where event_counted.day = each.day order by event_id limit 1) as begin
    cross join lateral (select event_id as last from event_counted where event_counted.day = each.day order by event_id desc limit 1) as rest`.execute(
    general,
  )
  return { first: rows[0]?.first ?? '0', last: rows[0]?.last ?? '0' }
}

/** Each of so many days is looked up by itself. */
const maxDaysApart = 800

/** Days on which they may lie by any clock, the last one included. */
const daysOf = ({ from, to, days }: CountedSteps): { readonly from: number | null; readonly to: number | null } => ({
  from: days?.from ?? (from === null ? null : Math.floor(from / dayMs) - 1),
  to: days ? days.to - 1 : to === null ? null : Math.floor(to / dayMs) + 1,
})

/** What steps were counted as. */
export type CountedSteps = Exclude<CountedEvents, { readonly as: 'longActive' }>

function steps(counted: CountedSteps, priorities: readonly Priority[] | null): RawBuilder<boolean> {
  const { as, from, to, hour } = counted
  const on = daysOf(counted)
  const windowFrom = (at: number) => Math.ceil(at / windowMs) * windowMs
  const conditions = [
    sql`(counted.counted & ${1 << countedAs.indexOf(as)}) <> 0`,
    // By the days the index finds what lies between two moments, too.
    ...(on.from === null ? [] : [sql`counted.day >= ${on.from}`]),
    ...(on.to === null ? [] : [sql`counted.day <= ${on.to}`]),
    ...(from === null ? [] : [sql`counted.at >= ${new Date(windowFrom(from))}`]),
    ...(to === null ? [] : [sql`counted.at < ${new Date(windowFrom(to))}`]),
    ...(priorities ? [sql`counted.priority = any(${[...priorities]}::text[])`] : []),
    ...(hour ? [inHour(hour)] : []),
  ]
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** By the hour in which the window of ten minutes begins, as the statistics do. */
function inHour({ weekday, hour, timeZone }: NonNullable<CountedSteps['hour']>): RawBuilder<unknown> {
  const local = sql`to_timestamp(floor(extract(epoch from counted.at) * 1000 / ${windowMs}) * ${windowMs / 1000}) at time zone ${timeZone}`
  return sql`extract(isodow from ${local}) = ${weekday + 1} and extract(hour from ${local}) = ${hour}`
}

/** Active for more than a day at a moment, or at the midnight of its own project: those that are over since, and those that are not. */
function longActive(
  { at, day }: Extract<CountedEvents, { readonly as: 'longActive' }>,
  priorities: readonly Priority[] | null,
): RawBuilder<boolean> {
  const moment =
    at === null
      ? sql`((date '1970-01-01' + ${day ?? 0}::int)::timestamp at time zone (select time_zone from project where project.project_id = event.project_id))`
      : sql`${new Date(at)}::timestamptz`
  const long = sql`interval '1 ms' * ${longActiveMs}`
  const of = (column: RawBuilder<unknown>) => (priorities ? sql`and ${column} = any(${[...priorities]}::text[])` : sql``)
  return sql<boolean>`(
    (state = any(${[...activeAlarmStates]}) and not historical and ${moment} - coalesce(raised_again_at, raised_at) > ${long}
      ${of(sql`event.priority`)})
    or exists (select from event_counted counted where counted.event_id = event.event_id and counted.since is not null
      and ${moment} - counted.since > ${long} and counted.at > ${moment} ${of(sql`counted.priority`)}))`
}
