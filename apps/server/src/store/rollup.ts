import { SLOTS } from '@linewarden/equipment'
import type pg from 'pg'

const measures = Array.from({ length: SLOTS - 1 }, (_, i) => `v${i}`)
const each = (what: string) => `array[${measures.map((name) => `${what}(${name})::real`).join(', ')}]`

/**
 * Rolls up one hour of every line. The counter's use is the sum of its rises: a fall is a reset, and counts from the new value, so that
 * energy is never negative. Doing an hour again gives the same result.
 */
export async function rollUpHour(client: pg.ClientBase, hour: Date): Promise<void> {
  await client.query(
    `insert into reading_hour (line_id, hour, count, min, mean, max, counter_used)
     select line_id, $1, count(*), ${each('min')}, ${each('avg')}, ${each('max')},
       sum(case when counter is null or before is null then null when counter >= before then counter - before else counter end)
     from (select *, lag(counter) over (partition by line_id order by at) as before from reading
           where at >= $1 and at < $1::timestamptz + interval '1 hour') as r
     group by line_id
     on conflict (line_id, hour) do update set count = excluded.count, min = excluded.min, mean = excluded.mean, max = excluded.max,
       counter_used = excluded.counter_used`,
    [hour],
  )
}

/** Hours to roll up: those late readings have touched, and the newest finished ones that have none yet. */
export async function takeDueHours(client: pg.ClientBase, now: Date): Promise<Date[]> {
  const { rows } = await client.query<{ hour: Date }>(
    `with taken as (delete from rollup_due where hour < date_trunc('hour', $1::timestamptz) returning hour)
     select hour from taken
     union
     select due.hour from generate_series(date_trunc('hour', $1::timestamptz) - interval '2 hours', date_trunc('hour', $1::timestamptz) - interval '1 hour', interval '1 hour') as due (hour)
       where not exists (select from reading_hour h where h.hour = due.hour)
     order by hour`,
    [now],
  )
  return rows.map((row) => row.hour)
}

/** Puts an hour back whose roll-up failed. */
export async function hourStillDue(client: pg.ClientBase, hour: Date): Promise<void> {
  await client.query('insert into rollup_due (hour) values ($1) on conflict do nothing', [hour])
}
