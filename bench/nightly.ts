import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dayMs } from '@linewarden/equipment'
import { compose } from '@linewarden/server/compose'
import { readConfig } from '@linewarden/server/config'
import { Nightly } from '@linewarden/server/nightly'
import { loadPlant } from '@linewarden/server/plant'
import type pg from 'pg'
import { pino } from 'pino'
import { diceOf } from '../tests/kit/warning-truth/dice.ts'
import { lineTruth } from '../tests/kit/warning-truth/line-truth.ts'
import { firstDayOf, makeOfPlan, storeHours } from '../tests/kit/warning-truth/seeded-hours.ts'
import { thousandQuestions } from './calibrate.ts'
import { report } from './report.ts'

const targets = { seconds: 60, addedMb: 300 }
/** Lines whose past is drawn; the others have that of one of them. */
const drawn = 50
const linesOfGateway = 20
const days = 63

/**
 * How long the night of so many lines takes: features of the day, every daily detector, looks and findings, one batch after the other. The
 * processor time is that of the server's process; the database has its own beside it. The calibrator is a thousand empty questions.
 */
export async function nightly({ lines = 20_000 }: Record<string, number>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lw-bench-'))
  const config = readConfig({ LINEWARDEN_PORT: '0', LINEWARDEN_MQTT_PORT: '0', LINEWARDEN_DATA: dataDir, LINEWARDEN_LOG: 'warn' })
  let now = Date.now()
  const today = Math.floor(now / dayMs)
  now = today * dayMs + dayMs / 2
  const log = pino({ level: 'warn' })
  const server = await compose(config, { log, clock: () => now, env: {} })
  const client = await server.database.connect()
  try {
    await plantOf(client, lines)
    const plant = await loadPlant(server.database)
    const ids = [...plant.lines.keys()].sort((one, other) => one - other)
    const firstDay = firstDayOf(today, days)
    const make = (clockDay: number) =>
      new Nightly({ ...server, plant, clock: () => clockDay * dayMs + dayMs / 2, log, rules: server.warning.rules })
    for (const [seed, id] of ids.slice(0, drawn).entries()) {
      const truth = lineTruth(seed + 1, today - firstDay, makeOfPlan(diceOf(seed + 1)))
      await storeHours(client, { id }, truth, { firstDay, offsetHours: 0 })
    }
    // The day before the one that is measured has ended, the measured one has not.
    const before = make(today - 1)
    await client.query('insert into project_day (project_id, day) select project_id, $1 from project', [today - 2])
    await before.look()
    await copyPast(client, ids, today - 1)
    await client.query('vacuum analyze')
    const thousandQuestionsMs = await thousandQuestions(client)
    let memoryMb = 0
    const watching = setInterval(() => {
      memoryMb = Math.max(memoryMb, process.memoryUsage.rss() / 1_048_576)
    }, 100)
    const idleMb = Math.round(process.memoryUsage.rss() / 1_048_576)
    const [began, used] = [performance.now(), process.cpuUsage()]
    await make(today).look()
    const seconds = (performance.now() - began) / 1_000
    const { user, system } = process.cpuUsage(used)
    clearInterval(watching)
    const { rows } = await client.query<{ looked: number; evaluated: number }>(
      'select count(*)::int as looked, (count(*) filter (where reason is null))::int as evaluated from line_look where day = $1',
      [today - 1],
    )
    const cpuSeconds = Number(((user + system) / 1e6).toFixed(1))
    report('nightly', {
      lines: ids.length,
      ...rows[0],
      seconds: Number(seconds.toFixed(1)),
      cpuSeconds,
      idleMb,
      addedMb: Math.round(memoryMb) - idleMb,
      thousandQuestionsMs,
      targets,
      verdict: rows[0]?.looked === ids.length && seconds <= targets.seconds && memoryMb - idleMb <= targets.addedMb,
    })
  } finally {
    await client.end()
    await server.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Gateways with a three-phase breaker each. */
async function plantOf(client: pg.Client, lines: number): Promise<void> {
  await client.query(
    `with p as (insert into project (city_id, name, time_zone, standard) select city_id, 'bench', 'UTC', 'GB' from city order by city_id limit 1 returning project_id),
       g as (insert into gateway (project_id, number, name, secret_hash) select project_id, 'B' || n, 'B' || n, 'x' from p, generate_series(1, $1::int) n returning gateway_id, number),
       d as (insert into device (gateway_id, controller_id, name, family, model) select gateway_id, 'D' || number, '', 'breaker3p', '3PN' from g returning device_id),
       l as (insert into line (device_id, line_no, name, rated_current_a) select device_id, n, '', 63 from d, generate_series(1, $2::int) n returning line_id)
     insert into line_setting (line_id, key, reported, reported_at) select line_id, 'leakage.trip', 300, now() from l`,
    [Math.ceil(lines / linesOfGateway), linesOfGateway],
  )
  await client.query(
    `insert into line_state (line_id, states, changed_at) select line_id, '{"position": "closed"}', now() from line`,
  )
}

/** Gives every line the past of one that was drawn; what the database makes of other columns it makes again. */
async function copyPast(client: pg.Client, ids: readonly number[], lastDay: number): Promise<void> {
  const tables = ['line_hours', 'line_day', 'line_week', 'line_look', 'reading_hour'] as const
  for (const table of tables) {
    const { rows } = await client.query<{ columns: string }>(
      `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname <> 'line_id'`,
      [table],
    )
    const only = table === 'reading_hour' ? `where hour >= '${new Date(lastDay * dayMs).toISOString()}'` : ''
    await client.query(
      `with given as (select id, nth from unnest($1::int[]) with ordinality as given (id, nth))
       insert into ${table} (line_id, ${rows[0]?.columns})
       select given.id, ${rows[0]?.columns} from ${table} join given drawn on drawn.id = line_id
         join given on given.nth > $2 and (given.nth - 1) % $2 = drawn.nth - 1 ${only}`,
      [ids, drawn],
    )
  }
}
