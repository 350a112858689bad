import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { LiveMessage, LiveRequest } from '@linewarden/contract'
import { helloEveryMs, liveClose, livePath, snapshot } from '@linewarden/contract'
import type { Logger } from 'pino'
import type { WebSocket } from 'ws'
import { WebSocketServer } from 'ws'
import type { Actor } from '../../access/actor.ts'
import type { SessionCheck } from '../../access/session-check.ts'
import { withoutPeople } from '../../access/without-people.ts'
import type { Config } from '../../config.ts'
import { caught, guarded } from '../../lib/faults.ts'
import type { Committed, Hub } from '../../plant/hub.ts'
import { lineState } from '../../plant/line-state.ts'
import { newestOnly } from '../../plant/newest-only.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { Tickets } from './tickets.ts'
import type { Permitted } from './topics.ts'
import { hears, mayAsk, textsOf } from './topics.ts'

type Watch = Extract<LiveRequest, { t: 'watch' }>

interface Viewer {
  readonly socket: WebSocket
  /** As the account and its role are now. */
  actor: Actor
  /** Which calls they may make; forgotten with the actor they were asked of. */
  readonly may: Map<Permitted, boolean>
  readonly houses: Set<number>
  readonly lines: Set<number>
  /** Lines that moved while the socket was busy; sent with the next flush, each once and newest. */
  readonly due: Set<PlantLine>
  flushing: boolean
  alive: boolean
}

/** More than this unsent and the client is dropped, not buffered: it fetches what it missed when it comes back. */
const maxUnsentBytes = 4_194_304
/** While this much is unsent, lines wait and conflate. */
const busyBytes = 262_144
/** Values wait so long for the next frame: the more lines moved, the longer, for a page of a thousand lines is not read ten times a second. */
const minWaitMs = 100
const maxWaitMs = 500
const waitPerLineMs = 0.5
const pingEveryMs = 20_000
const maxWatchedLines = 5_000
/** Tabs of one browser share a session. */
const maxOfSession = 10
/** What is watched is looked up in the whole plant: as often as a person turns to something else, and no more. */
const heedEveryMs = 200
const maxBetween = 50

