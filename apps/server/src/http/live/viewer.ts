import type { LiveMessage, LiveRequest } from '@linewarden/contract'
import { liveClose, snapshot } from '@linewarden/contract'
import type { Logger } from 'pino'
import type { WebSocket } from 'ws'
import type { Actor } from '../../access/actor.ts'
import { withoutPeople } from '../../access/without-people.ts'
import { guarded } from '../../lib/faults.ts'
import type { Committed } from '../../plant/hub.ts'
import { lineState } from '../../plant/line-state.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { Permitted } from './topics.ts'
import { mayAsk, receives, textsOf } from './topics.ts'

export type Watch = Extract<LiveRequest, { t: 'watch' }>

/** More than this unsent and the client is dropped, not buffered: it fetches what it missed when it comes back. */
const maxUnsentBytes = 4_194_304
/** While this much is unsent, lines wait and conflate. */
const busyBytes = 262_144
/** Values wait so long for the next frame: the more lines moved, the longer, for a page of a thousand lines is not read ten times a second. */
const minWaitMs = 100
const maxWaitMs = 500
const waitPerLineMs = 0.5

/** What of a commit is published live; each text is made once for everybody. */
export class News {
  readonly topics: readonly ReturnType<typeof textsOf>[]
  /** Lines of which more than a value moved. */
  readonly moved: ReadonlySet<PlantLine>
  readonly lines: readonly PlantLine[]
  readonly frames = new LineFrames()

  constructor(committed: Committed) {
    this.moved = movedIn(committed)
    this.lines = committed.lines ?? []
    this.topics = (committed.live ?? []).map(textsOf)
  }
}

/** Line by line, once for everybody who watches it. */
class LineFrames {
  readonly #texts = new Map<PlantLine, string>()

  of(line: PlantLine): string {
    const known = this.#texts.get(line)
    if (known !== undefined) return known
    const text = JSON.stringify({ t: 'line', state: lineState(line) } satisfies LiveMessage)
    this.#texts.set(line, text)
    return text
  }
}

/** Somebody's live socket: what they watch, and what they are notified of it while they keep up. */
export class Viewer {
  readonly socket: WebSocket
  /** Which calls they may make; forgotten with the actor they were asked of. */
  readonly may = new Map<Permitted, boolean>()
  /** Whether it answered the last ping. */
  alive = true
  readonly #plant: Plant
  readonly #clock: () => number
  readonly #log: Logger
  readonly #houses = new Set<number>()
  readonly #lines = new Set<number>()
  /** Lines that moved while the socket was busy; sent with the next flush, each once and newest. */
  readonly #due = new Set<PlantLine>()
  #actor: Actor
  #flushing = false

  constructor(socket: WebSocket, actor: Actor, { plant, clock, log }: { plant: Plant; clock: () => number; log: Logger }) {
    this.socket = socket
    this.#actor = actor
    this.#plant = plant
    this.#clock = clock
    this.#log = log
  }

  /** As the account and its role are now. */
  get actor(): Actor {
    return this.#actor
  }

  renew(actor: Actor): void {
    this.#actor = actor
    this.may.clear()
  }

  /** What the viewer may not see it cannot watch. Present states follow at once, so that nothing is missed in between. */
  watch({ houses, lines }: Watch): void {
    this.#houses.clear()
    this.#lines.clear()
    for (const id of houses) if (this.#actor.seesPart(id)) this.#houses.add(id)
    for (const id of lines) {
      const line = this.#plant.lines.get(id)
      if (line && this.#actor.seesGateway(line.device.gateway)) this.#lines.add(id)
    }
    for (const line of this.#plant.lines.values()) if (this.#isWatched(line)) this.#due.add(line)
    this.#flush(new LineFrames())
  }

  deliver({ topics, moved, lines, frames }: News): void {
    // The tree of several projects is told to have changed once.
    const parts = [...new Set(topics.flatMap((topic) => (receives(this, topic) ? topic.textFor(this.#actor) : [])))]
    // To somebody who reads slowly the newest position will be told once, and not each that it was in between.
    const busy = this.#isBusy()
    for (const line of moved) {
      if (!this.#isWatched(line)) continue
      if (busy) this.#due.add(line)
      else {
        this.#due.delete(line)
        parts.push(frames.of(line))
      }
    }
    if (parts.length > 0) this.#write(`[${parts.join(',')}]`)
    for (const line of lines) if (!moved.has(line) && this.#isWatched(line)) this.#due.add(line)
    this.#flush(frames)
  }

  /** A browser cannot see pings: this tells it that the connection is not merely open but alive. It asks nothing of the session. */
  greet(): void {
    this.send([{ t: 'hello', at: this.#clock() }])
  }

  send(messages: readonly LiveMessage[]): void {
    this.#write(JSON.stringify(this.#actor.shared ? withoutPeople(messages) : messages))
  }

  /** Values: the newest only. At once while the socket keeps up and nothing went a moment ago. */
  #flush(frames: LineFrames): void {
    if (this.#due.size === 0 || this.#flushing) return
    if (this.#isBusy()) {
      this.#flushAfter(minWaitMs)
      return
    }
    // While they waited the viewer may have turned to something else, or lost the right to see them.
    const watched = [...this.#due].filter((line) => this.#isWatched(line))
    this.#due.clear()
    if (watched.length === 0) return
    const parts = watched.map((line) => frames.of(line))
    this.#write(`[${parts.join(',')}]`)
    this.#flushAfter(Math.min(maxWaitMs, Math.max(minWaitMs, parts.length * waitPerLineMs)))
  }

  /** The next values wait a moment, so that a busy plant costs a few frames a second and not hundreds. */
  #flushAfter(ms: number): void {
    this.#flushing = true
    const next = guarded(this.#log, 'live', () => {
      this.#flushing = false
      this.#flush(new LineFrames())
    })
    setTimeout(next, ms)
  }

  #write(text: string): void {
    const { socket } = this
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > maxUnsentBytes) {
      socket.close(liveClose.slow, 'too slow')
      setTimeout(() => socket.terminate(), 1_000).unref()
      return
    }
    socket.send(text)
  }

  #isBusy(): boolean {
    return this.socket.bufferedAmount > busyBytes
  }

  #isWatched({ id, device: { gateway } }: PlantLine): boolean {
    return (
      mayAsk(this, snapshot) && (this.#houses.has(gateway.project.id) || this.#lines.has(id)) && this.#actor.seesGateway(gateway)
    )
  }
}

/**
 * Lines of which more than a value moved: a position, an alarm, a command. They are few, and somebody waits for them: they do not wait
 * for the next frame, unless the viewer reads too slowly to take this one.
 */
const movedIn = ({ lines = [], reports, withEvents = [] }: Committed): ReadonlySet<PlantLine> =>
  new Set(reports ? [...reports.filter(({ changed }) => changed).map(({ line }) => line), ...withEvents] : lines)
