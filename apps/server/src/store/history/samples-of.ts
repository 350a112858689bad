import { dayMs } from '@linewarden/equipment'
import type { QueryResult, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { ReadLines } from '../core/row-security.ts'
import type { Range, SampleRow } from './rows.ts'
import { columnOf } from './samples.ts'

const rowsPerPage = 1_000

type Row = { at: number; quality: number } & Readonly<Record<string, number | null>>

/**
 * Every sample of one line over any range, oldest first, page by page: what is held is one page, and between pages neither a connection
 * nor a transaction. Day by day, because the readings lie so and each page then touches one partition.
 */
export async function* samplesOf(
  read: ReadLines,
  lineId: number,
  { from, to }: Range,
  slots: readonly number[],
): AsyncGenerator<SampleRow, undefined> {
  const columns = sql.join(slots.map((slot, i) => sql`${columnOf(slot)} as ${sql.ref(`s${i}`)}`))
  let at = await nextSample(read, lineId, from, to)
  while (at !== null) {
    const end = Math.min(to, (Math.floor(at / dayMs) + 1) * dayMs)
    for (let start: number | null = at; start !== null; ) {
      const page: RawBuilder<Row> = sql<Row>`
        select (extract(epoch from at) * 1000)::float8 as at, quality, ${columns} from reading
        where line_id = ${lineId} and at >= ${new Date(start)} and at < ${new Date(end)} order by at limit ${rowsPerPage}`
      const { rows }: QueryResult<Row> = await read(({ general }) => page.execute(general))
      for (const row of rows) yield { at: row.at, quality: row.quality, values: slots.map((_, i) => row[`s${i}`] ?? null) }
      const last = rows.at(-1)
      // Times are kept to the millisecond.
      start = rows.length === rowsPerPage && last ? Math.floor(last.at) + 1 : null
    }
    at = end < to ? await nextSample(read, lineId, end, to) : null
  }
  return undefined
}

/** When the first sample from here on was taken; null when there is none. It spares days without any. */
async function nextSample(read: ReadLines, lineId: number, from: number, to: number): Promise<number | null> {
  const row = await read(({ general }) =>
    general
      .selectFrom('reading')
      .select('at')
      .where('line_id', '=', lineId)
      .where('at', '>=', new Date(from))
      .where('at', '<', new Date(to))
      .orderBy('at')
      .limit(1)
      .executeTakeFirst(),
  )
  return row ? row.at.getTime() : null
}
