import type pg from 'pg'
import { bytesToFloats } from './floats.ts'

/** The hours of a day of a line as they were stored. */
export interface StoredHours {
  readonly day: number
  readonly firstHour: number
  readonly counts: number
  readonly residualMa: Float32Array | null
  /** Columns one after the other; null: not asked for. */
  readonly currents: { readonly squareA2: Float32Array; readonly maxA: Float32Array; readonly terminalC: Float32Array } | null
}

/** Days of lines, in order: of the residual current from `from` on, of all else from `currentsFrom` on, both up to `to`. */
export async function storedHours(
  client: pg.ClientBase,
  lineIds: readonly number[],
  { from, currentsFrom, to }: { readonly from: number; readonly currentsFrom: number; readonly to: number },
): Promise<ReadonlyMap<number, readonly StoredHours[]>> {
  const { rows } = await client.query<{
    line_id: number
    day: number
    first_hour: number
    counts: number
    residual_ma: Buffer | null
    square_a2: Buffer | null
    max_a: Buffer | null
    terminal_c: Buffer | null
  }>(
    `select line_id, day, first_hour, counts, residual_ma, case when day >= $3 then square_a2 end as square_a2,
       case when day >= $3 then max_a end as max_a, case when day >= $3 then terminal_c end as terminal_c
     from line_hours where line_id = any($1) and day between $2 and $4 and (day >= $3 or residual_ma is not null) order by line_id, day`,
    [lineIds, from, currentsFrom, to],
  )
  const made = new Map<number, StoredHours[]>()
  for (const { line_id, day, first_hour, counts, residual_ma, square_a2, max_a, terminal_c } of rows) {
    const own = made.get(line_id) ?? []
    made.set(line_id, own)
    own.push({
      day,
      firstHour: first_hour,
      counts,
      residualMa: residual_ma && bytesToFloats(residual_ma),
      currents:
        square_a2 && max_a && terminal_c
          ? { squareA2: bytesToFloats(square_a2), maxA: bytesToFloats(max_a), terminalC: bytesToFloats(terminal_c) }
          : null,
    })
  }
  return made
}

/** What is kept of a line's days, in order of days; null is not known. */
export interface StoredDays {
  readonly day: readonly number[]
  readonly hours: readonly number[]
  readonly coverage: readonly number[]
  readonly floorMa: readonly (number | null)[]
  readonly peakMa: readonly (number | null)[]
  readonly arcHours: readonly (number | null)[]
  readonly knownMinutes: readonly number[]
  readonly outsideMinutes: readonly number[]
  readonly opened: readonly boolean[]
}

const columnOfDay = {
  day: 'day',
  hours: 'hours',
  coverage: 'coverage',
  floorMa: 'leak_floor_ma',
  peakMa: 'leak_peak_ma',
  arcHours: 'arc_hours',
  knownMinutes: 'voltage_known_min',
  outsideMinutes: 'voltage_outside_min',
  opened: 'opened',
} as const satisfies Record<keyof StoredDays, string>
export type DayColumn = keyof StoredDays
const allColumns = Object.keys(columnOfDay) as DayColumn[]
const noDays: StoredDays = {
  ...{
    day: [],
    hours: [],
    coverage: [],
    floorMa: [],
    peakMa: [],
    arcHours: [],
    knownMinutes: [],
    outsideMinutes: [],
    opened: [],
  },
}

/** Days of lines, both ends included. Columns that are not asked for are empty. */
export async function storedDays(
  client: pg.ClientBase,
  lineIds: readonly number[],
  { from, to }: { readonly from: number; readonly to: number },
  columns: readonly DayColumn[] = allColumns,
): Promise<ReadonlyMap<number, StoredDays>> {
  const wanted = columns.map((as) => `array_agg(${columnOfDay[as]} order by day) as "${as}"`)
  const { rows } = await client.query<StoredDays & { line_id: number }>(
    `select line_id, ${wanted.join(', ')} from line_day where line_id = any($1) and day between $2 and $3 group by line_id`,
    [lineIds, from, to],
  )
  return new Map(rows.map((row) => [row.line_id, { ...noDays, ...row }]))
}

/** The weekly peaks of lines by Sunday. */
export async function storedWeeks(
  client: pg.ClientBase,
  lineIds: readonly number[],
  sundays: readonly number[],
): Promise<ReadonlyMap<number, ReadonlyMap<number, readonly (number | null)[]>>> {
  const { rows } = await client.query<{ line_id: number; sunday: number; peak_a: (number | null)[] }>(
    'select line_id, sunday, peak_a from line_week where line_id = any($1) and sunday = any($2)',
    [lineIds, sundays],
  )
  return new Map(
    [...Map.groupBy(rows, ({ line_id }) => line_id)].map(([id, own]) => [
      id,
      new Map(own.map((each) => [each.sunday, each.peak_a])),
    ]),
  )
}

/** The excess of the contacts of a line as single days fit it, in order of days. */
export async function storedExcess(
  client: pg.ClientBase,
  lineId: number,
  from: number,
  to: number,
): Promise<readonly { readonly day: number; readonly excessK: readonly (number | null)[] }[]> {
  const { rows } = await client.query<{ day: number; excess_k: (number | null)[] }>(
    'select day, excess_k from line_day where line_id = $1 and day between $2 and $3 order by day',
    [lineId, from, to],
  )
  return rows.map(({ day, excess_k }) => ({ day, excessK: excess_k }))
}

/** What openings took of the breakers of lines, day by day from a day on; days without any are left out. */
export async function wearOfDays(
  client: pg.ClientBase,
  lineIds: readonly number[],
  from: number,
): Promise<ReadonlyMap<number, readonly { readonly day: number; readonly wear: number; readonly openings: number }[]>> {
  const { rows } = await client.query<{ line_id: number; day: number; wear: number; openings: number }>(
    `select line_id, day, wear, cardinality(broken_a) as openings from line_day
     where line_id = any($1) and day >= $2 and (wear > 0 or cardinality(broken_a) > 0) order by line_id, day`,
    [lineIds, from],
  )
  return Map.groupBy(rows, ({ line_id }) => line_id)
}