/** Mounts the live socket: one-use ticket, Origin check, values of what is watched, events of everything that may be seen. */
export function mountLiveSocket(
  server: Server,
  options: {
    plant: Plant
    hub: Hub
    tickets: Tickets
    accounts: Pick<SessionCheck, 'onSessionEnd' | 'onRightsChange' | 'stillIn'>
    config: Pick<Config, 'allowedOrigins'>
    /** The server's time: by it the page tells every age. */
    clock: () => number
    log: Logger
  },
): { viewers(): number; close(): void } {
  const { plant, hub, tickets, accounts, config, clock, log } = options
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 65_536, perMessageDeflate: false })
  const viewers = new Set<Viewer>()

  server.on('upgrade', (request, stream, head) => {
    // From here on nobody else listens to the connection: without this one, a reset would end the process.
    stream.on('error', () => stream.destroy())
    try {
      const url = URL.parse(request.url ?? '', 'http://localhost')
      if (url?.pathname !== livePath) return deny(stream, 404)
      if (!isOwnOrigin(request, config.allowedOrigins)) return deny(stream, 403)
      const actor = tickets.take(url.searchParams.get('ticket') ?? '')
      if (!actor) return deny(stream, 401)
      if ([...viewers].filter((viewer) => viewer.actor.sessionId === actor.sessionId).length >= maxOfSession)
        return deny(stream, 429)
      sockets.handleUpgrade(request, stream, head, (socket) => welcome(socket, actor))
    } catch (error) {
      caught(log, 'upgrade', error)
      deny(stream, 500)
    }
  })

  const unsubscribe = hub.subscribe(fanOut)
  accounts.onSessionEnd((sessionId) => {
    for (const viewer of viewers)
      if (viewer.actor.sessionId === sessionId) viewer.socket.close(liveClose.sessionEnded, 'session ended')
  })
  accounts.onRightsChange(
    (change) =>
      void renewEach(
        [...viewers].filter(({ actor: { accountId, platform, tenant } }) =>
          'accounts' in change ? change.accounts.includes(accountId) : !platform && change.tenants.includes(tenant),
        ),
      ),
  )
  const pings = setInterval(guarded(log, 'live', checkViewers), pingEveryMs)
  const hellos = setInterval(
    guarded(log, 'live', () => {
      for (const viewer of viewers) greet(viewer)
    }),
    helloEveryMs,
  )

  return {
    viewers: () => viewers.size,
    close() {
      clearInterval(pings)
      clearInterval(hellos)
      unsubscribe()
      for (const { socket } of viewers) socket.terminate()
      sockets.close()
    },
  }

  function welcome(socket: WebSocket, actor: Actor): void {
    const viewer: Viewer = {
      socket,
      actor,
      may: new Map(),
      houses: new Set(),
      lines: new Set(),
      due: new Set(),
      flushing: false,
      alive: true,
    }
    viewers.add(viewer)
    const flooded = () => socket.terminate()
    const pace = { everyMs: heedEveryMs, most: maxBetween, flooded }
    const watches = newestOnly({ ...pace, take: guarded(log, 'live', (wanted: Watch) => watch(viewer, wanted)) })
    const greetings = newestOnly({ ...pace, take: guarded(log, 'live', () => greet(viewer)) })
    socket.on('close', () => {
      viewers.delete(viewer)
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
    greet(viewer)
    // The ticket knew the rights of when it was issued.
    void renew(viewer, false)
  }

  /** What the viewer may not see it cannot watch. Present states follow at once, so that nothing is missed in between. */
  function watch(viewer: Viewer, { houses, lines }: Watch): void {
    viewer.houses.clear()
    viewer.lines.clear()
    for (const id of houses) if (viewer.actor.seesPart(id)) viewer.houses.add(id)
    for (const id of lines) {
      const line = plant.lines.get(id)
      if (line && viewer.actor.seesGateway(line.device.gateway)) viewer.lines.add(id)
    }
    for (const line of plant.lines.values()) if (isWatched(viewer, line)) viewer.due.add(line)
    flush(viewer)
  }

  function fanOut(committed: Committed): void {
    // Most hours nobody looks, and readings come all the same.
    if (viewers.size === 0) return
    const frames = new Map<PlantLine, string>()
    const moved = movedIn(committed)
    const topics = (committed.live ?? []).map(textsOf)
    for (const viewer of viewers) {
      // The tree of several projects is told to have changed once.
      const parts = [...new Set(topics.flatMap((topic) => (hears(viewer, topic) ? topic.textFor(viewer.actor) : [])))]
      // To somebody who reads slowly the newest position will be told once, and not each that it was in between.
      const busy = isBusy(viewer)
      for (const line of moved) {
        if (!isWatched(viewer, line)) continue
        if (busy) viewer.due.add(line)
        else {
          viewer.due.delete(line)
          parts.push(frameOf(line, frames))
        }
      }
      if (parts.length > 0) write(viewer, `[${parts.join(',')}]`)
      for (const line of committed.lines ?? []) if (!moved.has(line) && isWatched(viewer, line)) viewer.due.add(line)
      flush(viewer, frames)
    }
  }

  /** Line by line, once for everybody who watches it. */
  function frameOf(line: PlantLine, frames: Map<PlantLine, string>): string {
    const known = frames.get(line)
    if (known !== undefined) return known
    const frame = JSON.stringify({ t: 'line', state: lineState(line) } satisfies LiveMessage)
    frames.set(line, frame)
    return frame
  }

  /** Values: the newest only. At once while the socket keeps up and nothing went a moment ago. */
  function flush(viewer: Viewer, frames = new Map<PlantLine, string>()): void {
    if (viewer.due.size === 0 || viewer.flushing) return
    if (isBusy(viewer)) {
      flushAfter(viewer, minWaitMs)
      return
    }
    // While they waited the viewer may have turned to something else, or lost the right to see them.
    const watched = [...viewer.due].filter((line) => isWatched(viewer, line))
    viewer.due.clear()
    if (watched.length === 0) return
    const parts = watched.map((line) => frameOf(line, frames))
    write(viewer, `[${parts.join(',')}]`)
    flushAfter(viewer, Math.min(maxWaitMs, Math.max(minWaitMs, parts.length * waitPerLineMs)))
  }

  /** The next values wait a moment, so that a busy plant costs a few frames a second and not hundreds. */
  function flushAfter(viewer: Viewer, ms: number): void {
    viewer.flushing = true
    const next = guarded(log, 'live', () => {
      viewer.flushing = false
      flush(viewer)
    })
    setTimeout(next, ms)
  }

  /** A browser cannot see pings: this tells it that the connection is not merely open but alive. It asks nothing of the session. */
  function greet(viewer: Viewer): void {
    send(viewer, [{ t: 'hello', at: clock() }])
  }

  function send(viewer: Viewer, messages: readonly LiveMessage[]): void {
    write(viewer, JSON.stringify(viewer.actor.shared ? withoutPeople(messages) : messages))
  }

  function write(viewer: Viewer, text: string): void {
    if (viewer.socket.readyState !== viewer.socket.OPEN) return
    if (viewer.socket.bufferedAmount > maxUnsentBytes) {
      viewer.socket.close(liveClose.slow, 'too slow')
      setTimeout(() => viewer.socket.terminate(), 1_000).unref()
      return
    }
    viewer.socket.send(text)
  }

  /** Drops the dead, and whoever's account or rights are gone. */
  async function checkViewers(): Promise<void> {
    for (const viewer of viewers) {
      if (!viewer.alive) {
        viewer.socket.terminate()
        continue
      }
      viewer.alive = false
      viewer.socket.ping()
      await renew(viewer, false)
    }
  }

  /** One after the other: the connections that sessions are looked up on are those that a trip needs too. */
  async function renewEach(changed: readonly Viewer[]): Promise<void> {
    for (const viewer of changed) await renew(viewer, true)
  }

  /** The viewer with the rights of now; `changed` also makes it fetch its tree anew. */
  async function renew(viewer: Viewer, changed: boolean): Promise<void> {
    try {
      const actor = await accounts.stillIn(viewer.actor)
      if (!actor) return viewer.socket.close(liveClose.sessionEnded, 'session ended')
      viewer.actor = actor
      viewer.may.clear()
      if (changed) send(viewer, [{ t: 'tree' }])
    } catch (error) {
      log.debug({ err: error }, 'a session could not be checked')
    }
  }
}

/**
 * Lines of which more than a value moved: a position, an alarm, a command. They are few, and somebody waits for them: they do not wait
 * for the next frame, unless the viewer reads too slowly to take this one.
 */
const movedIn = ({ lines = [], reports, withEvents = [] }: Committed): ReadonlySet<PlantLine> =>
  new Set(reports ? [...reports.filter(({ changed }) => changed).map(({ line }) => line), ...withEvents] : lines)

const projectOf = (line: PlantLine): number => line.device.gateway.project.id

const isBusy = ({ socket }: Viewer): boolean => socket.bufferedAmount > busyBytes

const isWatched = (viewer: Viewer, line: PlantLine): boolean =>
  mayAsk(viewer, snapshot) &&
  (viewer.houses.has(projectOf(line)) || viewer.lines.has(line.id)) &&
  viewer.actor.seesGateway(line.device.gateway)

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
