import type { RegisterAt, RegisterRead, RunningRead } from '@linewarden/rules/energy'
import { Quality } from '@linewarden/rules/monitor'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'

/** How far a reading may lie from the instant: beyond it a silence is no register. */
const look = sql`interval '35 days'`

/** The registers of lines at instants, reported or read off, by line in the order of the instants; clocks that were off say nothing. */
export async function registersAt(
  { general }: Database,
  lineIds: readonly number[],
  instants: readonly number[],
): Promise<ReadonlyMap<number, readonly RegisterAt[]>> {
  const found = new Map(lineIds.map((id) => [id, instants.map((): RegisterAt => ({ before: null, after: null }))]))
  const counted = sql`counter is not null and quality & ${Quality.clock} = 0`
  const { rows } = await sql<Row>`
    select id, place::int as place, before.at as before_at, before.counter as before_kwh, later.at as after_at, later.counter as after_kwh
    from unnest(${[...lineIds]}::int[]) as id cross join unnest(${instants.map((at) => new Date(at))}::timestamptz[]) with ordinality as edge (instant, place)
      left join lateral (
        (select at, counter from reading where line_id = id and ${counted} and at <= instant and at > instant - ${look} order by at desc limit 1)
        union all (select at, kwh from register_value where line_id = id and undone_at is null and at <= instant and at > instant - ${look} order by at desc limit 1)
        order by at desc limit 1
      ) as before on true
      left join lateral (
        (select at, counter from reading where line_id = id and ${counted} and at >= instant and at < instant + ${look} order by at limit 1)
        union all (select at, kwh from register_value where line_id = id and undone_at is null and at >= instant and at < instant + ${look} order by at limit 1)
        order by at limit 1
      ) as later on true`.execute(general)
  for (const row of rows) {
    const own = found.get(row.id)
    if (own) own[row.place - 1] = { before: reading(row.before_at, row.before_kwh), after: reading(row.after_at, row.after_kwh) }
  }
  return found
}

/** The first reading of a line that is still stored, Unix ms; null: there is none. */
export async function readingsSince({ general }: Database, lineId: number): Promise<number | null> {
  const { rows } = await sql<{ at: Date }>`
    select at from reading where line_id = ${lineId} and counter is not null order by at limit 1`.execute(general)
  return rows[0]?.at.getTime() ?? null
}

/** Where the quarters of these lines end, and what was read of them there and last; lines that never had energy are not in it. */
export async function readRunning(
  { general }: Database,
  lineIds: readonly number[],
  now: number,
): Promise<readonly (RunningRead & { readonly lineId: number })[]> {
  const counted = sql`counter is not null and quality & ${Quality.clock} = 0`
  const near = sql`interval '1 day'`
  const { rows } = await sql<Omit<Row, 'place'> & { made_to: Date; last_at: Date | null; last_kwh: number | null }>`
    select line_id as id, made_to, before.at as before_at, before.counter as before_kwh, later.at as after_at, later.counter as after_kwh,
      latest.at as last_at, latest.counter as last_kwh
    from energy_line
      left join lateral (
        select at, counter from reading where line_id = energy_line.line_id and ${counted} and at <= made_to and at > made_to - ${near} order by at desc limit 1
      ) as before on true
      left join lateral (
        select at, counter from reading where line_id = energy_line.line_id and ${counted} and at >= made_to and at < made_to + ${near} order by at limit 1
      ) as later on true
      left join lateral (
        select at, counter from reading where line_id = energy_line.line_id and ${counted} and at >= made_to and at <= ${new Date(now)} order by at desc limit 1
      ) as latest on true
    where line_id = any (${[...lineIds]}::int[]) and made_to > ${new Date(now)}::timestamptz - ${near}`.execute(general)
  return rows.map((row) => ({
    ...{ lineId: row.id, madeTo: row.made_to.getTime(), before: reading(row.before_at, row.before_kwh) },
    ...{ after: reading(row.after_at, row.after_kwh), last: reading(row.last_at, row.last_kwh) },
  }))
}

interface Row {
  readonly id: number
  readonly place: number
  readonly before_at: Date | null
  readonly before_kwh: number | null
  readonly after_at: Date | null
  readonly after_kwh: number | null
}

const reading = (at: Date | null, kwh: number | null): RegisterRead | null =>
  at === null || kwh === null ? null : { at: at.getTime(), kwh }
