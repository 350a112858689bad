import { SLOTS } from '@linewarden/equipment'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'

export interface ReadingRows {
  /** `[device time in Unix ms, values by slot, quality bits]`, oldest first. */
  readonly rows: readonly ReadingRow[]
  /** 0: raw. */
  readonly bucketMs: number
}

type ReadingRow = readonly [at: number, values: readonly (number | null)[], quality: number]

const wanted = 1_000
const columns = [...Array.from({ length: SLOTS - 1 }, (_, i) => `v${i}`), 'counter']

/**
 * Values of one line over a range: raw while about a thousand rows suffice, else averaged into about a thousand buckets, in one query.
 * Counters are not averaged: a bucket has the last one. A bucket has every quality mark of any of its rows.
 */
export async function readRange(database: Database, lineId: number, from: number, to: number): Promise<ReadingRows> {
  const range = sql`line_id = ${lineId} and at >= ${new Date(from)} and at < ${new Date(to)}`
  const raw = await sql<Row>`select * from reading where ${range} order by at limit ${wanted + 1}`.execute(database.general)
  if (raw.rows.length <= wanted) return { rows: raw.rows.map(rowOf), bucketMs: 0 }
  const bucketMs = Math.ceil((to - from) / wanted / 1000) * 1000
  const averages = columns.map((each) =>
    each === 'counter' ? sql`max(counter) as counter` : sql`avg(${sql.ref(each)})::real as ${sql.ref(each)}`,
  )
  const buckets = await sql<Row>`
    select date_bin(${`${bucketMs} milliseconds`}::interval, at, ${new Date(from)}::timestamptz) as at, bit_or(quality)::int as quality,
      ${sql.join(averages)}
    from reading where ${range} group by 1 order by 1`.execute(database.general)
  return { rows: buckets.rows.map(rowOf), bucketMs }
}

type Row = { readonly at: Date; readonly quality: number } & Readonly<Record<string, number | null | Date>>

const rowOf = (row: Row): ReadingRow => [
  row.at.getTime(),
  columns.map((each) => {
    const value = row[each]
    return typeof value === 'number' ? value : null
  }),
  row.quality,
]
