import { Quality } from '@linewarden/rules/monitor'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'

/** A counter as it was reported. */
export interface RegisterReading {
  /** Unix ms. */
  readonly at: number
  readonly kwh: number
}

/** The readings at or beside an instant; null: there is none near it, or it is no longer stored. */
export interface RegisterAt {
  readonly before: RegisterReading | null
  readonly after: RegisterReading | null
}

/** How far a reading may lie from the instant: beyond it a silence is no register. */
const look = sql`interval '35 days'`

/** The registers of lines at instants, by line in the order of the instants; clocks that were off say nothing. */
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
        select at, counter from reading where line_id = id and ${counted} and at <= instant and at > instant - ${look} order by at desc limit 1
      ) as before on true
      left join lateral (
        select at, counter from reading where line_id = id and ${counted} and at >= instant and at < instant + ${look} order by at limit 1
      ) as later on true`.execute(general)
  for (const row of rows) {
    const own = found.get(row.id)
    if (own) own[row.place - 1] = { before: reading(row.before_at, row.before_kwh), after: reading(row.after_at, row.after_kwh) }
  }
  return found
}

interface Row {
  readonly id: number
  readonly place: number
  readonly before_at: Date | null
  readonly before_kwh: number | null
  readonly after_at: Date | null
  readonly after_kwh: number | null
}

const reading = (at: Date | null, kwh: number | null): RegisterReading | null =>
  at === null || kwh === null ? null : { at: at.getTime(), kwh }
