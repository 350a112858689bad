import type { Priority } from '@linewarden/equipment'
import { dayMs } from '@linewarden/equipment'
import { activeAlarmStates } from '@linewarden/rules/alarm'
import type { CountedAs } from '@linewarden/rules/hazard'
import { countedAs, longActiveMs, windowMs } from '@linewarden/rules/hazard'
import type { Expression, RawBuilder } from 'kysely'
import { sql } from 'kysely'

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

/** Whether an event was counted so. `priorities`: as it was when it was counted. */
export function countedSo(counted: CountedEvents, priorities: readonly Priority[] | null): RawBuilder<boolean> {
  if (counted.as === 'longActive') return longActive(counted, priorities)
  return sql<boolean>`event_id in (select counted.event_id from event_counted counted where ${steps(counted, priorities)})`
}

/** How often these events were counted so; of what is active for long, how many there are. */
export const timesCounted = (
  events: Expression<unknown>,
  counted: CountedEvents,
  priorities: readonly Priority[] | null,
): RawBuilder<{ times: number }> =>
  counted.as === 'longActive'
    ? sql<{ times: number }>`select count(*)::int as times from (${events}) as found`
    : sql<{ times: number }>`select count(*)::int as times from event_counted counted
        where ${steps(counted, priorities)} and counted.event_id in (${events})`

type Steps = Exclude<CountedEvents, { readonly as: 'longActive' }>

function steps({ as, from, to, days, hour }: Steps, priorities: readonly Priority[] | null): RawBuilder<boolean> {
  const windowFrom = (at: number) => Math.ceil(at / windowMs) * windowMs
  const conditions = [
    sql`(counted.counted & ${1 << countedAs.indexOf(as)}) <> 0`,
    ...(days ? [sql`counted.day >= ${days.from}`, sql`counted.day < ${days.to}`] : []),
    // The days of any clock that the time may lie on: by them the index finds it.
    ...(from === null
      ? []
      : [sql`counted.day >= ${Math.floor(from / dayMs) - 1}`, sql`counted.at >= ${new Date(windowFrom(from))}`]),
    ...(to === null ? [] : [sql`counted.day <= ${Math.floor(to / dayMs) + 1}`, sql`counted.at < ${new Date(windowFrom(to))}`]),
    ...(priorities ? [sql`counted.priority = any(${[...priorities]}::text[])`] : []),
    ...(hour ? [inHour(hour)] : []),
  ]
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** By the hour in which the window of ten minutes begins, as the statistics do. */
function inHour({ weekday, hour, timeZone }: NonNullable<Steps['hour']>): RawBuilder<unknown> {
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
