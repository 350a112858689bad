import { minuteMs } from '@linewarden/equipment'
import { sql } from 'kysely'
import type { ReadLines } from '../core/row-security.ts'
import type { Range, SampleRow } from '../history/rows.ts'
import { columnOf } from '../history/samples.ts'

/** A reading of a line among others: `place` is that of the line in what was asked for. */
export interface PlacedReading extends SampleRow {
  readonly place: number
}

/** Where a reading stands: by time, then by the place of its line. */
export type ReadingKey = Pick<PlacedReading, 'at' | 'place'>

interface Asked {
  readonly lineIds: readonly number[]
  readonly slots: readonly number[]
  readonly range: Range
  readonly most: number
  /** How long so many readings usually take, ms: so much is looked through at first. */
  readonly usualMs: number
}

/** Readings of several lines by time and then line, the first `most` of them that follow a key. */
export async function readingsAfter(read: ReadLines, asked: Asked, after: ReadingKey | null): Promise<PlacedReading[]> {
  const { range, most } = asked
  const found: PlacedReading[] = []
  let width = firstWidth(asked)
  for (let from = Math.max(range.from, after?.at ?? range.from); from < range.to && found.length < most; ) {
    const to = Math.min(range.to, from + width)
    found.push(...(await readStretch(read, asked, { from, to }, { after, before: null, most: most - found.length })))
    from = to
    width *= wider
  }
  return found
}

/** The last `most` of them that stand before a key, in the same order. */
export async function readingsBefore(read: ReadLines, asked: Asked, before: ReadingKey): Promise<PlacedReading[]> {
  const { range, most } = asked
  const found: PlacedReading[] = []
  let width = firstWidth(asked)
  // That of the key itself is among what is looked through: lines before it in place may have reported then.
  for (let to = Math.min(range.to, before.at + 1); to > range.from && found.length < most; ) {
    const from = Math.max(range.from, to - width)
    found.push(...(await readStretch(read, asked, { from, to }, { after: null, before, most: most - found.length })))
    to = from
    width *= wider
  }
  return found.reverse()
}

/** Of a silence more and more is looked through at once. */
const wider = 4
const firstWidth = ({ usualMs }: Asked): number => Math.max(minuteMs, Math.ceil(usualMs))

type Row = { place: number; at: number; quality: number } & Readonly<Record<string, number | null>>

interface Edge {
  readonly after: ReadingKey | null
  readonly before: ReadingKey | null
  readonly most: number
}

/** One stretch, forwards or from its end backwards. Each line is read by its key, and no further than it can matter. */
function readStretch(
  read: ReadLines,
  { lineIds, slots }: Asked,
  { from, to }: Range,
  { after, before, most }: Edge,
): Promise<PlacedReading[]> {
  const columns = slots.map((slot, i) => sql`, ${columnOf(slot)} as ${sql.ref(`s${i}`)}`)
  const order = sql.raw(before ? 'desc' : 'asc')
  const beyond = after
    ? sql`and (at > ${new Date(after.at)} or place > ${after.place})`
    : before
      ? sql`and (at < ${new Date(before.at)} or place < ${before.place})`
      : sql``
  return read(async ({ general }) => {
    const { rows } = await sql<Row>`
      select own.* from unnest(${[...lineIds]}::int[]) with ordinality as wanted (id, nth)
      cross join lateral (select (nth - 1)::int as place) as placed
      cross join lateral (
        select place, (extract(epoch from at) * 1000)::float8 as at, quality${sql.join(columns, sql``)} from reading
        where line_id = wanted.id and at >= ${new Date(from)} and at < ${new Date(to)} ${beyond}
        order by reading.at ${order} limit ${most}
      ) as own order by own.at ${order}, own.place ${order} limit ${most}`.execute(general)
    return rows.map((row) => ({
      ...{ place: row.place, at: row.at, quality: row.quality },
      values: slots.map((_, i) => row[`s${i}`] ?? null),
    }))
  })
}

/** How many readings there are, counted up to `most`. */
export function countReadings(read: ReadLines, lineIds: readonly number[], { from, to }: Range, most: number): Promise<number> {
  return read(async ({ general }) => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::float8 as count from (
        select from unnest(${[...lineIds]}::int[]) as wanted (id) cross join lateral (
          select from reading where line_id = wanted.id and at >= ${new Date(from)} and at < ${new Date(to)} limit ${most}
        ) as own limit ${most}
      ) as counted`.execute(general)
    return rows[0]?.count ?? 0
  })
}
