import { Refusal } from '@linewarden/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Metric } from 'prom-client'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Config } from '../config.ts'
import { cutOffCounted } from '../field/broker/connection-limits.ts'
import { ordersCounted } from '../field/orders/orders-counted.ts'
import { faultsCounted } from '../lib/faults.ts'
import type { Database } from '../store/core/database.ts'
import { isThisMachine, within } from './addresses.ts'

interface Options {
  readonly config: Pick<Config, 'trustProxy' | 'metricsFrom'>
  /** What others count. */
  readonly metrics: readonly Metric[]
  readonly database: Pick<Database, 'ping' | 'connections'>
  /** Whether readings cannot be stored. */
  readonly degraded: () => boolean
  readonly viewers: () => number
  readonly log: Logger
}

/** Headers that only a proxy writes. */
const forwarding = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']

/** For whoever watches the server from outside: whether it lives, whether it can do its work, and its figures. */
export function mountProbes(app: FastifyInstance, options: Options): void {
  const registry = registryOf(options)
  const answers = databaseAnswers(options)
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/health', async (_request, reply) =>
    (await answers()) ? { status: 'ok' } : reply.code(503).send({ status: 'database unavailable' }),
  )
  app.get('/readyz', async (_request, reply) => {
    const missing = [...((await answers()) ? [] : ['database']), ...(options.degraded() ? ['intake'] : [])]
    return missing.length === 0 ? { status: 'ready' } : reply.code(503).send({ status: 'not ready', missing })
  })
  const mayScrape = scraping(options.config)
  app.get('/metrics', async (request, reply) => {
    if (!mayScrape(request)) return reply.code(404).send(new Refusal('page not found').envelope())
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

/** However many ask at once, the database is asked once: anybody may, without a session. */
function databaseAnswers({ database, log }: Options): () => Promise<boolean> {
  let asked: Promise<boolean> | null = null
  const ask = async () => {
    try {
      await database.ping()
      return true
    } catch (error) {
      log.warn({ err: error }, 'health: the database does not answer')
      return false
    } finally {
      asked = null
    }
  }
  return () => {
    asked ??= ask()
    return asked
  }
}

/** What the figures tell (sizes, versions) is for the monitoring that was named, not for the network behind a proxy that nobody was told of. */
function scraping({ trustProxy, metricsFrom }: Options['config']): (request: FastifyRequest) => boolean {
  const isNamed = within(metricsFrom ?? '')
  return ({ headers, ip }) => {
    const isRelayed = trustProxy === false && forwarding.some((each) => each in headers)
    return !isRelayed && (isThisMachine(ip) || isNamed(ip))
  }
}

function registryOf({ metrics, database, viewers }: Options): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const connections = new Gauge({
    name: 'linewarden_database_connections',
    help: 'Connections to the database by pool; waiting: requests that wait for one',
    labelNames: ['pool', 'state'] as const,
    registers: [],
    collect() {
      for (const [pool, { busy, idle, waiting }] of Object.entries(database.connections())) {
        this.set({ pool, state: 'busy' }, busy)
        this.set({ pool, state: 'idle' }, idle)
        this.set({ pool, state: 'waiting' }, waiting)
      }
    },
  })
  const sockets = new Gauge({
    name: 'linewarden_live_viewers',
    help: 'Live sockets that are open',
    registers: [],
    collect() {
      this.set(viewers())
    },
  })
  const all: readonly Metric[] = [faultsCounted, cutOffCounted, ordersCounted, connections, sockets, ...metrics]
  for (const metric of all) registry.registerMetric(metric)
  return registry
}
