import { dayMs, hourMs } from '@linewarden/equipment'
import type { RegisterReading } from '@linewarden/rules/energy'
import { quarterMs } from '@linewarden/rules/energy'
import { orderedAfterMs } from '@linewarden/rules/history'
import type pg from 'pg'
import type { Stretch } from './quarter-cells.ts'

/** A stretch with what its quarters are made from. */
export interface StretchReadings extends Stretch {
  readonly periodMs: number
  readonly ratedCurrentA: number | null
  readonly readings: readonly RegisterReading[]
}

/** Readings that are looked at in one go: more would keep those from being taken that come in meanwhile. */
const atOnce = 1_000

/** A silence is looked through so far. And what lies in the future was said by a clock that is off: nothing is made up to there. */
const lookMs = 400 * dayMs
const look = `interval '${lookMs} milliseconds'`
const counters = 'from reading where line_id = wanted.id and counter is not null and at < $4::timestamptz'
const quarter = (at: string) => `date_bin('15 minutes', ${at}, timestamptz 'epoch')`
const ordered = `interval '${orderedAfterMs} milliseconds'`
// What somebody read off counts as a reading does; there are few.
const typed = (order: string) =>
  `(select at from register_value where line_id = wanted.id and undone_at is null and ${order} limit 1)`
// Nearly always within a day: of all the days that readings are kept for, two are looked at.
const reportedBefore = (than: '<' | '<=', at: string) =>
  `coalesce(${[`interval '1 day'`, look].map((far) => `(select at ${counters} and at ${than} ${at} and at >= ${at} - ${far} order by at desc limit 1)`).join(', ')})`
const reportedAfter = (at: string) =>
  `coalesce(${[`interval '1 day'`, look].map((far) => `(select at ${counters} and at >= ${at} and at < ${at} + ${far} order by at limit 1)`).join(', ')})`
const before = (than: '<' | '<=', at: string) =>
  `greatest(${reportedBefore(than, at)}, ${typed(`at ${than} ${at} and at >= ${at} - ${look} order by at desc`)})`
const after = (at: string) => `least(${reportedAfter(at)}, ${typed(`at >= ${at} and at < ${at} + ${look} order by at`)})`
const ms = (at: string) => `(extract(epoch from ${at}) * 1000)::float8`

/**
 * The stretches, widened to the quarters of the readings before and after them, which a silence between may change; with their readings, from so
 * long before that each is judged as it would be with all of them. They come in parts, as many at a time as fit into memory, by one question:
 * planning it for each part takes longer than answering it. Whoever calls holds a transaction. `offset 0`: looked up once a stretch, not again for
 * each reading, nor by going through all readings there are.
 */
export async function* readingsOf(
  client: pg.ClientBase,
  stretches: readonly Stretch[],
  now: number,
): AsyncGenerator<readonly StretchReadings[]> {
  await client.query(
    `declare stretch_readings no scroll cursor for select wanted.number::int, ${ms('begins')} as begins, ${ms('ends')} as ends, rated_current_a,
       coalesce(device.reporting_period_ms, gateway.reporting_period_ms)::float8 as period_ms,
       ${ms('own.at')} as at, own.counter, own.quality, own.is_typed
     from unnest($1::int[], $2::timestamptz[], $3::timestamptz[]) with ordinality as wanted (id, starts, stops, number)
     join line on line_id = wanted.id join device using (device_id) join gateway using (gateway_id)
     cross join lateral (
       select ${quarter(`coalesce(${before('<', 'starts')}, starts)`)} as begins,
         ${quarter(`coalesce(${after('stops')}, stops - interval '15 minutes')`)}
           + interval '15 minutes' as ends offset 0
     ) as wide
     cross join lateral (
       select coalesce(${before('<=', `(begins - ${ordered})`)}, begins - ${ordered}) as first,
         coalesce(${after('ends')}, ends) as last offset 0
     ) as reach
     left join lateral (
       (select at, counter, quality, false as is_typed ${counters} and at >= first and at <= last offset 0)
       union all
       select at, kwh, 0::smallint, true from register_value where line_id = wanted.id and undone_at is null and at >= first and at <= last
     ) as own on true
     order by wanted.number, own.at`,
    [
      stretches.map(({ lineId }) => lineId),
      stretches.map(({ from }) => new Date(from)),
      stretches.map(({ to }) => new Date(to)),
      new Date(now + quarterMs),
    ],
  )
  let open: Open | undefined
  for (let isOver = false; !isOver; ) {
    const { rows } = await client.query<Row>(`fetch ${atOnce} from stretch_readings`)
    isOver = rows.length < atOnce
    const whole: StretchReadings[] = []
    for (const row of rows) {
      if (open?.number !== row.number) {
        if (open) whole.push(open.read)
        open = { number: row.number, read: readOf(row, stretches[row.number - 1]?.lineId ?? 0) }
      }
      if (row.at !== null && row.counter !== null)
        open.read.readings.push({
          at: row.at,
          kwh: row.counter,
          quality: row.quality ?? 0,
          ...(row.is_typed && { isTyped: true }),
        })
    }
    if (open && isOver) whole.push(open.read)
    if (whole.length > 0) yield whole
  }
  await client.query('close stretch_readings')
}

interface Open {
  readonly number: number
  readonly read: StretchReadings & { readonly readings: RegisterReading[] }
}

const readOf = ({ begins, ends, rated_current_a, period_ms }: Row, lineId: number) => ({
  ...{ lineId, from: begins, to: ends, ratedCurrentA: rated_current_a, readings: [] },
  // Nought: it reports when something changes, and may be silent for long.
  periodMs: period_ms > 0 ? period_ms : hourMs,
})

interface Row {
  readonly number: number
  readonly begins: number
  readonly ends: number
  readonly rated_current_a: number | null
  readonly period_ms: number
  readonly at: number | null
  readonly counter: number | null
  readonly quality: number | null
  readonly is_typed: boolean | null
}
