import { dayMs, hourMs } from '@linewarden/equipment'
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { BucketRow, Range, WantedLine } from './rows.ts'
import { bucketsOf, columnOf, readSampleUse } from './samples.ts'

/** Hours not rolled up yet that are read from the readings instead: a back-fill of months is shown as far as the job has come. */
const maxDueHours = 48

interface Question {
  readonly lines: readonly WantedLine[]
  readonly range: Range
  /** Measured slots; empty when only use is wanted. */
  readonly slots: readonly number[]
  /** Whether the use of the counter is wanted, as the one value. */
  readonly use: boolean
  readonly bucketMs: number
}

/**
 * Buckets made from hours, and from the readings of those hours that are not rolled up yet. Buckets of more than an hour begin at the
 * project's own midnight.
 */
export async function readHours(database: Database, question: Question): Promise<ReadonlyMap<number, readonly BucketRow[]>> {
  const { lines, bucketMs, range } = question
  const due = await dueHours(database, question)
  const fresh = await freshHours(database, question, due)
  const { rows } = await sql<Row>`
    with ${wanted(lines)}, ${hoursOf(question, due, fresh, sql`wanted join reading_hour h using (line_id)`)}
    select line_id, ${bucketStart(bucketMs, hourMs, 'at')} as bucket, ${figures(question)}
    from hours group by 1, 2 order by 1, 2`.execute(database.general)
  return bucketsOf(lines, valuesOf(question), rows.map(spanning(bucketMs)).filter(inside(range, bucketMs)))
}

/** The same from days of the project's own time zone, and from the hours of those days that are not made yet. */
export async function readDays(database: Database, question: Question): Promise<ReadonlyMap<number, readonly BucketRow[]>> {
  const { lines, bucketMs, range } = question
  const due = await dueHours(database, question)
  const fresh = await freshHours(database, question, due)
  const from = new Date(range.from - bucketMs - dayMs)
  const to = new Date(range.to + bucketMs)
  const { rows } = await sql<Row>`
    with ${wanted(lines)},
    zones as (select distinct zone from wanted),
    open as (
      select time_zone as zone, day from rollup_day_due join zones on zone = time_zone where day >= ${from} and day < ${to}
      union
      select zone, date_trunc('day', hour at time zone zone) at time zone zone
      from unnest(${due}::timestamptz[]) as due (hour) cross join zones
    ),
    ${hoursOf(question, due, fresh, ofOpenDays)},
    days as (
      select line_id, zone, day as at, quality, counter_used as used, d.count as readings${stored(question, sql`d`)}
      from wanted join reading_day d using (line_id)
      where day >= ${from} and day < ${to} and not exists (select from open where open.zone = wanted.zone and open.day = d.day)
      union all
      select * from hours
    )
    select line_id, ${bucketStart(bucketMs, 0, 'at')} as bucket, ${figures(question)}
    from days group by 1, 2 order by 1, 2`.execute(database.general)
  return bucketsOf(lines, valuesOf(question), rows.map(spanning(bucketMs)).filter(inside(range, bucketMs)))
}

type Row = { line_id: number; bucket: number; first: number; last: number; quality: number } & Readonly<
  Record<string, number | null>
>

const valuesOf = ({ slots, use }: Question): number => (use ? 1 : slots.length)

const wanted = (lines: readonly WantedLine[]) => sql`wanted as (
  select * from unnest(${lines.map(({ lineId }) => lineId)}::int[], ${lines.map(({ timeZone }) => timeZone)}::text[])
  as t (line_id, zone))`

/** Hours in reach of the range whose roll-up is due, newest first; after them those beyond it, which clocks that are ahead make due. */
async function dueHours({ general }: Database, { range, bucketMs }: Question): Promise<Date[]> {
  const rows = await general
    .selectFrom('rollup_due')
    .select('hour')
    .where('hour', '>=', new Date(Math.floor((range.from - bucketMs) / hourMs) * hourMs))
    .where('hour', '<', new Date(range.to + bucketMs))
    .groupBy('hour')
    .orderBy((each) => each('hour', '>=', new Date(range.to)))
    .orderBy('hour', 'desc')
    .limit(maxDueHours)
    .execute()
  return rows.map(({ hour }) => hour)
}

/** Hours of the wanted lines, one row each, of columns `line_id, zone, at, quality, used, readings`, then `k m l h` of each slot. */
function hoursOf(
  question: Question,
  due: readonly Date[],
  fresh: RawBuilder<unknown> | null,
  source: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { range, bucketMs } = question
  const from = new Date(Math.floor((range.from - bucketMs) / hourMs) * hourMs)
  const to = new Date(range.to + bucketMs)
  const rolledUp = sql`
    select wanted.line_id, zone, hour as at, h.quality, counter_used as used, h.count as readings${stored(question, sql`h`)}
    from ${source}
    where hour >= ${from} and hour < ${to} and hour <> all(${due}::timestamptz[])`
  return sql`hours as (${rolledUp}${fresh ? sql` union all ${fresh}` : sql``})`
}

/** The same rows of hours whose roll-up is due, made from the readings as the roll-up makes them. */
async function freshHours(database: Database, question: Question, due: readonly Date[]): Promise<RawBuilder<unknown> | null> {
  if (due.length === 0) return null
  return question.use ? usedNow(database, question.lines, due) : measuredNow(question, due)
}

