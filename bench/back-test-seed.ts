import type { Server } from '@linewarden/server/compose'
import { floatsToBytes } from '@linewarden/server/floats'
import { dayOf, makePartition } from '../apps/server/src/store/ingest/partitions.ts'
import { diceOf } from '../tests/kit/warning-truth/dice.ts'
import type { TrueFault } from '../tests/kit/warning-truth/line-truth.ts'
import { lineTruth } from '../tests/kit/warning-truth/line-truth.ts'
import { makeOfPlan } from '../tests/kit/warning-truth/seeded-hours.ts'
import { seedOrganisation } from './lists-seed.ts'

export interface BackTestSize {
  readonly lines: number
  readonly findings: number
  /** Share of the hours of a line in which its current passes the limit. */
  readonly candidates: number
}

type Run = (sql: string, values?: unknown[]) => Promise<unknown>

/** Lines that differ; all others are like one of them. */
const kinds = 40
/** Days of hours that are kept, and of features. */
const [hourDays, featureDays] = [67, 100]
/** Days of samples, each in a partition of its own as a server makes them. */
const sampleDays = 30
const secondsOfSample = 15

/** What is wrong with three lines in ten, each in a way that another daily rule finds within the last weeks. */
const faults: Readonly<Record<number, TrueFault>> = {
  0: { kind: 'leakageStep', startHour: (hourDays - 15) * 24, sizeMa: 60 },
  3: { kind: 'leakageDrift', startHour: (hourDays - 40) * 24, perDayMa: 2.5 },
  6: { kind: 'hotContact', startHour: (hourDays - 15) * 24, terminal: 1, atRatedK: 45, perDayK: 0 },
}

/**
 * One owner's lines with a past: features and hours of synthetic lines of which three in ten have a fault, the hours' extremes, and the
 * samples of those hours that pass the limit, on one line in ten for so long that it is found; and findings that are open. What is long goes
 * into tables that are not logged, on two connections: it is read as from any other.
 */
export async function seedBackTest(server: Server, { lines, findings, candidates }: BackTestSize): Promise<void> {
  const gateways = Math.max(10, lines / 10)
  await seedOrganisation(server, { owners: 1, projects: 10, gateways, lines, users: 2 })
  const [one, other] = [await server.database.connect(), await server.database.connect()]
  const runOn =
    (client: typeof one): Run =>
    (sql, values = []) =>
      client.query(sql, values)
  const run = runOn(one)
  try {
    for (let day = dayOf(Date.now()) - sampleDays; day <= dayOf(Date.now()); day++) await makePartition(one, day)
    await notLogged(one)
    await run('delete from event')
    await run(
      'create unlogged table kind_hours (kind int, nth int, counts int, residual bytea, square bytea, max_a bytea, celsius bytea, floor real)',
    )
    for (let kind = 0; kind < kinds; kind++) await seedKind(run, kind)
    await run(`create unlogged table own as select line_id, (row_number() over (order by line_id) - 1)::int as n,
      (now() at time zone 'Asia/Shanghai')::date - date '1970-01-01' as today, date_trunc('hour', now()) as begun from line`)
    await run('analyze own, kind_hours')
    await Promise.all([
      seedDays(run).then(() => seedFindings(run, findings)),
      seedSamples(runOn(other), Math.round(1 / candidates)),
    ])
    // As a server leaves it that has read all of them: else the next one reads them into its plant when it starts.
    await run(`insert into latest_watermark (one, received_at) values (true, now())
      on conflict (one) do update set received_at = excluded.received_at`)
    await run('drop table own, kind_hours')
    await Promise.all([run('vacuum analyze reading_hour'), runOn(other)('vacuum analyze line_hours, line_day')])
    await run('vacuum analyze')
  } finally {
    await one.end()
    await other.end()
  }
}

