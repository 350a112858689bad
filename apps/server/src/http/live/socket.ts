import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { LiveRequest } from '@linewarden/contract'
import { helloEveryMs, liveClose, livePath } from '@linewarden/contract'
import type { Logger } from 'pino'
import type { WebSocket } from 'ws'
import { WebSocketServer } from 'ws'
import type { Actor } from '../../access/actor.ts'
import type { SessionCheck } from '../../access/session-check.ts'
import type { Config } from '../../config.ts'
import { caught, guarded } from '../../lib/faults.ts'
import type { Committed, Hub } from '../../plant/hub.ts'
import { newestOnly } from '../../plant/newest-only.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Tickets } from './tickets.ts'
import type { Watch } from './viewer.ts'
import { News, Viewer } from './viewer.ts'

const pingEveryMs = 20_000
const maxWatchedLines = 5_000
/** Tabs of one browser share a session. */
const maxOfSession = 10
/** What is watched is looked up in the whole plant: as often as a person turns to something else, and no more. */
const heedEveryMs = 200
const maxBetween = 50

interface Options {
  readonly plant: Plant
  readonly hub: Hub
  readonly tickets: Tickets
  readonly accounts: Pick<SessionCheck, 'onSessionEnd' | 'onRightsChange' | 'stillIn'>
  readonly config: Pick<Config, 'allowedOrigins'>
  /** The server's time: by it the page tells every age. */
  readonly clock: () => number
  readonly log: Logger
}

