import { dateText, parseDate } from '@linewarden/rules/automation'
import { quarterMs, quartersOfClock } from '@linewarden/rules/energy'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Stretch } from './quarter-cells.ts'

/** What is known of a stretch, Wh, and of how many of its quarters. */
export interface KnownSum {
  readonly used: number
  readonly known: number
  /** Parts that were not measured. */
  readonly spread: number
  readonly estimated: number
  readonly entered: number
}

const nothing: KnownSum = { used: 0, known: 0, spread: 0, estimated: 0, entered: 0 }

/** Quarters since 1970. */
const slotOf = (at: number): number => at / quarterMs
const slots = (stretches: readonly Stretch[]) => ({
  lines: stretches.map(({ lineId }) => lineId),
  starts: stretches.map(({ from }) => slotOf(from)),
  stops: stretches.map(({ to }) => slotOf(to)),
})
const epoch = sql`date '1970-01-01'`

/** The sum of each of these stretches: of rows of which all was measured by what they add up to, of others quarter by quarter. */
export async function readSums({ general }: Database, stretches: readonly Stretch[]): Promise<readonly KnownSum[]> {
  if (stretches.length === 0) return []
  const { lines, starts, stops } = slots(stretches)
  const { rows } = await sql<KnownSum & { number: number }>`
    with asked as materialized (
      select number, line_id, starts, stops, ${epoch} + starts / ${quartersOfClock}::int as first, ${epoch} + (stops - 1) / ${quartersOfClock}::int as last,
        ${epoch} + (starts + ${quartersOfClock - 1}::int) / ${quartersOfClock}::int as whole_from, ${epoch} + stops / ${quartersOfClock}::int as whole_to
      from unnest(${lines}::int[], ${starts}::int[], ${stops}::int[]) with ordinality as asked (line_id, starts, stops, number)
    ), sums as (
      select number, measured_wh as wh, ${quartersOfClock}::int as count, null::bigint as spread, null::bigint as estimated, null::bigint as entered
      from asked join energy_quarter as own on own.line_id = asked.line_id and day >= whole_from and day < whole_to
      where measured_wh is not null
      union all
      select number, row_sum.* from asked
        join energy_quarter as own on own.line_id = asked.line_id and day >= first and day <= last
        cross join lateral (
          select sum(each) as wh, count(*) as count, sum(each) filter (where mark = 1) as spread,
            sum(each) filter (where mark = 2) as estimated, sum(each) filter (where mark = 3) as entered
          from (
            select each, (day - ${epoch}) * ${quartersOfClock}::int + place::int - 1 as slot, get_byte(how, place::int - 1) as mark
            from unnest(wh) with ordinality as cell (each, place)
          ) as quarter
          where each is not null and slot >= starts and slot < stops
        ) as row_sum
      where measured_wh is null or day < whole_from or day >= whole_to
    )
    select number::int as number, coalesce(sum(wh), 0)::float8 as used, sum(count)::int as known, coalesce(sum(spread), 0)::float8 as spread,
      coalesce(sum(estimated), 0)::float8 as estimated, coalesce(sum(entered), 0)::float8 as entered
    from sums group by number`.execute(general)
  const found: KnownSum[] = stretches.map(() => nothing)
  for (const { number, ...sum } of rows) found[number - 1] = sum
  return found
}

export interface LineMonth {
  readonly lineId: number
  /** Its first. */
  readonly month: number
}

/** Those of these months of lines that are stored as sums, in the same places. */
export async function readLineMonths(
  { general }: Database,
  months: readonly LineMonth[],
): Promise<readonly (KnownSum | undefined)[]> {
  if (months.length === 0) return []
  const { rows } = await sql<KnownSum & { number: number }>`
    select number::int as number, used, known, spread_used as spread, estimated_used as estimated, entered_used as entered
    from unnest(${months.map(({ lineId }) => lineId)}::int[], ${months.map(({ month }) => dateText(month))}::date[])
      with ordinality as asked (line_id, start, number)
      join energy_month on kind = 'l' and id = line_id and month = start`.execute(general)
  const found: (KnownSum | undefined)[] = months.map(() => undefined)
  for (const { number, ...sum } of rows) found[number - 1] = sum
  return found
}

/** How many quarters are known in each row of these stretches: of a day of UTC, by its number since 1970. */
export async function readKnownRows({ general }: Database, stretches: readonly Stretch[]) {
  const { lines, starts, stops } = slots(stretches)
  const { rows } = await sql<{ number: number; day: number; known: number }>`
    select number::int as number, day - ${epoch} as day, cardinality(array_remove(wh, null)) as known
    from unnest(${lines}::int[], ${starts}::int[], ${stops}::int[]) with ordinality as asked (line_id, starts, stops, number)
      join energy_quarter as own on own.line_id = asked.line_id
        and day >= ${epoch} + starts / ${quartersOfClock}::int and day <= ${epoch} + (stops - 1) / ${quartersOfClock}::int`.execute(
    general,
  )
  return rows
}

/** The quarters of lines on days of UTC; days of which nothing is known are left out. */
export async function readRows({ general }: Database, wanted: readonly { readonly lineId: number; readonly day: number }[]) {
  if (wanted.length === 0) return []
  const { rows } = await sql<{ line_id: number; day: string; wh: string; how: Buffer }>`
    select own.line_id, own.day::text as day, array_to_string(wh, ',', '') as wh, how
    from unnest(${wanted.map(({ lineId }) => lineId)}::int[], ${wanted.map(({ day }) => dateText(day))}::date[]) as asked (line_id, date)
      join energy_quarter as own on own.line_id = asked.line_id and own.day = asked.date`.execute(general)
  return rows.map(({ line_id, day, wh, how }) => ({
    ...{ lineId: line_id, day: parseDate(day) ?? 0, how },
    wh: wh.split(',').map((each) => (each === '' ? null : Number(each))),
  }))
}