/** The long tables, partitions by themselves. */
async function notLogged(client: Awaited<ReturnType<Server['database']['connect']>>): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where oid = any(array['line_hours', 'line_day', 'reading_hour']::regclass[])
     union all select inhrelid::regclass::text from pg_inherits where inhparent = 'reading'::regclass`,
  )
  for (const { name } of rows) await client.query(`alter table ${name} set unlogged`)
}

/** What daily rules look at. */
async function seedDays(run: Run): Promise<void> {
  await run(`insert into line_setting (line_id, key, reported, reported_at) select line_id, 'leakage.trip', 300, now() from own`)
  await run(`insert into line_hours (line_id, day, first_hour, counts, residual_ma, square_a2, max_a, terminal_c)
    select line_id, today - ${hourDays} + nth, (today - ${hourDays} + nth) * 24 - 8, counts, residual, square, max_a, celsius
    from own join kind_hours on kind = n % ${kinds} where nth < ${hourDays}`)
  await run(`insert into line_day (line_id, day, hours, coverage, opened, leak_floor_ma, leak_peak_ma, i95_a, peak_a, excess_k, excess_error_k,
      unbalance_2_min, unbalance_4_min, voltage_known_min, voltage_outside_min, broken_a, wear, trip_ms, online_s, made_at)
    select line_id, today - ${featureDays} + d, 24, 1, false, coalesce(floor, 20), 40, array[30, 30, 30], array[35, 35, 35], array[1, 1, 1],
      array[1, 1, 1], 0, 0, 1440, 10, '{}', 0, '{}', 86400, now()
    from own cross join generate_series(0, ${featureDays - 1}) as d
    left join kind_hours on kind = n % ${kinds} and nth = d - ${featureDays - hourDays}`)
  await run(`insert into line_look (line_id, day, at, learnt_from, learnt_of, outcomes, followed, followed_before)
    select line_id, today - 1, now(), today - ${featureDays}, '{"ratedA": 63, "tripMa": 300, "model": "3PN"}', '{}', '{}', '{}' from own`)
}

/** What rules look at that follow samples: every so many hours of a line pass its limit. */
async function seedSamples(run: Run, each: number): Promise<void> {
  await run(`insert into reading_hour (line_id, hour, count, min, mean, max, quality)
    select line_id, begun - h * interval '1 hour', 240, array[20, 20, 20, 225, 225, 225], array[25, 25, 25, 230, 230, 230],
      case when (n * 7 + h) % ${each} = 0 then array[70, 30, 30, 235, 235, 235] else array[35, 35, 35, 235, 235, 235] end, 0
    from own, generate_series(1, ${sampleDays * 24}) as h`)
  await run(`insert into reading (line_id, at, received_at, quality, v0, v1, v2, v3, v4, v5)
    select line_id, at, at, 0, case when extract(minute from at) < case n % 10 when 0 then 15 else 8 end then 70 else 40 end, 30, 30, 230, 230, 230
    from own cross join generate_series(1, ${sampleDays * 24}) as h cross join lateral (
      select begun - h * interval '1 hour' + s * interval '${secondsOfSample} seconds' as at
      from generate_series(0, ${3_600 / secondsOfSample - 1}) as s) as samples
    where (n * 7 + h) % ${each} = 0`)
}

/** The days of one synthetic line. */
async function seedKind(run: Run, kind: number): Promise<void> {
  const fault = faults[kind % 10]
  const unknown = new Float32Array(24).fill(Number.NaN)
  const { hours } = lineTruth(kind, hourDays, makeOfPlan(diceOf(kind)), fault ? [fault] : [])
  for (let day = 0; day < hourDays; day++) {
    const of = (column: Float32Array) => column.subarray(day * 24, day * 24 + 24)
    const counts = of(Float32Array.from(hours.counts)).reduce((bits, each, i) => bits | (each << i), 0)
    const floor = [...of(hours.residualMa)].toSorted((one, other) => one - other)[4]
    await run('insert into kind_hours values ($1, $2, $3, $4, $5, $6, $7, $8)', [
      ...[kind, day, counts, floatsToBytes([of(hours.residualMa)]), floatsToBytes(hours.squareA2.map(of))],
      // The breaker has a fourth terminal, of the neutral, of which these lines know nothing: without it the columns are not its own.
      ...[floatsToBytes(hours.maxA.map(of)), floatsToBytes([...hours.terminalC.map(of), unknown]), floor],
    ])
  }
}

/** Findings of ten rules on the lines in turn, a third of them acknowledged. */
async function seedFindings(run: Run, findings: number): Promise<void> {
  await run(`insert into event (kind, priority, key, label_zh, label_en, point, value, limit_value, unit, project_id, gateway_id, line_id, raised_at,
      stored_at, state, announced)
    select 'warning', (array['low', 'medium', 'high'])[1 + i % 3],
      (array['contact', 'leakage.step', 'leakage.drift', 'load.growth', 'wear', 'unbalance', 'voltage.range', 'release.slow', 'overcurrent',
        'trips.often'])[1 + i % 10], '预警', 'Warning', (i / 10 / (select count(*) from own))::text, i % 100, 50, 'K', project_id, gateway_id, line_id,
      now() - i * interval '1 minute', now(), (array['active', 'acknowledged', 'returned'])[1 + i % 3], 1
    from generate_series(0, ${findings - 1}) as i join own on n = i / 10 % (select count(*) from own)
      join line using (line_id) join device using (device_id) join gateway using (gateway_id)`)
  await run('analyze event')
  await run(`insert into warning_evidence (event_id, level, evidence, rule_version, at)
    select event_id, case priority when 'low' then 'notice' when 'medium' then 'warning' else 'alarm' end,
      jsonb_build_object('value', value, 'limit', 50, 'unit', 'K', 'baseline', null, 'spread', null, 'slope', null, 'toLimit', null, 'used', 30),
      0, raised_at from event where kind = 'warning'`)
}
