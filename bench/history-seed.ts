import { dayMs } from '@linewarden/equipment'
import type pg from 'pg'
import { rollUpDaysDue } from '../apps/server/src/store/history/rollup-day.ts'
import { dayOf } from '../apps/server/src/store/ingest/partitions.ts'

const used = [1, 2, 3, 11] as const
const columns = ['v0', 'v1', 'v2', 'v10'] as const

/** Arrays of sixteen slots, of which these four are measured. */
const slots = (what: string, type: string): string => {
  const each = Array.from({ length: 16 }, (_, i) => {
    const at = used.findIndex((slot) => slot === i + 1)
    return at < 0 ? (type === 'int' ? '0' : `null::${type}`) : `${what}(${columns[at]})::${type}`
  })
  return `array[${each.join(', ')}]`
}

export interface Seeded {
  readonly readings: number
  readonly seconds: number
  readonly gigabytes: number
}

/**
 * A year of readings a minute apart for the first lines there are, each day written into its own table, given its key and only then made
 * a partition; hours made from them, days by the product's own roll-up.
 */
export async function seedYear(client: pg.Client, now: number, lines: number): Promise<Seeded> {
  const started = performance.now()
  await client.query("set synchronous_commit = off; set maintenance_work_mem = '256MB'; set work_mem = '128MB'")
  await client.query('delete from reading')
  let readings = 0
  for (let day = dayOf(now) - 366; day <= dayOf(now); day++) {
    const from = new Date(day * dayMs)
    const to = new Date(Math.min((day + 1) * dayMs, now))
    if (to <= from) continue
    const name = `reading_${from.toISOString().slice(0, 10).replaceAll('-', '')}`
    await client.query(`drop table if exists ${name}`)
    await client.query(`create table ${name} (like reading including defaults)`)
    const { rowCount } = await client.query(
      `insert into ${name} (line_id, at, received_at, quality, v0, v1, v2, v10, counter)
       select line_id, at, at, 0, 60 + 40 * sin(m / 229.0 + line_id), 50 + 30 * sin(m / 229.0 + line_id), 40 + 20 * sin(m / 229.0 + line_id),
         20 + line_id % 10, m / 10
       from (select line_id from line order by line_id limit ${lines}) as chosen
       cross join (select at, extract(epoch from at)::float8 / 60 as m from generate_series($1::timestamptz, $2::timestamptz - interval '1 ms', '1 min') as at) as minutes`,
      [from, to],
    )
    readings += rowCount ?? 0
    await client.query(`alter table ${name} add primary key (line_id, at)`)
    await client.query(
      `alter table reading attach partition ${name} for values from ('${from.toISOString()}') to ('${new Date((day + 1) * dayMs).toISOString()}')`,
    )
    await client.query(
      `insert into reading_hour (line_id, hour, count, known, min, mean, max, counter_used, quality)
       select line_id, date_trunc('hour', at), count(*), ${slots('count', 'int')}, ${slots('min', 'real')}, ${slots('avg', 'real')},
         ${slots('max', 'real')}, max(counter) - min(counter), 0
       from ${name} group by 1, 2 on conflict do nothing`,
    )
    if ((day - dayOf(now) + 366) % 30 === 0)
      process.stderr.write(`seeded ${from.toISOString().slice(0, 10)}, ${readings} readings\n`)
  }
  await client.query(
    `insert into rollup_day_due select distinct time_zone, date_trunc('day', hour at time zone time_zone) at time zone time_zone
     from (select distinct hour from reading_hour) as hours, (select distinct time_zone from project) as zones on conflict do nothing`,
  )
  await client.query('delete from rollup_due')
  await rollUpDaysDue(client, new Date(now))
  await client.query('analyze reading_hour; analyze reading_day; analyze reading')
  const { rows } = await client.query<{ size: string }>('select pg_database_size(current_database()) as size')
  return {
    readings,
    seconds: Math.round((performance.now() - started) / 1_000),
    gigabytes: Math.round(Number(rows[0]?.size) / 1e8) / 10,
  }
}
