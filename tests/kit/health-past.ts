import { dayMs } from '@linewarden/equipment'
import type pg from 'pg'

const hoursOfDay = 24
const soundSettings = { 'overload.trip': 69, 'temperature.alarm': 80, overvoltage: 265, undervoltage: 175, 'leakage.trip': 300 }

/** A line as a server has it in memory. */
interface KnownLine {
  readonly lineNo: number
  readonly reported: Map<string, number>
  selfTest: { readonly at: number; readonly result: 'passed' | 'failed'; readonly tripMs: number | null } | null
}

/** As if they had reported settings that nothing is wrong with, and had been tested yesterday. */
export function soundLines(lines: readonly KnownLine[], now: number): void {
  for (const line of lines) {
    if (line.lineNo === 0) continue
    for (const [key, value] of Object.entries(soundSettings)) line.reported.set(key, value)
    line.selfTest = { at: now - dayMs, result: 'passed', tripMs: 30 }
  }
}

/** Days are those of Shanghai. */
const aheadMs = 8 * 3_600_000

/** Of which lines the past is stored, by what they are like. */
export interface HealthPast {
  readonly lineIds: readonly number[]
  /** Unix ms. */
  readonly now: number
  /** Every hour of every day. */
  readonly residualMa?: number
  readonly i95A?: number
  readonly hottestC?: number
  /** Seconds of each day in which they reported. */
  readonly onlineS?: number
}

/** Stores 30 days of lines in Shanghai as the nights make them: they carried little, leaked little, and were heard throughout. */
export async function storeHealthPast(
  client: pg.ClientBase,
  { lineIds, now, residualMa = 20, i95A = 20, hottestC = 40, onlineS = 86_400 }: HealthPast,
): Promise<void> {
  const today = Math.floor((now + aheadMs) / dayMs)
  const days = { from: today - 30, to: today - 1 }
  await client.query('begin')
  await keepNightsAway(client, lineIds, today)
  await client.query(
    `insert into line_day (line_id, day, hours, coverage, opened, i95_a, peak_a, excess_k, excess_error_k, unbalance_2_min, unbalance_4_min,
       voltage_known_min, voltage_outside_min, broken_a, wear, trip_ms, online_s, made_at)
     select id, day, 24, 1, false, array[$4, $4, $4]::real[], array[$4, $4, $4]::real[], '{}', '{}', 0, 0, 1440, 0, '{}', 0, '{}', $5, now()
     from unnest($1::int[]) as id, generate_series($2::int, $3::int) as day`,
    [lineIds, days.from, days.to, i95A, onlineS],
  )
  const hours = Buffer.from(new Float32Array(hoursOfDay).fill(residualMa).buffer)
  await client.query(
    `insert into line_hours (line_id, day, first_hour, counts, residual_ma, square_a2, max_a, terminal_c)
     select id, day, day * 24 - 8, 16777215, $4, '', '', '' from unnest($1::int[]) as id, generate_series($2::int, $3::int) as day
    `,
    [lineIds, days.from, days.to, hours],
  )
  await client.query(
    `insert into reading_day (line_id, day, count, known, min, mean, max, quality)
     select id, to_timestamp(day::float8 * 86400 - 28800), 86400, '{}', '{}', '{}',
       array_fill(null::real, array[11]) || array[$4, $4, $4, $4]::real[], 0
     from unnest($1::int[]) as id, generate_series($2::int, $3::int) as day`,
    [lineIds, days.from, days.to, hottestC],
  )
  await client.query(
    `insert into line_look (line_id, day, at, learnt_from, learnt_of, reason, outcomes, followed, followed_before)
     select id, $2, now(), $2, '{}', null, '{}', '{}', '{}' from unnest($1::int[]) as id`,
    [lineIds, days.to],
  )
  await client.query(
    `update device set installed_on = '2026-01-01', service_years = 20
     where device_id in (select device_id from line where line_id = any($1))`,
    [lineIds],
  )
  await client.query('commit')
}

/** The server makes the days of lines by itself, each minute: what is stored here stays, and no day is noted for it again. */
export async function keepNightsAway(client: pg.ClientBase, lineIds: readonly number[], today: number): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(hashtext('line_day'))`)
  await client.query(
    `insert into project_day (project_id, day)
     select distinct project_id, $2::int from line join device using (device_id) join gateway using (gateway_id) where line_id = any($1)
     on conflict (project_id) do update set day = excluded.day`,
    [lineIds, today + 365],
  )
  for (const table of ['line_day_due', 'line_day', 'line_hours', 'reading_day', 'line_look'])
    await client.query(`delete from ${table} where line_id = any($1)`, [lineIds])
}