/** The hours of days that are not made yet, found by their key: not the hours of the whole range, of which nearly all have their day. */
const ofOpenDays = sql`open join wanted using (zone) cross join lateral (
    select * from reading_hour where line_id = wanted.line_id and hour >= open.day
      and hour < ((open.day at time zone open.zone) + interval '1 day') at time zone open.zone
  ) as h`

function measuredNow({ slots }: Question, due: readonly Date[]): RawBuilder<unknown> {
  // Written out, so that the planner leaves the partitions of all other days alone.
  const hours = due.map((hour) => hour.getTime())
  const from = new Date(Math.min(...hours))
  const to = new Date(Math.max(...hours) + hourMs)
  const fresh = slots.map((slot) => {
    const column = columnOf(slot)
    return sql`, count(${column})::int, avg(${column})::real, min(${column}), max(${column})`
  })
  return sql`
    select line_id, zone, hour, own.* from unnest(${due}::timestamptz[]) as due (hour) cross join wanted cross join lateral (
      select bit_or(quality)::smallint, null::float8, count(*)::int${sql.join(fresh, sql``)} from reading r
      where r.line_id = wanted.line_id and at >= hour and at < hour + interval '1 hour' and at >= ${from} and at < ${to}
      having count(*) > 0
    ) as own`
}

/** Use is counted per stretch of hours: what a counter's reading counts is said by the readings before. */
async function usedNow(database: Database, lines: readonly WantedLine[], due: readonly Date[]): Promise<RawBuilder<unknown>> {
  const used: { id: number; at: Date; quality: number; used: number | null }[] = []
  for (const stretch of stretchesOf(due)) {
    for (const [id, rows] of await readSampleUse(database, lines, stretch, hourMs))
      for (const { at, quality, values } of rows) used.push({ id, at: new Date(at), quality, used: values[0]?.mean ?? null })
  }
  return sql`
    select line_id, zone, hour, fresh.quality, fresh.used, 0 from wanted join unnest(${used.map(({ id }) => id)}::int[],
      ${used.map(({ at }) => at)}::timestamptz[], ${used.map(({ quality }) => quality)}::smallint[],
      ${used.map((each) => each.used)}::float8[]) as fresh (line_id, hour, quality, used) using (line_id)`
}

/** Hours that follow one another, as one range each. */
function stretchesOf(hours: readonly Date[]): Range[] {
  const stretches: { from: number; to: number }[] = []
  for (const at of hours.map((hour) => hour.getTime()).sort((a, b) => a - b)) {
    const last = stretches.at(-1)
    if (last?.to === at) last.to += hourMs
    else stretches.push({ from: at, to: at + hourMs })
  }
  return stretches
}

/** `, k, m, l, h` of each slot from a row of arrays. */
function stored({ slots }: Question, table: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql.join(
    slots.map((slot, i) => {
      const at = (column: string) => sql`${table}.${sql.ref(column)}[${sql.lit(slot + 1)}]`
      const k = sql`coalesce(${at('known')}, case when ${at('mean')} is null then 0 else ${table}.count end)`
      return sql`, ${k} as ${sql.ref(`k${i}`)}, ${at('mean')} as ${sql.ref(`m${i}`)}, ${at('min')} as ${sql.ref(`l${i}`)},
        ${at('max')} as ${sql.ref(`h${i}`)}`
    }),
    sql``,
  )
}

/** The figures of a bucket from hours or days: a mean of means is weighted by how many values each stands on. */
function figures({ slots, use }: Question): RawBuilder<unknown> {
  const quality = sql`bit_or(quality)::int as quality, sum(readings)::float8 as readings`
  if (use) return sql`${quality}, sum(used) as m0`
  const each = slots.map((_, i) => {
    const [k, m, l, h] = ['k', 'm', 'l', 'h'].map((letter) => sql.ref(`${letter}${i}`))
    return sql`min(${l}) as ${l}, (sum(${m}::float8 * ${k}) / nullif(sum(${k}), 0))::real as ${m}, max(${h}) as ${h}`
  })
  return sql.join([quality, ...each])
}

/** The start of a bucket as a number. Counted on the project's clock, so that a bucket is six hours of the day also in summer. */
function bucketStart(bucketMs: number, alreadyMs: number, column: string): RawBuilder<unknown> {
  const at = sql.ref(column)
  const start =
    bucketMs === alreadyMs || (alreadyMs === 0 && bucketMs === dayMs)
      ? alreadyMs === 0
        ? sql`date_trunc('day', ${at} at time zone zone) at time zone zone`
        : at
      : sql`date_bin(${`${bucketMs} milliseconds`}::interval, ${at} at time zone zone, timestamp '2000-01-03') at time zone zone`
  return sql`(extract(epoch from ${start}) * 1000)::float8`
}

const spanning =
  (bucketMs: number) =>
  (row: Row): Row =>
    ({ ...row, first: row.bucket, last: row.bucket + bucketMs }) as Row

/** Whole buckets only: the range was read a bucket wider on both sides. */
const inside =
  ({ from, to }: Range, bucketMs: number) =>
  ({ bucket }: Row): boolean =>
    bucket + bucketMs > from && bucket < to
