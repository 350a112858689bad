import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as HttpsServer } from 'node:https'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import { Refusal } from '@linewarden/contract'
import type { FastifyInstance } from 'fastify'
import fastify from 'fastify'
import type { Logger } from 'pino'
import type { Metric } from 'prom-client'
import type { SessionCheck } from '../access/session-check.ts'
import type { SubjectSources } from '../audit/names.ts'
import type { RefusedAttempts } from '../audit/refused-attempts.ts'
import type { Config } from '../config.ts'
import { StartRefusal } from '../lib/start-refusal.ts'
import type { Hub } from '../plant/hub.ts'
import type { Plant } from '../plant/plant.ts'
import type { Database } from '../store/core/database.ts'
import type { Certificates } from '../tls/certificates.ts'
import { proxies, settleAddresses, trusted } from './addresses.ts'
import { auditRefusals } from './audit-refusals.ts'
import type { Claim } from './authenticate.ts'
import { connectionOptions, limitConnections, tlsConnectionOptions } from './connections.ts'
import { mountConsole } from './console.ts'
import type { Serve } from './context.ts'
import type { Downloads } from './downloads.ts'
import { mountDownloads } from './downloads.ts'
import { LiveSocket } from './live/socket.ts'
import type { Tickets } from './live/tickets.ts'
import { mountReference } from './openapi.ts'
import { mountProbes } from './probes.ts'
import { refuseInWords } from './refuse-in-words.ts'
import { serving } from './serve.ts'
import { serverToHttps } from './to-https.ts'

declare module 'fastify' {
  interface FastifyRequest {
    rawBody?: string
    /** Of a call of the contract: who says to have signed it. */
    claim?: Claim
  }
}

export interface HttpOptions {
  readonly config: Pick<
    Config,
    | 'host'
    | 'port'
    | 'redirectPort'
    | 'trustProxy'
    | 'metricsFrom'
    | 'connectionsPerAddress'
    | 'apiDocs'
    | 'consoleDir'
    | 'allowedOrigins'
  >
  readonly certificates: Pick<Certificates, 'console'>
  /** What others count, for /metrics. */
  readonly metrics: readonly Metric[]
  /** Whether readings cannot be stored. */
  readonly degraded: () => boolean
  readonly database: Database
  readonly plant: Plant
  readonly subjects: SubjectSources
  readonly hub: Hub
  readonly clock: () => number
  readonly log: Logger
  readonly accounts: SessionCheck
  readonly refused: Pick<RefusedAttempts, 'note'>
  readonly tickets: Tickets
  readonly downloads: Downloads
  readonly mount: (serve: Serve) => void
  /** What is no call of the contract: a browser goes there, or another platform pushes there. */
  readonly mountPublicRoutes: (app: FastifyInstance) => void
}

export interface Http {
  /** Live sockets that are open. */
  viewers(): number
  /** Starts to listen. Throws StartRefusal when the port is taken. */
  listen(): Promise<{ url: string; port: number; redirectPort: number | null }>
  close(): Promise<void>
}

const bodyLimit = 1_048_576

/** Builds the HTTP server: contract calls, reference, health, console and live socket. */
export async function buildHttp(options: HttpOptions): Promise<Http> {
  const { config, accounts, plant, clock, log } = options
  const certificate = options.certificates.console
  const app: FastifyInstance = fastify({
    ...connectionOptions(),
    ...(certificate && { https: tlsConnectionOptions(certificate) }),
    bodyLimit,
    trustProxy: trusted(config.trustProxy),
    logger: false,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 200 },
  })
  const isProxy = proxies(config.trustProxy)
  limitConnections(app.server, config.connectionsPerAddress, isProxy)
  if (app.server instanceof HttpsServer) certificate?.renewing(app.server)
  settleAddresses(app, config.trustProxy, log)
  readBodies(app)
  refuseInWords(app, log)
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        // Positions of rows and charts are set as style attributes by script, which CSP counts as inline style.
        styleSrcAttr: ["'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        mediaSrc: ["'self'"],
        workerSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: false,
  })
  await app.register(compress, { global: true, threshold: 2_048 })
  app.addHook('onSend', async (request, reply) => {
    // Only where it came with TLS, ours or that of a proxy that is believed: over plain HTTP browsers would not heed it.
    // Over our own also only at 443: a browser that heeds it goes there from http://, and not where plain HTTP would lead it.
    const isUsualPort = request.port === null || request.port === 443
    if (request.protocol === 'https' && (isUsualPort || !certificate))
      reply.header('Strict-Transport-Security', 'max-age=31536000')
    if (request.url.startsWith('/api/') && !reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-store')
  })
  if (config.apiDocs) await mountReference(app)
  options.mount(
    serving({
      app,
      accounts,
      plant,
      clock,
      refused: options.refused,
      onRefused: auditRefusals({ database: options.database, subjects: options.subjects, clock }),
    }),
  )
  options.mountPublicRoutes(app)
  mountDownloads(app, options)
  const isPage = config.consoleDir === null ? () => false : await mountConsole(app, config.consoleDir)
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    if (request.method === 'GET' && isPage(path, request.headers.accept))
      return reply.header('Cache-Control', 'no-cache').sendFile('index.html')
    return reply.code(404).send(new Refusal('page not found').envelope())
  })
  const socket = new LiveSocket(app.server, options)
  mountProbes(app, { ...options, viewers: () => socket.viewers() })

  const redirect =
    config.redirectPort === null ? null : serverToHttps({ ...config, port: () => portOf(app.server), isProxy, log })

  return {
    viewers: () => socket.viewers(),
    async listen() {
      await orRefuse(app.listen({ host: config.host, port: config.port }), 'LINEWARDEN_PORT', config.port)
      if (redirect && config.redirectPort !== null) {
        redirect.listen(config.redirectPort, config.host)
        await orRefuse(once(redirect, 'listening'), 'LINEWARDEN_HTTP_PORT', config.redirectPort)
      }
      const port = portOf(app.server)
      const name =
        config.host === '0.0.0.0' || config.host === '::'
          ? 'localhost'
          : config.host.includes(':')
            ? `[${config.host}]`
            : config.host
      return { url: `${certificate ? 'https' : 'http'}://${name}:${port}`, port, redirectPort: redirect && portOf(redirect) }
    },
    async close() {
      socket.close()
      redirect?.close()
      redirect?.closeAllConnections()
      await app.close()
    },
  }
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

async function orRefuse(listening: Promise<unknown>, setting: string, port: number): Promise<void> {
  try {
    await listening
  } catch (error) {
    if ((error as { code?: string }).code !== 'EADDRINUSE') throw error
    throw new StartRefusal('port_in_use', {
      en: `Port ${port} is in use. Stop the other program, or set ${setting} to another port.`,
      zh: `端口 ${port} 已被占用。请停止占用它的程序，或用 ${setting} 指定其他端口。`,
    })
  }
}

/** Keeps the text of each body as it came, because the signature covers it, and reads it as JSON and nothing else. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit }, (request, body, done) => {
    const text = typeof body === 'string' ? body : body.toString('utf8')
    request.rawBody = text
    if (text === '') return done(null, undefined)
    try {
      done(null, JSON.parse(text))
    } catch {
      done(new Refusal('body malformed'))
    }
  })
}
