import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { compose } from '@linewarden/server/compose'
import { readConfig } from '@linewarden/server/config'
import type { ExecutedEntry, GatewayPlan } from '@linewarden/simulator'
import { startFleet } from '@linewarden/simulator'
import pg from 'pg'
import { pino } from 'pino'
import type { EmbeddedPostgres } from '../../apps/server/src/store/embedded/embedded.ts'
import { startEmbeddedPostgres } from '../../apps/server/src/store/embedded/embedded.ts'
import { seedPlan } from '../../scripts/demo/seed.ts'
import { peopleChosePasswords } from '../../tests/kit/chosen-passwords.ts'
import { KilledServer } from '../../tests/kit/faults/killed-server.ts'
import type { OpenProxy } from '../../tests/kit/proxy.ts'
import { openProxy } from '../../tests/kit/proxy.ts'
import type { DuePlan } from './due-plan.ts'
import type { Executed } from './rise-oracle.ts'

/** Two servers on one database and the equipment that they operate, all of it in a time of its own. */
export interface DueField {
  readonly postgres: EmbeddedPostgres
  readonly servers: readonly [KilledServer, KilledServer]
  /** Ids of the lines, in the order of the plan. */
  readonly lineIds: readonly number[]
  readonly projectId: number
  /** The true time. */
  now(): number
  /** Sets the true time, and with it every clock. */
  leap(to: number): void
  /** How far clocks go wrong: the one by which things are due, and each server's own. */
  setClocks(dueMs: number, ownMs: readonly [number, number]): void
  /** A connection of its own, whoever was killed meanwhile. */
  withDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T>
  /** Lets so much flow on a line. */
  setLoad(line: number, ampere: number): void
  executed(): Promise<readonly Executed[]>
  close(): Promise<void>
}

/** Lines of one device; their numbers follow each other. */
const linesPerDevice = 16
const devicePrefix = 'DF-B'
const deviceOf = (line: number) => `${devicePrefix}${Math.floor(line / linesPerDevice)}`
const lineNoOf = (line: number) => (line % linesPerDevice) + 1

/** Nothing is waited for without an end, and whoever gives up says what did not come. */
export async function until<T>(what: string, ms: number, fact: () => Promise<T | null>): Promise<T> {
  let last: unknown = null
  for (const began = performance.now(); performance.now() - began < ms; await wait(200))
    try {
      const found = await within(what, ms, fact())
      if (found !== null) return found
    } catch (error) {
      last = error
    }
  throw new Error(`${what} did not come within ${ms} ms`, { cause: last })
}

