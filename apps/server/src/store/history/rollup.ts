import { SLOTS } from '@linewarden/equipment'
import type pg from 'pg'
import { countedFrom, risenFrom, spansOrder } from './counter.ts'
import { noteDays } from './rollup-day.ts'

const measures = Array.from({ length: SLOTS - 1 }, (_, i) => `v${i}`)
const each = (what: string, type = 'real') => `array[${measures.map((name) => `${what}(${name})::${type}`).join(', ')}]`

/**
 * Rolls up one hour of every line. What the counter's first reading counts began with the last one before the hour, so that the hours add
 * up to the day. Doing an hour again gives the same.
 */
async function rollUpHour(client: pg.ClientBase, hour: Date): Promise<void> {
  const { rows: odd } = await client.query<{ line_id: number }>(
    `with ${risenFrom('$1::timestamptz', hourEnd)},
       plain as materialized (
         select line_id, sum(counter - before) filter (where at >= $1) as used,
           bool_or(odd) or not ${spansOrder('min(at)', 'max(at) filter (where at < $1)')} as odd
         from risen group by line_id having max(at) >= $1
       ),
       made as (
         insert into reading_hour (line_id, hour, count, min, mean, max, counter_used, known, quality)
         select line_id, $1, count(*), ${each('min')}, ${each('avg')}, ${each('max')}, min(plain.used), ${each('count', 'int')},
           bit_or(quality)
         from reading left join plain using (line_id) where at >= $1 and at < ${hourEnd} group by line_id
         on conflict (line_id, hour) do update set count = excluded.count, min = excluded.min, mean = excluded.mean, max = excluded.max,
           counter_used = excluded.counter_used, known = excluded.known, quality = excluded.quality
       )
     select line_id from plain where odd`,
    [hour],
  )
  if (odd.length > 0) await countAgain(client, hour, odd)
  await noteDays(client, hour)
}

const hourEnd = "$1::timestamptz + interval '1 hour'"

/** What lines used in this hour that the first look could not tell. */
async function countAgain(client: pg.ClientBase, hour: Date, lines: readonly { readonly line_id: number }[]): Promise<void> {
  await client.query(
    `with ${countedFrom('$2::int[]', '$1', hourEnd)},
       used as (select line_id, sum(used) as used from counted where at >= $1 group by line_id)
     update reading_hour as made set counter_used = used.used
     from unnest($2::int[]) as wanted (id) left join used on used.line_id = id
     where made.line_id = id and hour = $1`,
    [hour, lines.map(({ line_id }) => line_id)],
  )
}

// A commit that began before the hour ended may land after it.
const settledAfter = '2 minutes'

/**
 * Rolls up every finished hour that readings have made due, oldest first, each in a transaction of its own: whatever interrupts it, an
 * hour is either rolled up or still due. Answers how many; throws the first failure after the others are done.
 */
export async function rollUpDue(client: pg.ClientBase, now: Date): Promise<number> {
  const { rows } = await client.query<{ hour: Date }>(
    `select distinct hour from rollup_due where hour < date_trunc('hour', $1::timestamptz - interval '${settledAfter}', 'UTC') order by hour`,
    [now],
  )
  let failure: unknown = null
  let done = 0
  for (const { hour } of rows) {
    await client.query('begin')
    try {
      // First: who leaned on a note has committed when it is gone, and whoever comes later makes another.
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
