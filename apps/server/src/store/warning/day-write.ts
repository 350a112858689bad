import type pg from 'pg'
import { floatsToBytes } from './floats.ts'

/** The hours of a day by columns, one value for each hour that there is of it; NaN is not known. */
export interface DayHours {
  readonly lineId: number
  readonly day: number
  readonly firstHour: number
  /** Bit 0 is the first hour. */
  readonly counts: number
  readonly residualMa: Float32Array | null
  readonly squareA2: readonly Float32Array[]
  readonly maxA: readonly Float32Array[]
  readonly terminalC: readonly Float32Array[]
}

/** A row of `line_day` without when it was made. Lists may hold NaN, which is stored as null. */
export interface DayRow {
  readonly line_id: number
  readonly day: number
  readonly hours: number
  readonly coverage: number
  readonly opened: boolean
  readonly leak_floor_ma: number | null
  readonly leak_peak_ma: number | null
  readonly i95_a: readonly number[]
  readonly peak_a: readonly number[]
  readonly excess_k: readonly number[]
  readonly excess_error_k: readonly number[]
  readonly unbalance_percent: number | null
  readonly unbalance_2_min: number
  readonly unbalance_4_min: number
  readonly voltage_known_min: number
  readonly voltage_outside_min: number
  readonly arc_hours: number | null
  readonly broken_a: readonly number[]
  readonly wear: number
  readonly trip_ms: readonly number[]
  readonly online_s: number
}

const columnsOf: { readonly [column in keyof DayRow]: true } = {
  line_id: true,
  day: true,
  hours: true,
  coverage: true,
  opened: true,
  leak_floor_ma: true,
  leak_peak_ma: true,
  i95_a: true,
  peak_a: true,
  excess_k: true,
  excess_error_k: true,
  unbalance_percent: true,
  unbalance_2_min: true,
  unbalance_4_min: true,
  voltage_known_min: true,
  voltage_outside_min: true,
  arc_hours: true,
  broken_a: true,
  wear: true,
  trip_ms: true,
  online_s: true,
}
const columns = Object.keys(columnsOf).join(', ')
const updated = Object.keys(columnsOf)
  .filter((each) => each !== 'line_id' && each !== 'day')
  .map((each) => `${each} = excluded.${each}`)
  .join(', ')

/** Stores days of lines. What their openings took of their breakers is added to all before, and a day that is made again counts once. */
export async function writeDays(client: pg.ClientBase, days: readonly DayRow[], now: number): Promise<void> {
  await client.query(
    `with given as materialized (select * from json_populate_recordset(null::line_day, $1)),
       before as (select line_id, day, wear, cardinality(broken_a) as openings from line_day where (line_id, day) in (select line_id, day from given)),
       made as (
         insert into line_day (${columns}, made_at) select ${columns}, $2 from given
         on conflict (line_id, day) do update set ${updated}, made_at = excluded.made_at
       )
     update line_look set wear = line_look.wear + given.wear - coalesce(before.wear, 0),
       openings = line_look.openings + cardinality(given.broken_a) - coalesce(before.openings, 0)
     from given left join before using (line_id, day) where line_look.line_id = given.line_id`,
    [JSON.stringify(days), new Date(now)],
  )
}

/** Stores the hours of days as detectors read them. */
export async function writeDayHours(client: pg.ClientBase, days: readonly DayHours[]): Promise<void> {
  await client.query(
    `insert into line_hours (line_id, day, first_hour, counts, residual_ma, square_a2, max_a, terminal_c)
     select * from unnest($1::int[], $2::int[], $3::int[], $4::int[], $5::bytea[], $6::bytea[], $7::bytea[], $8::bytea[])
     on conflict (line_id, day) do update set first_hour = excluded.first_hour, counts = excluded.counts,
       residual_ma = excluded.residual_ma, square_a2 = excluded.square_a2, max_a = excluded.max_a, terminal_c = excluded.terminal_c`,
    [
      days.map(({ lineId }) => lineId),
      days.map(({ day }) => day),
      days.map(({ firstHour }) => firstHour),
      days.map(({ counts }) => counts),
      days.map(({ residualMa }) => residualMa && floatsToBytes([residualMa])),
      days.map(({ squareA2 }) => floatsToBytes(squareA2)),
      days.map(({ maxA }) => floatsToBytes(maxA)),
      days.map(({ terminalC }) => floatsToBytes(terminalC)),
    ],
  )
}

/** Stores what lines carried in the week that ends on this Sunday, by phase. */
export async function writeWeeks(
  client: pg.ClientBase,
  sunday: number,
  weeks: readonly { readonly lineId: number; readonly peakA: readonly number[] }[],
): Promise<void> {
  const given = weeks.map(({ lineId, peakA }) => ({ line_id: lineId, sunday, peak_a: peakA }))
  await client.query(
    `insert into line_week (line_id, sunday, peak_a) select line_id, sunday, peak_a from json_populate_recordset(null::line_week, $1)
     on conflict (line_id, sunday) do update set peak_a = excluded.peak_a`,
    [JSON.stringify(given)],
  )
}