export async function within<T>(what: string, ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not come within ${ms} ms`)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

export async function dueField(plan: DuePlan): Promise<DueField> {
  const closers: (() => unknown)[] = []
  const close = async () => {
    for (const each of closers.splice(0).reverse())
      await within('the end of a part of the field', 60_000, Promise.resolve(each())).catch((error) =>
        process.stderr.write(`${error}\n`),
      )
  }
  try {
    const dataDir = await mkdtemp(join(tmpdir(), 'lw-due-'))
    closers.push(() => rm(dataDir, { recursive: true, force: true }))
    const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
    closers.push(() => postgres.stop())
    const { host, port, user, database } = postgres.connection
    const env = {
      ...{ LINEWARDEN_PORT: '0', LINEWARDEN_MQTT_PORT: '0', LINEWARDEN_LOG: 'fatal', LINEWARDEN_DATA: join(dataDir, 'house') },
      DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`,
    }
    let aheadMs = plan.beginsAt - 600_000 - Date.now()
    const now = () => Date.now() + aheadMs
    const gateways = await seed(env, plan, now)
    const servers = [new KilledServer(env, aheadMs, aheadMs), new KilledServer(env, aheadMs, aheadMs)] as const
    for (const server of servers) {
      closers.push(() => {
        server.standStill(false)
        return server.end()
      })
      await within('the start of a server', 120_000, server.start())
    }
    const broker = await toWhoeverLives(servers)
    closers.push(() => broker.close())
    const executedLogFile = join(dataDir, 'executed.jsonl')
    const fleet = startFleet(gateways, { url: `mqtt://127.0.0.1:${broker.port}`, now, executedLogFile })
    closers.push(() => fleet.close())
    await within('the birth of the gateway', 60_000, fleet.ready)
    const withDatabase = async <T>(work: (client: pg.Client) => Promise<T>) => {
      const client = new pg.Client({ ...postgres.connection, connectionTimeoutMillis: 10_000, query_timeout: 30_000 })
      client.on('error', () => {})
      await client.connect()
      return work(client).finally(() => client.end())
    }
    const lines = await until('every line of the plan', 60_000, () =>
      withDatabase(async (client) => {
        const { rows } = await client.query<{ line_id: number; project_id: number }>(
          `select line_id, project_id from line join device using (device_id) join gateway using (gateway_id)
           where controller_id like $1 and line_no > 0 order by controller_id, line_no`,
          [`${devicePrefix}%`],
        )
        return rows.length === plan.lines.length ? rows : null
      }),
    )
    return {
      ...{ postgres, servers, now, withDatabase, close },
      lineIds: lines.map(({ line_id }) => line_id),
      projectId: lines[0]?.project_id ?? 0,
      leap(to) {
        aheadMs = to - Date.now()
        for (const server of servers) server.set(aheadMs, aheadMs)
      },
      setClocks(dueMs, ownMs) {
        for (const [index, server] of servers.entries()) server.set(aheadMs + (ownMs[index] ?? 0), aheadMs + dueMs)
      },
      setLoad(line, ampere) {
        fleet.gatewayOf(deviceOf(line)).line(deviceOf(line), lineNoOf(line)).forced.set('current.a', ampere)
      },
      executed: async () =>
        (await readFile(executedLogFile, 'utf8').catch(() => '')).split('\n').flatMap((each): Executed[] => {
          if (each === '') return []
          const { id, controllerId, lineNo, action, at, outcome } = JSON.parse(each) as ExecutedEntry
          const line = Number(controllerId.slice(devicePrefix.length)) * linesPerDevice + lineNo - 1
          return outcome === 'executed' ? [{ id, line, action, at }] : []
        }),
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function seed(env: Readonly<Record<string, string>>, plan: DuePlan, clock: () => number): Promise<GatewayPlan[]> {
  const seeding = await compose(readConfig(env), { log: pino({ level: 'silent' }), clock, env: {}, dueClock: clock })
  await peopleChosePasswords(seeding)
  const lines = plan.lines.map((kind, line) => {
    return { lineNo: lineNoOf(line), name: `${kind} ${line}`, ratedCurrentA: 63, load: 'office' as const }
  })
  const devices = [...Map.groupBy(lines.entries(), ([line]) => deviceOf(line))].map(([controllerId, own]) => ({
    ...{ controllerId, family: 'breaker3p', model: '3PN', name: controllerId, lines: own.map(([, line]) => line) },
  }))
  const gateway = { number: 'DF', name: 'DF', secret: '', reportingPeriodMs: 1_000, devices }
  const gateways = await seedPlan(seeding, [
    { group: 'due', name: 'due', timeZone: plan.timeZone, standard: 'GB', gateways: [gateway] },
  ])
  await seeding.close()
  return gateways
}

/** One address for gateways, behind which is in turn one of the servers that live. */
function toWhoeverLives(servers: readonly KilledServer[]): Promise<OpenProxy> {
  let turn = 0
  return openProxy(() => {
    const living = servers.filter(({ isAlive, at }) => isAlive && at.mqttPort > 0)
    const target = living[turn++ % Math.max(1, living.length)]
    return target ? connect(target.at.mqttPort, '127.0.0.1') : null
  })
}
