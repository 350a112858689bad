import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dayMs } from '@linewarden/equipment'
import { compose } from '@linewarden/server/compose'
import { readConfig } from '@linewarden/server/config'
import { loadPlant } from '@linewarden/server/plant'
import type pg from 'pg'
import { pino } from 'pino'
import { createHealthChecks } from '../apps/server/src/areas/health/checks.ts'
import { Runner } from '../apps/server/src/jobs/runner.ts'
import { storeHealthPast } from '../tests/kit/health-past.ts'
import { median, thousandQuestions } from './calibrate.ts'
import { report } from './report.ts'

const targets = { seconds: 10, oneLineMs: 100 }
const linesOfGateway = 20
const seededAtOnce = 1_000
const oneLineTimes = 15

/**
 * How long a health check of so many lines takes, from the press to its stored end, and one of a single line: 30 days of each read, every
 * deduction stored. The calibrator is a thousand empty questions.
 */
export async function exam({ lines = 20_000 }: Record<string, number>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lw-bench-'))
  const config = readConfig({ LINEWARDEN_PORT: '0', LINEWARDEN_MQTT_PORT: '0', LINEWARDEN_DATA: dataDir, LINEWARDEN_LOG: 'warn' })
  const log = pino({ level: 'warn' })
  const server = await compose(config, { log, clock: Date.now, env: {} })
  const { database } = server
  const client = await database.connect()
  try {
    await plantOf(client, lines)
    const plant = await loadPlant(database)
    const ids = [...plant.lines.keys()]
    for (let from = 0; from < ids.length; from += seededAtOnce)
      await storeHealthPast(client, { lineIds: ids.slice(from, from + seededAtOnce), now: Date.now(), residualMa: 120 })
    for (const line of plant.lines.values()) line.selfTest = { at: Date.now() - dayMs, result: 'passed', tripMs: 30 }
    await client.query('vacuum analyze')
    const thousandQuestionsMs = await thousandQuestions(client)
    const runner = new Runner({ database, log })
    const checks = createHealthChecks({ database, plant, runner, log, clock: Date.now })
    const [project] = plant.projects.values()
    if (!project) throw new Error('the bench has a project')
    const person = { actor: 'bench', dueAt: null, audit: null }
    const idleMb = process.memoryUsage.rss() / 1_048_576
    let mostMb = idleMb
    const watching = setInterval(() => {
      mostMb = Math.max(mostMb, process.memoryUsage.rss() / 1_048_576)
    }, 100)
    const began = performance.now()
    const whole = await checks.start({ project, gateway: null, line: null }, person)
    await whole?.ended
    const seconds = (performance.now() - began) / 1_000
    clearInterval(watching)
    const oneLine: number[] = []
    for (const line of [...plant.lines.values()].slice(0, oneLineTimes)) {
      const from = performance.now()
      const one = await checks.start({ project, gateway: line.device.gateway, line }, person)
      await one?.ended
      oneLine.push(performance.now() - from)
    }
    const { rows } = await client.query<{ state: string; done: number; score: number }>(
      `select state, done, (result ->> 'score')::int as score from health_check where line_id is null`,
    )
    await checks.close()
    await runner.close()
    const oneLineMs = Math.round(median(oneLine))
    report('exam', {
      lines: ids.length,
      ...rows[0],
      seconds: Number(seconds.toFixed(2)),
      oneLineMs,
      addedMb: Math.round(mostMb - idleMb),
      thousandQuestionsMs,
      targets,
      verdict:
        rows[0]?.state === 'done' && rows[0].done === ids.length && seconds <= targets.seconds && oneLineMs <= targets.oneLineMs,
    })
  } finally {
    await client.end()
    await server.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** One project of gateways with a three-phase breaker each, set and closed. */
async function plantOf(client: pg.Client, lines: number): Promise<void> {
  await client.query(
    `with p as (insert into project (city_id, name, time_zone, standard)
         select city_id, 'bench', 'Asia/Shanghai', 'GB' from city order by city_id limit 1 returning project_id),
       g as (insert into gateway (project_id, number, name, secret_hash)
         select project_id, 'B' || n, 'B' || n, 'x' from p, generate_series(1, $1::int) n returning gateway_id, number),
       d as (insert into device (gateway_id, controller_id, name, family, model)
         select gateway_id, 'D' || number, '', 'breaker3p', '3PN' from g returning device_id),
       l as (insert into line (device_id, line_no, name, rated_current_a)
         select device_id, n, 'line ' || n, 63 from d, generate_series(1, $2::int) n returning line_id)
     insert into line_setting (line_id, key, reported, reported_at)
       select line_id, key, value, now() from l, (values ('leakage.trip', 300), ('overvoltage', 266), ('undervoltage', 175),
         ('overload.trip', 69), ('temperature.alarm', 80)) as set_to (key, value)`,
    [Math.ceil(lines / linesOfGateway), linesOfGateway],
  )
  await client.query(
    `insert into line_state (line_id, states, changed_at) select line_id, '{"position": "closed"}', now() from line`,
  )
}
