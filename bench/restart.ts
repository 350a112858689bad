import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { compose } from '@linewarden/server/compose'
import { readConfig } from '@linewarden/server/config'
import type { GatewayPlan } from '@linewarden/simulator'
import { generatedPlan, startFleet } from '@linewarden/simulator'
import pg from 'pg'
import { pino } from 'pino'
import { seedPlan } from '../scripts/demo/seed.ts'
import { median, rawCopyRate } from './calibrate.ts'
import { report } from './report.ts'

const targets = { readyMs: 3_000, readyAfterKillMs: 10_000, lost: 0 }
const port = 18_080
const mqttPort = 18_883

interface Serving {
  readonly pid: number
  readonly readyMs: number
  end(signal: NodeJS.Signals): Promise<void>
}

/**
 * Starts the server again and again: warm, and after kill -9 under load. Ready means that /health answers. Lost is what the gateways were
 * told had arrived and the table does not hold.
 */
export async function restart(options: { kills?: number }): Promise<void> {
  const kills = options.kills ?? 10
  const dataDir = await mkdtemp(join(tmpdir(), 'lw-restart-'))
  const env = {
    LINEWARDEN_PORT: String(port),
    LINEWARDEN_MQTT_PORT: String(mqttPort),
    LINEWARDEN_DATA: dataDir,
    LINEWARDEN_LOG: 'warn',
  }
  const gateways = await seed(env)
  const warm: number[] = []
  for (let i = 0; i < 5; i++) {
    const server = await serve(env)
    warm.push(server.readyMs)
    await server.end('SIGTERM')
  }

  let server = await serve(env)
  const fleet = startFleet(gateways, { url: `mqtt://127.0.0.1:${mqttPort}`, remember: true })
  await fleet.ready
  const afterKill: number[] = []
  for (let i = 0; i < kills; i++) {
    await wait(2_000)
    await server.end('SIGKILL')
    server = await serve(env)
    afterKill.push(server.readyMs)
  }
  await wait(5_000)
  const acknowledged = fleet.acknowledgedReadings()
  await fleet.close()
  const client = new pg.Client({ host: join(dataDir, 'socket'), user: 'linewarden', database: 'linewarden' })
  await client.connect()
  const lost = await missing(client, acknowledged)
  const rawCopyRowsPerSecond = await rawCopyRate(client, 3)
  await client.end()
  await server.end('SIGTERM')
  await rm(dataDir, { recursive: true, force: true })

  report('restart', {
    readyMs: median(warm),
    readyAfterKillMs: Math.max(...afterKill),
    readyAfterKillMedianMs: median(afterKill),
    kills,
    acknowledged: acknowledged.length,
    lost,
    rawCopyRowsPerSecond,
    targets,
    verdict:
      median(warm) <= targets.readyMs &&
      Math.max(...afterKill) <= targets.readyAfterKillMs &&
      lost === 0 &&
      acknowledged.length > 0,
  })
}

async function seed(env: Record<string, string>): Promise<GatewayPlan[]> {
  const server = await compose(readConfig(env), { log: pino({ level: 'silent' }), clock: Date.now, env: {} })
  const plan = generatedPlan({ gateways: 20, linesPerGateway: 20, reportingPeriodMs: 500 })
  const gateways = await seedPlan(server, [{ group: 'bench', name: 'restart', timeZone: 'UTC', standard: 'GB', gateways: plan }])
  await server.close()
  return gateways
}

async function serve(env: Record<string, string>): Promise<Serving> {
  const started = performance.now()
  const child = spawn(process.execPath, ['apps/server/src/main.ts'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const gone = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  for (;;) {
    const ready = await fetch(`http://127.0.0.1:${port}/health`).then(
      (reply) => reply.ok,
      () => false,
    )
    if (ready) break
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
    await wait(10)
  }
  return {
    pid: child.pid ?? 0,
    readyMs: Math.round(performance.now() - started),
    async end(signal) {
      child.kill(signal)
      await gone
    },
  }
}

/** How many of these readings are not in the table. */
async function missing(
  client: pg.Client,
  readings: readonly { controllerId: string; lineNo: number; at: number }[],
): Promise<number> {
  await client.query('create temp table told (controller_id text, line_no int, at timestamptz)')
  for (let i = 0; i < readings.length; i += 10_000) {
    const some = readings.slice(i, i + 10_000)
    await client.query(
      'insert into told select c, l, to_timestamp(a / 1000) from unnest($1::text[], $2::int[], $3::double precision[]) as t (c, l, a)',
      [some.map((each) => each.controllerId), some.map((each) => each.lineNo), some.map((each) => each.at)],
    )
  }
  const { rows } = await client.query<{ lost: string }>(
    `select count(*) as lost from told t where not exists (
       select from reading r join line l using (line_id) join device d using (device_id)
       where d.controller_id = t.controller_id and l.line_no = t.line_no and r.at = t.at)`,
  )
  return Number(rows[0]?.lost)
}
