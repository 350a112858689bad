import type pg from 'pg'
import { bytesToFloats } from './floats.ts'

/** The hours of a day of a line as they were stored; of columns that were not asked for nothing but how many figures they have. */
export interface StoredHours {
  readonly day: number
  readonly firstHour: number
  readonly counts: number
  readonly residualMa: Float32Array | null
  /** Columns one after the other; null: not asked for on this day. */
  readonly currents: { readonly squareA2: Float32Array; readonly maxA: Float32Array; readonly terminalC: Float32Array } | null
  readonly figures: Readonly<Record<HoursColumn, number | null>>
}

const columnOfHours = { residualMa: 'residual_ma', squareA2: 'square_a2', maxA: 'max_a', terminalC: 'terminal_c' } as const
export type HoursColumn = keyof typeof columnOfHours
const allOfHours = Object.keys(columnOfHours) as HoursColumn[]

type HoursRow = { readonly line_id: number; readonly day: number[]; readonly first_hour: number[]; readonly counts: number[] } & {
  readonly [column in HoursColumn]: Buffer | null
} & { readonly [column in `${HoursColumn} bytes`]: (number | null)[] }

/**
 * Days of lines, in order: of the residual current from `from` on, of all else from `currentsFrom` on, both up to `to`. The database lays the
 * days of a line together: a row for each of them would take longer to read than to evaluate.
 */
export async function storedHours(
  client: pg.ClientBase,
  lineIds: readonly number[],
  { from, currentsFrom, to }: { readonly from: number; readonly currentsFrom: number; readonly to: number },
  columns: readonly HoursColumn[] = allOfHours,
): Promise<ReadonlyMap<number, readonly StoredHours[]>> {
  const wanted = allOfHours.flatMap((as) => {
    const column = as === 'residualMa' ? columnOfHours[as] : `case when day >= $3 then ${columnOfHours[as]} end`
    const bytes = columns.includes(as) ? `string_agg(${column}, ''::bytea order by day)` : 'null'
    return [`json_agg(octet_length(${column}) order by day) as "${as} bytes"`, `${bytes} as "${as}"`]
  })
  const { rows } = await client.query<HoursRow>(
    `select line_id, json_agg(day order by day) as day, json_agg(first_hour order by day) as first_hour,
       json_agg(counts order by day) as counts, ${wanted.join(', ')}
     from line_hours where line_id = any($1) and day between $2 and $4 and (day >= $3 or residual_ma is not null) group by line_id`,
    [lineIds, from, currentsFrom, to],
  )
  return new Map(rows.map((row) => [row.line_id, daysOfRow(row)]))
}

const nothing = new Float32Array()

function daysOfRow(row: HoursRow): readonly StoredHours[] {
  const columns = allOfHours.map((as) => {
    const bytes = row[as]
    return { as, all: bytes && bytesToFloats(bytes), figures: row[`${as} bytes`], at: 0 }
  })
  return row.day.map((day, nth) => {
    const of: Record<string, Float32Array | null> = {}
    const figures: Record<string, number | null> = {}
    for (const column of columns) {
      const bytes = column.figures[nth] ?? null
      const length = bytes === null ? 0 : bytes / Float32Array.BYTES_PER_ELEMENT
      figures[column.as] = bytes === null ? null : length
      of[column.as] = bytes === null || !column.all ? null : column.all.subarray(column.at, column.at + length)
      column.at += length
    }
    return {
      ...{ day, firstHour: row.first_hour[nth] ?? 0, counts: row.counts[nth] ?? 0, residualMa: of.residualMa ?? null },
      currents:
        figures.maxA === null
          ? null
          : { squareA2: of.squareA2 ?? nothing, maxA: of.maxA ?? nothing, terminalC: of.terminalC ?? nothing },
      figures: figures as StoredHours['figures'],
    }
  })
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

/** Days of lines, both ends included. Columns that are not asked for are empty. As JSON: the driver reads arrays character by character. */
export async function storedDays(
  client: pg.ClientBase,
  lineIds: readonly number[],
  { from, to }: { readonly from: number; readonly to: number },
  columns: readonly DayColumn[] = allColumns,
): Promise<ReadonlyMap<number, StoredDays>> {
  const wanted = columns.map((as) => `json_agg(${columnOfDay[as]} order by day) as "${as}"`)
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
