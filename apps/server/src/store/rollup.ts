import { SLOTS } from '@linewarden/equipment'
import type pg from 'pg'
import { countedFrom, counterRowsBefore } from './counter.ts'
import { noteDays } from './rollup-day.ts'

const measures = Array.from({ length: SLOTS - 1 }, (_, i) => `v${i}`)
const each = (what: string, type = 'real') => `array[${measures.map((name) => `${what}(${name})::${type}`).join(', ')}]`

/**
 * Rolls up one hour of every line. What the counter's first reading counts began with the last one before the hour, so that the hours add
 * up to the day. Doing an hour again gives the same.
 */
async function rollUpHour(client: pg.ClientBase, hour: Date): Promise<void> {
  await client.query(
    `with here as (select * from reading where at >= $1 and at < $1::timestamptz + interval '1 hour'),
       counters as materialized (
         select line_id, at, quality, greatest(counter, 0) as counter from here where counter is not null
         union all
         select each.line_id, earlier.* from (select distinct line_id from here) as each
         cross join lateral (${counterRowsBefore('each.line_id', '$1')}) as earlier
       ),
       ${countedFrom()},
       used as (select line_id, sum(used) as used from counted where at >= $1 group by line_id)
     insert into reading_hour (line_id, hour, count, min, mean, max, counter_used, known, quality)
     select line_id, $1, count(*), ${each('min')}, ${each('avg')}, ${each('max')}, min(used.used), ${each('count', 'int')},
       bit_or(quality)
     from here left join used using (line_id) group by line_id
     on conflict (line_id, hour) do update set count = excluded.count, min = excluded.min, mean = excluded.mean, max = excluded.max,
       counter_used = excluded.counter_used, known = excluded.known, quality = excluded.quality`,
    [hour],
  )
  await noteDays(client, hour)
}

// A commit that began before the hour ended may land after it.
const settledAfter = '2 minutes'

/**
 * Rolls up every finished hour that readings have made due, oldest first, each in a transaction of its own: whatever interrupts it, an
 * hour is either rolled up or still due. Answers how many; throws the first failure after the others are done.
 */
export async function rollUpDue(client: pg.ClientBase, now: Date): Promise<number> {
  const { rows } = await client.query<{ hour: Date }>(
    `select hour from rollup_due where hour < date_trunc('hour', $1::timestamptz - interval '${settledAfter}') order by hour`,
    [now],
  )
  let failure: unknown = null
  let done = 0
  for (const { hour } of rows) {
    await client.query('begin')
    try {
      await client.query('delete from rollup_due where hour = $1', [hour])
      await rollUpHour(client, hour)
      await client.query('commit')
      done += 1
    } catch (error) {
      await client.query('rollback')
      failure ??= error
    }
  }
  if (failure !== null) throw failure
  return done
}
