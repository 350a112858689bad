import type { ChildProcess } from 'node:child_process'
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Server } from '@linewarden/server/compose'
import { compose } from '@linewarden/server/compose'
import { readConfig } from '@linewarden/server/config'
import type { GatewayPlan } from '@linewarden/simulator'
import pg from 'pg'
import { pino } from 'pino'
import { seedPlan } from '../scripts/demo/seed.ts'
import { serverFlags } from '../scripts/node-flags.mjs'
import { peopleChosePasswords } from '../tests/kit/chosen-passwords.ts'

export interface Field {
  readonly url: string
  readonly mqttPort: number
  /** Null: gateways come without TLS only. */
  readonly mqttsPort: number | null
  readonly admin: { readonly userName: string; readonly password: string }
  readonly gateways: readonly GatewayPlan[]
  readonly serverPid: number
  /** Whether the process that was started is still the one that answers. */
  isAlive(): boolean
  database(): Promise<pg.Client>
  /** Resident memory of the server process, MB. */
  memoryMb(): Promise<number>
  close(): Promise<void>
}

interface More {
  /** The data stay there, and the next run finds them: what it was enrolled with then counts, and the plan does not. */
  readonly folder?: string | undefined
  /** Puts more there before the server starts. */
  readonly seed?: (seeding: Server) => Promise<void>
  /** The console's port speaks TLS, and gateways may. */
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined
}

/** A server in a process of its own, as `npm run serve` runs it, with these gateways enrolled. */
export async function field(
  plan: readonly GatewayPlan[],
  port: number,
  { folder, seed, certificate }: More = {},
): Promise<Field> {
  const dataDir = folder ?? (await mkdtemp(join(tmpdir(), 'lw-bench-')))
  const env = {
    LINEWARDEN_PORT: String(port),
    LINEWARDEN_MQTT_PORT: String(port + 1),
    LINEWARDEN_DATA: dataDir,
    LINEWARDEN_LOG: 'warn',
  }
  const notes = join(dataDir, 'bench-field.json')
  const { admin, gateways } = existsSync(notes)
    ? (JSON.parse(await readFile(notes, 'utf8')) as Pick<Field, 'admin' | 'gateways'>)
    : await enrol(plan, env, seed)
  if (folder) await writeFile(notes, JSON.stringify({ admin, gateways }))
  const server = spawn(process.execPath, [...serverFlags, ...profiling(), 'apps/server/src/main.ts'], {
    env: { ...process.env, ...env, ...(certificate && (await overTls(certificate, dataDir, port + 2))) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  // A benchmark that fails leaves no server behind.
  process.once('exit', () => server.kill('SIGTERM'))
  const url = `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`
  while (
    !(await fetch(`${url}/health`).then(
      (reply) => reply.ok,
      () => false,
    ))
  ) {
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`)
    await wait(20)
  }
  return {
    url,
    mqttPort: port + 1,
    mqttsPort: certificate ? port + 2 : null,
    admin,
    gateways,
    serverPid: server.pid ?? 0,
    isAlive: () => server.exitCode === null && server.signalCode === null,
    async database() {
      const client = new pg.Client({ host: join(dataDir, 'socket'), user: 'linewarden', database: 'linewarden' })
      await client.connect()
      return client
    },
    async memoryMb() {
      const pages = Number((await readFile(`/proc/${server.pid}/statm`, 'utf8')).split(' ')[1])
      return (pages * 4_096) / 1_048_576
    },
    async close() {
      server.kill('SIGTERM')
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
      if (!folder) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Settings of a server that speaks TLS with this certificate, beside MQTT without it. */
async function overTls({ cert, key }: NonNullable<More['certificate']>, dataDir: string, mqttsPort: number) {
  const files = { LINEWARDEN_TLS_CERT: join(dataDir, 'bench.crt'), LINEWARDEN_TLS_KEY: join(dataDir, 'bench.key') }
  await writeFile(files.LINEWARDEN_TLS_CERT, cert)
  await writeFile(files.LINEWARDEN_TLS_KEY, key)
  return { ...files, LINEWARDEN_MQTTS_PORT: String(mqttsPort) }
}

async function enrol(
  plan: readonly GatewayPlan[],
  env: Readonly<Record<string, string>>,
  seed: More['seed'],
): Promise<Pick<Field, 'admin' | 'gateways'>> {
  const seeding = await compose(readConfig(env), { log: pino({ level: 'silent' }), clock: Date.now, env: {} })
  const admin = seeding.accounts.firstPassword
  if (!admin) throw new Error('the folder is not new')
  await peopleChosePasswords(seeding)
  const gateways: GatewayPlan[] = []
  // A project holds at most 200 gateways.
  for (let i = 0; i < plan.length; i += 200) {
    gateways.push(
      ...(await seedPlan(seeding, [
        { group: 'bench', name: `bench ${i}`, timeZone: 'UTC', standard: 'GB', gateways: plan.slice(i, i + 200) },
      ])),
    )
  }
  await seed?.(seeding)
  await seeding.close()
  return { admin, gateways }
}

export interface Traffic {
  /** Acknowledged so far. */
  acknowledged(): number
  /** Ends it before its time. */
  end(): void
  readonly done: Promise<{ acknowledged: number; sent: number; perSecond: number }>
}

/** Starts the generator beside the server. `perSecond` 0: as fast as it is acknowledged. */
export function traffic(
  target: Pick<Field, 'mqttPort'>,
  gateways: readonly GatewayPlan[],
  perSecond: number,
  seconds: number,
): Traffic {
  const child: ChildProcess = fork('bench/traffic.ts', { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  let acknowledged = 0
  const done = new Promise<{ acknowledged: number; sent: number; perSecond: number }>((resolve, reject) => {
    child.on('message', (message: { done?: true; acknowledged: number; sent?: number; perSecond?: number }) => {
      acknowledged = message.acknowledged
      if (!message.done) return
      resolve({ acknowledged, sent: message.sent ?? 0, perSecond: message.perSecond ?? 0 })
      child.disconnect()
      child.kill()
    })
    child.on('exit', (code) => reject(new Error(`the generator ended with ${code}`)))
  })
  child.send({
    port: target.mqttPort,
    perSecond,
    seconds,
    gateways: gateways.map(({ number, secret, devices }) => ({
      number,
      secret,
      controllerId: devices[0]?.controllerId ?? '',
      lines: devices[0]?.lines.length ?? 0,
    })),
  })
  return { acknowledged: () => acknowledged, done, end: () => void child.kill() }
}

/** `BENCH_PROFILE=folder` writes a CPU profile of the server there. */
export function profiling(): string[] {
  const folder = process.env.BENCH_PROFILE
  return folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : []
}
