import type { Server } from '@linewarden/server/compose'
import type pg from 'pg'
import { full, seedOrganisation } from './lists-seed.ts'

export interface AlarmsSize {
  readonly open: number
  readonly past: number
}

/** A tenth of the organisation of `lists`. */
const share = 0.1

/**
 * An organisation whose lines have had alarms of ten kinds for two years, and have many of them still. Past events come in the order of their
 * time; of a line and key at most one is open, as ingest would have it.
 */
export async function seedAlarms(server: Server, { open, past }: AlarmsSize): Promise<void> {
  await seedOrganisation(server, {
    ...full,
    projects: full.projects * share,
    gateways: full.gateways * share,
    lines: full.lines * share,
  })
  const client = await server.database.connect()
  const run = (sql: string) => client.query(sql)
  try {
    // A fifth of the time: what each row would be checked against and noted for is made once, over all of them.
    const again = await bare(client)
    await run('set maintenance_work_mem = $$512MB$$')
    await run('set work_mem = $$128MB$$')
    await run('begin')
    await run('set local synchronous_commit = off')
    await run('truncate event cascade')
    await run(`create temp table place on commit drop as
      select row_number() over (order by line_id) - 1 as n, line_id, gateway_id, project_id
      from line join device using (device_id) join gateway using (gateway_id)`)
    await run(`create temp table kind_of on commit drop as
      select nth - 1 as n, key, kind, priority, zh, en from unnest(
        array['current.warning', 'current.alarm', 'residual.notice', 'residual.warning', 'residual.alarm', 'temperature.warning',
          'voltage.under', 'voltage.over', 'trip.leakage', 'trip.short'],
        array['warning', 'alarm', 'warning', 'warning', 'alarm', 'warning', 'alarm', 'alarm', 'alarm', 'alarm'],
        array['medium', 'high', 'low', 'medium', 'high', 'medium', 'medium', 'high', 'critical', 'critical'],
        array['过流预警', '过流报警', '漏电注意', '漏电预警', '漏电报警', '温度预警', '欠压报警', '过压报警', '漏电跳闸', '短路跳闸'],
        array['Overcurrent warning', 'Overcurrent alarm', 'Residual current notice', 'Residual current warning', 'Residual current alarm',
          'Temperature warning', 'Undervoltage', 'Overvoltage', 'Tripped on residual current', 'Tripped on short circuit'])
        with ordinality as t (key, kind, priority, zh, en, nth)`)
    const columns = `event_id, kind, priority, key, label_zh, label_en, point, value, limit_value, unit, project_id, gateway_id, line_id, raised_at,
      stored_at, state, acknowledged_at, acknowledged_by, returned_at, raises, announced`
    // Each line has its own mix: the number of the event decides line and kind, so that any filter has its share of every year.
    await run(`insert into event (${columns})
      overriding system value select i, kind, priority, key, zh, en, 'a', 60 + i % 40, 60, 'A', project_id, gateway_id, line_id, at, at, 'normal',
        at + interval '1 second' * (10 + (hashint8(i + 2) & 1023) * 59 / 100), '13900000000', at + interval '11 minutes', 1 + i % 7, 1
      from (select i, now() - interval '730 days' * ((${past} - i)::float8 / ${past}) - interval '2 days' as at,
          (hashint8(i) & 2147483647) % (select count(*) from place) as line, (hashint8(i + 1) & 2147483647) % 10 as kind_n
        from generate_series(1, ${past}::bigint) as i) as given
      join place on place.n = line join kind_of on kind_of.n = kind_n`)
    await run(`insert into event (${columns})
      overriding system value select ${past} + 1 + i, kind, priority, key, zh, en, (i / 10 / (select count(*) from place))::text, 60 + i % 40, 60, 'A', project_id, gateway_id, line_id,
        at, at, (array['active', 'acknowledged', 'returned'])[1 + i % 3], case when i % 3 = 1 then at + interval '5 minutes' end,
        case when i % 3 = 1 then '13900000000' end, case when i % 3 = 2 then at + interval '10 minutes' end, 1 + i % 7, 1
      from (select i, now() - interval '2 days' * ((${open} - i)::float8 / ${open}) as at from generate_series(0, ${open - 1}::bigint) as i) as given
      join place on place.n = i / 10 % (select count(*) from place) join kind_of on kind_of.n = i % 10`)
    await run(`select setval(pg_get_serial_sequence('event', 'event_id'), ${past + open + 1})`)
    await run('commit')
    for (const sql of again) await run(sql)
    await run('vacuum analyze event')
  } finally {
    await client.end()
  }
}

/** Takes indexes, references and triggers off the table of events; what puts them back. */
async function bare(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ take: string; again: string }>(`
    select format('drop index %s', indexrelid::regclass) as take, pg_get_indexdef(indexrelid) as again
      from pg_index where indrelid = 'event'::regclass and not exists (select from pg_constraint where conindid = indexrelid)
    union all select format('alter table event drop constraint %I', conname),
      format('alter table event add constraint %I %s', conname, pg_get_constraintdef(oid))
      from pg_constraint where conrelid = 'event'::regclass and contype = 'f'
    union all select 'alter table event disable trigger user', 'alter table event enable trigger user'`)
  for (const { take } of rows) await client.query(take)
  return rows.map(({ again }) => again)
}
