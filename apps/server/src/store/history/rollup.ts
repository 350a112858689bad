import { SLOTS } from '@linewarden/equipment'
import type pg from 'pg'
import { rollUpVoltages } from '../warning/voltage-hour.ts'
import { countedFrom, risenFrom, spansOrder } from './counter.ts'
import { noteDays, zoneDays } from './rollup-day.ts'

const measures = Array.from({ length: SLOTS - 1 }, (_, i) => `v${i}`)
const each = (what: string, type = 'real') => `array[${measures.map((name) => `${what}(${name})::${type}`).join(', ')}]`
/** The mean of squares is not the square of the mean; what heats is the first. Of currents, which switched lines have in these slots. */
const squares = `array[${measures
  .slice(0, 3)
  .map((name) => `avg(${name} * ${name})::real`)
  .join(', ')}]`

/**
 * Rolls up one hour of every line. What the counter's first reading counts began with the last one before the hour, so that the hours add
 * up to the day. Doing an hour again gives the same. Of lines whose hour is another than it was the local days are due for early warning,
 * and the quarters of the hour for energy.
 */
async function rollUpHour(client: pg.ClientBase, hour: Date): Promise<void> {
  const zones = await zoneDays(client, hour)
  const { rows: odd } = await client.query<{ line_id: number }>(
    `with ${risenFrom('$1::timestamptz', hourEnd)},
       plain as materialized (
         select line_id, sum(counter - before) filter (where at >= $1) as used,
           bool_or(odd) or not ${spansOrder('min(at)', 'max(at) filter (where at < $1)')} as odd
         from risen group by line_id having max(at) >= $1
       ),
       old as materialized (select line_id, count, mean, square, counter_used from reading_hour where hour = $1),
       made as (
         insert into reading_hour (line_id, hour, count, min, mean, max, counter_used, known, quality, square)
         select line_id, $1, count(*), ${each('min')}, ${each('avg')}, ${each('max')}, min(plain.used), ${each('count', 'int')},
           bit_or(quality), ${squares}
         from reading left join plain using (line_id) where at >= $1 and at < ${hourEnd} group by line_id
         on conflict (line_id, hour) do update set count = excluded.count, min = excluded.min, mean = excluded.mean, max = excluded.max,
           counter_used = excluded.counter_used, known = excluded.known, quality = excluded.quality, square = excluded.square
         returning line_id, count, mean, square, counter_used
       ), zone as (
         select * from unnest($2::text[], $3::int[]) as zone (time_zone, day)
       ), due as (
         select made.line_id, zone.day from made left join old using (line_id) join line using (line_id) join device using (device_id)
           join gateway using (gateway_id) join project using (project_id) join zone using (time_zone)
         where (made.count, made.mean, made.square) is distinct from (old.count, old.mean, old.square)
       ), held as (
         select line_id, day from line_day_due where (day, line_id) in (select day, line_id from due) for key share skip locked
       ), noted as (
         insert into line_day_due (line_id, day) select line_id, day from due except select line_id, day from held
       ), energy as (
         insert into energy_due (line_id, starts, ends) select line_id, $1, ${hourEnd}
         from plain join made using (line_id) left join old using (line_id)
         where (made.count, made.mean, made.counter_used) is distinct from (old.count, old.mean, old.counter_used)
       )
     select line_id from plain where odd`,
    [hour, zones.map(({ timeZone }) => timeZone), zones.map(({ day }) => day)],
  )
  await rollUpVoltages(client, hour)
  if (odd.length > 0) await countAgain(client, hour, odd)
  await noteDays(client, zones)
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
