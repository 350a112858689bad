import type pg from 'pg'

/** A stretch of time, Unix ms; the end is excluded. */
export interface Stretch {
  readonly begins: number
  readonly ends: number
}

/** An hour as it was rolled up; null is not known. Slots are those of the family. */
export interface RolledHour {
  /** Hours since 1970 in UTC. */
  readonly hour: number
  readonly count: number
  readonly clockMarked: boolean
  readonly square: readonly (number | null)[]
  readonly max: readonly (number | null)[]
  readonly residualMa: number | null
  /** Of slots 11 to 14. */
  readonly terminals: readonly (number | null)[]
}

type HourRow = readonly [lineId: number, hour: number, count: number, quality: number, ...values: (number | null)[]]

/** The hours of these lines. */
export async function hoursOf(
  client: pg.ClientBase,
  lineIds: readonly number[],
  { begins, ends }: Stretch,
): Promise<ReadonlyMap<number, readonly RolledHour[]>> {
  const { rows } = await client.query<HourRow & pg.QueryResultRow>({
    rowMode: 'array',
    text: `select line_id, (extract(epoch from hour) / 3600)::int, count, quality, square[1], square[2], square[3], max[1], max[2], max[3],
        mean[11], mean[12], mean[13], mean[14], mean[15]
      from reading_hour where line_id = any($1) and hour >= $2 and hour < $3 order by line_id, hour`,
    values: [lineIds, new Date(begins), new Date(ends)],
  } as never)
  const made = new Map<number, RolledHour[]>()
  for (const [lineId, hour, count, quality, ...values] of rows as readonly HourRow[]) {
    const own = made.get(lineId) ?? []
    made.set(lineId, own)
    own.push({
      hour,
      count,
      clockMarked: (quality & 1) !== 0,
      square: values.slice(0, 3),
      max: values.slice(3, 6),
      residualMa: values[6] ?? null,
      terminals: values.slice(7, 11),
    })
  }
  return made
}

/** Ten-minute means of the voltages: by line and hour (since 1970, UTC) six of each phase. */
export async function voltagesOf(
  client: pg.ClientBase,
  lineIds: readonly number[],
  { begins, ends }: Stretch,
): Promise<ReadonlyMap<number, readonly { readonly hour: number; readonly ten: readonly (number | null)[] }[]>> {
  // As a text of its own: of a few million values a night the driver's reader of arrays takes several times as long.
  const { rows } = await client.query<{ line_id: number; hour: number; ten: string }>(
    `select line_id, (extract(epoch from hour) / 3600)::int as hour, array_to_string(ten, ' ', '-') as ten
     from voltage_hour where line_id = any($1) and hour >= $2 and hour < $3 order by line_id, hour`,
    [lineIds, new Date(begins), new Date(ends)],
  )
  const valuesOf = (ten: string) => ten.split(' ').map((each) => (each === '-' ? null : Number(each)))
  return new Map(
    [...Map.groupBy(rows, ({ line_id }) => line_id)].map(([id, own]) => [
      id,
      own.map(({ hour, ten }) => ({ hour, ten: valuesOf(ten) })),
    ]),
  )
}

/** What is known of a line's position in a stretch. */
export interface PositionCourse {
  /** As it began: null is not known. */
  readonly first: boolean | null
  readonly moves: readonly { readonly at: number; readonly closed: boolean }[]
}

/**
 * The positions of lines by their journal. Before its first entry a position was the other one; where there is none at all it is what
 * it was last reported to be.
 */
export async function positionsOf(
  client: pg.ClientBase,
  lineIds: readonly number[],
  { begins, ends }: Stretch,
): Promise<ReadonlyMap<number, PositionCourse>> {
  const { rows } = await client.query<{ line_id: number; first: string | null; at: Date[] | null; moves: string[] | null }>(
    `select wanted.line_id,
       coalesce(before.key, case next.key when 'position.open' then 'position.closed' when 'position.closed' then 'position.open' end,
         'position.' || (states ->> 'position')) as first, own.at, own.moves
     from unnest($1::int[]) as wanted (line_id) left join line_state using (line_id)
     left join lateral (select key from event where event.line_id = wanted.line_id and key = any($4) and raised_at < $2
       order by raised_at desc limit 1) as before on true
     left join lateral (select key from event where event.line_id = wanted.line_id and key = any($4) and raised_at >= $2
       and before.key is null order by raised_at limit 1) as next on true
     left join lateral (select array_agg(raised_at order by raised_at) as at, array_agg(key order by raised_at) as moves from event
       where event.line_id = wanted.line_id and key = any($4) and raised_at >= $2 and raised_at < $3) as own on true`,
    [lineIds, new Date(begins), new Date(ends), ['position.open', 'position.closed']],
  )
  return new Map(
    rows.map(({ line_id, first, at, moves }) => [
      line_id,
      {
        first: first === null ? null : first === 'position.closed',
        moves: (at ?? []).map((each, i) => ({ at: each.getTime(), closed: moves?.[i] === 'position.closed' })),
      },
    ]),
  )
}

/** A breaker opened. */
export interface StoredOpening {
  readonly lineId: number
  /** Largest current of the last three samples before it; null: there was none. */
  readonly brokenA: number | null
  readonly shortCircuit: boolean
}

/** The openings of lines in a stretch, with the samples that were still there. */
export async function openingsIn(
  client: pg.ClientBase,
  lineIds: readonly number[],
  { begins, ends }: Stretch,
): Promise<readonly StoredOpening[]> {
  const { rows } = await client.query<{ line_id: number; broken: number | null; short: boolean }>(
    `select opened.line_id, broken,
       exists (select from event_occurrence trip where trip.line_id = opened.line_id and trip.key = 'trip.short'
         and trip.raised_at between opened.raised_at - interval '10 seconds' and opened.raised_at + interval '10 seconds') as short
     from event opened
     left join lateral (select max(greatest(v0, v1, v2)) as broken from (select v0, v1, v2 from reading
       where reading.line_id = opened.line_id and at < opened.raised_at and at >= opened.raised_at - interval '1 hour'
       order by at desc limit 3) as last) as samples on true
     where opened.line_id = any($1) and opened.raised_at >= $2 and opened.raised_at < $3 and opened.key = 'position.open'`,
    [lineIds, new Date(begins), new Date(ends)],
  )
  return rows.map(({ line_id, broken, short }) => ({ lineId: line_id, brokenA: broken, shortCircuit: short }))
}

/** How long releases took in the self-tests of a stretch, in order of time. */
export async function testsIn(
  client: pg.ClientBase,
  lineIds: readonly number[],
  { begins, ends }: Stretch,
): Promise<ReadonlyMap<number, readonly { readonly at: number; readonly tripMs: number }[]>> {
  const { rows } = await client.query<{ line_id: number; at: Date; trip_ms: number }>(
    `select line_id, at, trip_ms from self_test where line_id = any($1) and at >= $2 and at < $3 and trip_ms is not null
     order by line_id, at`,
    [lineIds, new Date(begins), new Date(ends)],
  )
  return new Map(
    [...Map.groupBy(rows, ({ line_id }) => line_id)].map(([id, own]) => [
      id,
      own.map(({ at, trip_ms }) => ({ at: at.getTime(), tripMs: trip_ms })),
    ]),
  )
}