/** The live socket of a server: one-use ticket, Origin check, values of what is watched, events of everything that may be seen. */
export class LiveSocket {
  readonly #options: Options
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: 65_536, perMessageDeflate: false })
  readonly #viewers = new Set<Viewer>()
  readonly #unsubscribe: () => void
  readonly #pings: NodeJS.Timeout
  readonly #hellos: NodeJS.Timeout

  constructor(server: Server, options: Options) {
    const { hub, accounts, log } = options
    this.#options = options
    server.on('upgrade', (request, stream, head) => this.#upgrade(request, stream, head))
    this.#unsubscribe = hub.subscribe((committed) => this.#fanOut(committed))
    accounts.onSessionEnd((sessionId) => {
      for (const { actor, socket } of this.#viewers)
        if (actor.sessionId === sessionId) socket.close(liveClose.sessionEnded, 'session ended')
    })
    accounts.onRightsChange(
      (change) =>
        void this.#renewEach(
          [...this.#viewers].filter(({ actor: { accountId, platform, tenant } }) =>
            'accounts' in change ? change.accounts.includes(accountId) : !platform && change.tenants.includes(tenant),
          ),
        ),
    )
    this.#pings = setInterval(
      guarded(log, 'live', () => this.#checkViewers()),
      pingEveryMs,
    )
    this.#hellos = setInterval(
      guarded(log, 'live', () => {
        for (const viewer of this.#viewers) viewer.greet()
      }),
      helloEveryMs,
    )
  }

  viewers(): number {
    return this.#viewers.size
  }

  close(): void {
    clearInterval(this.#pings)
    clearInterval(this.#hellos)
    this.#unsubscribe()
    for (const { socket } of this.#viewers) socket.terminate()
    this.#sockets.close()
  }

  #upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    // From here on nobody else listens to the connection: without this one, a reset would end the process.
    stream.on('error', () => stream.destroy())
    try {
      const admitted = this.#admit(request)
      if (typeof admitted === 'number') deny(stream, admitted)
      else this.#sockets.handleUpgrade(request, stream, head, (socket) => this.#welcome(socket, admitted))
    } catch (error) {
      caught(this.#options.log, 'upgrade', error)
      deny(stream, 500)
    }
  }

  /** Who comes with a ticket; or the HTTP status with which they are denied. */
  #admit(request: IncomingMessage): Actor | number {
    const { config, tickets } = this.#options
    const url = URL.parse(request.url ?? '', 'http://localhost')
    if (url?.pathname !== livePath) return 404
    if (!isOwnOrigin(request, config.allowedOrigins)) return 403
    const actor = tickets.take(url.searchParams.get('ticket') ?? '')
    if (!actor) return 401
    const ofSession = [...this.#viewers].filter((viewer) => viewer.actor.sessionId === actor.sessionId)
    return ofSession.length >= maxOfSession ? 429 : actor
  }

  #welcome(socket: WebSocket, actor: Actor): void {
    const { log } = this.#options
    const viewer = new Viewer(socket, actor, this.#options)
    this.#viewers.add(viewer)
    const flooded = () => socket.terminate()
    const pace = { everyMs: heedEveryMs, most: maxBetween, flooded }
    const watches = newestOnly({ ...pace, take: guarded(log, 'live', (wanted: Watch) => viewer.watch(wanted)) })
    const greetings = newestOnly({ ...pace, take: guarded(log, 'live', () => viewer.greet()) })
    socket.on('close', () => {
      this.#viewers.delete(viewer)
      watches.over()
      greetings.over()
    })
    socket.on('error', (error) => log.debug({ reason: error.message }, 'a live socket ended'))
    socket.on('pong', () => {
      viewer.alive = true
    })
    socket.on(
      'message',
      guarded(log, 'live', (bytes: unknown) => {
        const request = readRequest(String(bytes))
        if (request?.t === 'watch') watches.came(request)
        else if (request) greetings.came(null)
        else socket.close(liveClose.badRequest, 'not understood')
      }),
    )
    viewer.greet()
    // The ticket knew the rights of when it was issued.
    void this.#renew(viewer, false)
  }

  #fanOut(committed: Committed): void {
    // Most hours nobody looks, and readings come all the same.
    if (this.#viewers.size === 0) return
    const news = new News(committed)
    for (const viewer of this.#viewers) viewer.deliver(news)
  }

  /** Drops the dead, and whoever's account or rights are gone. */
  async #checkViewers(): Promise<void> {
    for (const viewer of this.#viewers) {
      if (!viewer.alive) {
        viewer.socket.terminate()
        continue
      }
      viewer.alive = false
      viewer.socket.ping()
      await this.#renew(viewer, false)
    }
  }

  /** One after the other: the connections that sessions are looked up on are those that a trip needs too. */
  async #renewEach(changed: readonly Viewer[]): Promise<void> {
    for (const viewer of changed) await this.#renew(viewer, true)
  }

  /** The viewer with the rights of now; `changed` also makes it fetch its tree anew. */
  async #renew(viewer: Viewer, changed: boolean): Promise<void> {
    const { accounts, log } = this.#options
    try {
      const actor = await accounts.stillIn(viewer.actor)
      if (!actor) return viewer.socket.close(liveClose.sessionEnded, 'session ended')
      viewer.renew(actor)
      if (changed) viewer.send([{ t: 'tree' }])
    } catch (error) {
      log.debug({ err: error }, 'a session could not be checked')
    }
  }
}

function readRequest(text: string): LiveRequest | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof parsed !== 'object' || parsed === null) return null
  const { t, houses, lines } = parsed as Record<string, unknown>
  if (t === 'hello') return { t }
  return t === 'watch' && isIds(houses) && isIds(lines) ? { t, houses, lines } : null
}

const isIds = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length <= maxWatchedLines && value.every((each) => Number.isSafeInteger(each))

/** Browsers name the page they come from: it must be ours. Programs name none, and bring a ticket all the same. */
function isOwnOrigin(request: IncomingMessage, allowed: readonly string[]): boolean {
  const { origin, host } = request.headers
  if (origin === undefined) return true
  return (URL.canParse(origin) && new URL(origin).host === host) || allowed.includes(origin)
}

/** The connection does not stay open for whoever never closes it. */
function deny(stream: Duplex, status: number): void {
  stream.once('finish', () => stream.destroy())
  stream.end(`HTTP/1.1 ${status} Denied\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
