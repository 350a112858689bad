import { COUNTER_SLOT, hourMs } from '@linewarden/equipment'
import { orderedAfterMs } from '@linewarden/rules/history'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import { countedFrom, risenFrom } from './counter.ts'
import type { BucketRow, Range, SampleRow, WantedLine } from './rows.ts'

/** The column of a slot. */
export const columnOf = (slot: number) => sql.ref(slot === COUNTER_SLOT ? 'counter' : `v${slot}`)

/** A point of time as a number: dates cost more than all the rest. */
const ms = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`

/** Written out, so that the planner leaves the partitions of all other days alone. */
const moment = (at: number): string => `timestamptz '${new Date(at).toISOString()}'`

const idsOf = (lines: readonly WantedLine[]) => lines.map(({ lineId }) => lineId)

/** Samples of several lines as they were reported, oldest first; null when one line has more than allowed. */
export async function readSamples(
  { general }: Database,
  lines: readonly WantedLine[],
  { from, to }: Range,
  slots: readonly number[],
  most: number,
): Promise<ReadonlyMap<number, readonly SampleRow[]> | null> {
  const columns = sql.join(slots.map((slot, i) => sql`${columnOf(slot)} as ${sql.ref(`s${i}`)}`))
  const { rows } = await sql<{ line_id: number; at: number; quality: number } & Readonly<Record<string, number | null>>>`
    select line_id, ${ms('at')} as at, quality, ${sql.join(slots.map((_, i) => sql.ref(`s${i}`)))}
    from unnest(${idsOf(lines)}::int[]) as wanted (id)
    cross join lateral (
      select line_id, at, quality, ${columns} from reading
      where line_id = wanted.id and at >= ${new Date(from)} and at < ${new Date(to)} order by at limit ${most + 1}
    ) as own`.execute(general)
  const byLine = new Map<number, SampleRow[]>(lines.map(({ lineId }) => [lineId, []]))
  for (const row of rows) {
    const list = byLine.get(row.line_id)
    list?.push({ at: row.at, quality: row.quality, values: slots.map((_, i) => row[`s${i}`] ?? null) })
    if (list && list.length > most) return null
  }
  return byLine
}

/** Samples of several lines in buckets of one width, straight from the readings. */
export async function readSampleBuckets(
  { general }: Database,
  lines: readonly WantedLine[],
  { from, to }: Range,
  slots: readonly number[],
  bucketMs: number,
): Promise<ReadonlyMap<number, readonly BucketRow[]>> {
  const figures = sql.join(
    slots.map(
      (slot, i) => sql`, min(${columnOf(slot)}) as ${sql.ref(`l${i}`)}, avg(${columnOf(slot)})::real as ${sql.ref(`m${i}`)},
        max(${columnOf(slot)}) as ${sql.ref(`h${i}`)}`,
    ),
    sql``,
  )
  const { rows } = await sql<Row>`
    select line_id, (floor(extract(epoch from at) * 1000 / ${bucketMs}::float8) * ${bucketMs}::float8)::float8 as bucket,
      (extract(epoch from min(at)) * 1000)::float8 as first, (extract(epoch from max(at)) * 1000)::float8 as last,
      bit_or(quality) as quality, count(*)::float8 as readings${figures}
    from reading where line_id = any(${idsOf(lines)}::int[])
      and at >= ${new Date(floorTo(from, bucketMs))} and at < ${new Date(floorTo(to - 1, bucketMs) + bucketMs)}
    group by 1, 2 order by 1, 2`.execute(general)
  return bucketsOf(lines, slots.length, rows)
}

/** What a counter counted per bucket, straight from the readings. What rose over a gap belongs to the bucket after it. */
export async function readSampleUse(
  database: Database,
  lines: readonly WantedLine[],
  { from, to }: Range,
  bucketMs: number,
): Promise<ReadonlyMap<number, readonly BucketRow[]>> {
  const stretch = { from: floorTo(from, bucketMs), to: floorTo(to - 1, bucketMs) + bucketMs }
  const risen = await readRisen(database, lines, stretch, bucketMs)
  const odd = lines.filter(({ lineId }) => isOdd(risen.filter(({ line_id }) => line_id === lineId)))
  const counted = odd.length > 0 ? await readCounted(database, odd, stretch, bucketMs) : []
  const ids = new Set(idsOf(odd))
  const plain = risen.filter(({ line_id, bucket, m0 }) => bucket !== beforeAll && m0 !== null && !ids.has(line_id))
  return bucketsOf(lines, 1, [...plain, ...counted])
}

/** The bucket of readings before the stretch. */
const beforeAll = -1

/** The first look at what lines used: right for those of which no row is odd. */
async function readRisen({ general }: Database, lines: readonly WantedLine[], { from, to }: Range, bucketMs: number) {
  const risen = sql.raw(risenFrom(moment(from), moment(to), literal(lines)))
  const { rows } = await sql<RisenRow>`
    with ${risen}
    select line_id, case when at < ${new Date(from)} then ${beforeAll}::float8 else ${bucketOf(bucketMs)} end as bucket, ${span},
      bit_or(quality) as quality, sum(counter - before) as m0, bool_or(odd) as odd
    from risen group by 1, 2 order by 1, 2`.execute(general)
  return rows
}

async function readCounted({ general }: Database, lines: readonly WantedLine[], { from, to }: Range, bucketMs: number) {
  const [start, end] = [moment(floorTo(from, hourMs)), moment(floorTo(to - 1, hourMs) + hourMs)]
  const { rows } = await sql<Row>`
    with ${sql.raw(countedFrom(literal(lines), start, end))}
    select line_id, ${bucketOf(bucketMs)} as bucket, ${span}, bit_or(quality) as quality, sum(used) as m0
    from counted where at >= ${new Date(from)} and at < ${new Date(to)} group by 1, 2 order by 1, 2`.execute(general)
  return rows
}

/** Whether the rows of one line are not enough to tell what it used. */
function isOdd(rows: readonly RisenRow[]): boolean {
  const before = rows.find(({ bucket }) => bucket === beforeAll)
  if (rows.length === (before ? 1 : 0)) return false
  return !before || before.last - before.first < orderedAfterMs || rows.some(({ odd }) => odd)
}

const bucketOf = (bucketMs: number) =>
  sql`(floor(extract(epoch from at) * 1000 / ${bucketMs}::float8) * ${bucketMs}::float8)::float8`
const span = sql`(extract(epoch from min(at)) * 1000)::float8 as first, (extract(epoch from max(at)) * 1000)::float8 as last`
const literal = (lines: readonly WantedLine[]): string => `'{${idsOf(lines).map(Number).join(',')}}'::int[]`

type RisenRow = Row & { readonly odd: boolean }

type Row = { line_id: number; bucket: number; first: number; last: number; quality: number } & Readonly<
  Record<string, number | null>
>

/** Rows of buckets by line: `l`, `m`, `h` and the place of the slot are least, mean and most. */
export function bucketsOf(lines: readonly WantedLine[], slots: number, rows: readonly Row[]): Map<number, BucketRow[]> {
  const byLine = new Map<number, BucketRow[]>(lines.map(({ lineId }) => [lineId, []]))
  for (const row of rows) {
    const { bucket: at, first, last, quality, readings } = row
    const values = Array.from({ length: slots }, (_, i) => ({
      min: row[`l${i}`] ?? null,
      mean: row[`m${i}`] ?? null,
      max: row[`h${i}`] ?? null,
    }))
    byLine.get(row.line_id)?.push({ at, first, last, quality, readings: readings ?? 0, values })
  }
  return byLine
}

const floorTo = (at: number, step: number): number => Math.floor(at / step) * step
