import { zoneClock } from '@linewarden/contract'
import { dayMs, MEASURE_SLOTS } from '@linewarden/equipment'
import type pg from 'pg'

const slots = Array.from({ length: MEASURE_SLOTS }, (_, i) => i + 1)
// Hours from before `known` was kept count as if every reading had spoken of every point that has a mean.
const known = (i: number) => `coalesce(known[${i}], case when mean[${i}] is null then 0 else count end)`
const each = (what: (i: number) => string, type = 'real') => `array[${slots.map((i) => `(${what(i)})::${type}`).join(', ')}]`

/** Makes these days due. */
export async function noteDays(client: pg.ClientBase, zones: readonly ZoneDay[]): Promise<void> {
  await client.query(
    'insert into rollup_day_due (time_zone, day) select * from unnest($1::text[], $2::timestamptz[]) on conflict do nothing',
    [zones.map(({ timeZone }) => timeZone), zones.map(({ begins }) => begins)],
  )
}

/** The local day of a time zone that an hour lies in. */
export interface ZoneDay {
  readonly timeZone: string
  /** Since 1970, by the zone's own calendar. */
  readonly day: number
  readonly begins: Date
}

/**
 * The days that hold this hour, one in each time zone there is. Counted here and not by the database: a zone that it does not know must not
 * keep the hours of all others from being rolled up.
 */
export async function zoneDays(client: pg.ClientBase, hour: Date): Promise<readonly ZoneDay[]> {
  const { rows } = await client.query<{ time_zone: string }>('select distinct time_zone from project')
  return rows.map(({ time_zone }) => {
    const clock = zoneClock(time_zone)
    const day = Math.floor(clock.local(hour.getTime()) / dayMs)
    return { timeZone: time_zone, day, begins: new Date(clock.moment(day * dayMs)) }
  })
}

/**
 * Makes every finished day that rolled-up hours have made due, each zone's and day's in a transaction of its own. A day is the hours that
 * begin in it by the project's clock. Making a day again gives the same. Answers how many were made.
 */
export async function rollUpDaysDue(client: pg.ClientBase, now: Date): Promise<number> {
  const { rows } = await client.query<{ time_zone: string; day: Date }>('select * from rollup_day_due order by day')
  let made = 0
  for (const { time_zone, day } of rows) {
    const clock = zoneClock(time_zone)
    const ends = new Date(clock.moment(clock.local(day.getTime()) + dayMs))
    if (ends > now) continue
    await client.query('begin')
    try {
      await client.query('delete from rollup_day_due where time_zone = $1 and day = $2', [time_zone, day])
      await client.query(
        `insert into reading_day (line_id, day, count, known, min, mean, max, counter_used, quality)
         select line_id, $2, sum(count), ${each((i) => `sum(${known(i)})`, 'int')}, ${each((i) => `min(min[${i}])`)},
           ${each((i) => `sum(mean[${i}]::double precision * ${known(i)}) / nullif(sum(${known(i)}), 0)`)},
           ${each((i) => `max(max[${i}])`)}, sum(counter_used), bit_or(quality)
         from reading_hour join line using (line_id) join device using (device_id) join gateway using (gateway_id)
           join project using (project_id)
         where time_zone = $1 and hour >= $2 and hour < $3 group by line_id
         on conflict (line_id, day) do update set count = excluded.count, known = excluded.known, min = excluded.min,
           mean = excluded.mean, max = excluded.max, counter_used = excluded.counter_used, quality = excluded.quality`,
        [time_zone, day, ends],
      )
      await countReported(client, time_zone, day, ends)
      await client.query('commit')
      made += 1
    } catch (error) {
      await client.query('rollback')
      throw error
    }
  }
  return made
}

/** Reports less often than this say nothing about an hour. */
const maxPeriodMs = 3_600_000

/** How many lines of each gateway reported on a day, and in how many of its hours; only of those that report at least every hour. */
async function countReported(client: pg.ClientBase, timeZone: string, day: Date, ends: Date): Promise<void> {
  await client.query(
    `insert into gateway_day (day, gateway_id, lines, line_hours)
     select $4, gateway_id, count(distinct line_id), count(*)
     from reading_hour join line using (line_id) join device using (device_id) join gateway using (gateway_id) join project using (project_id)
     where time_zone = $1 and hour >= $2 and hour < $3
       and coalesce(device.reporting_period_ms, gateway.reporting_period_ms) between 1 and ${maxPeriodMs}
     group by gateway_id
     on conflict (day, gateway_id) do update set lines = excluded.lines, line_hours = excluded.line_hours`,
    [timeZone, day, ends, Math.floor(zoneClock(timeZone).local(day.getTime()) / dayMs)],
  )
}
