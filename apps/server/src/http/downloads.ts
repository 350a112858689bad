import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { downloadProgress, Reply } from '@linewarden/contract'
import { downloadPath, Refusal } from '@linewarden/contract'
import { hourMs } from '@linewarden/equipment'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Actor } from '../access/actor.ts'
import type { SessionCheck } from '../access/session-check.ts'

/** A file that is made while it is sent. */
export interface DownloadFile {
  readonly fileName: string
  readonly type: string
  /** Makes the bytes piece by piece; it is told to stop, and stops, when the client has gone. */
  readonly bytes: (onProgress: (progress: { rows: number; share: number }) => void) => AsyncGenerator<Uint8Array>
}

interface Download {
  readonly actor: Actor
  readonly file: DownloadFile
  readonly expiresAt: number
  state: Reply<typeof downloadProgress>['State']
  rows: number
  share: number
  readonly stop: AbortController
}

const startWithinMs = 60_000
/** How long the outcome can still be asked for. */
const keptMs = hourMs
/** Running at once: each holds a page of rows and a database connection now and then. */
const maxOfAll = 12
/** Of all accounts that stand under one administrator: nobody holds up another's. */
const maxOfTenant = 3
/** Of one account those count too that were only prepared. */
const maxOfOne = 2
/** However slowly somebody reads. */
const maxMs = hourMs

/** Files to be fetched once: a browser's download cannot sign its request, so a signed call prepares it and gives it a ticket. */
export class Downloads {
  readonly #clock: () => number
  readonly #known = new Map<string, Download>()

  constructor(clock: () => number) {
    this.#clock = clock
  }

  issue(actor: Actor, file: DownloadFile): { Ticket: string; FileName: string; ExpiresAt: number } {
    const now = this.#clock()
    for (const [ticket, each] of this.#known)
      if (each.state !== 'running' && each.expiresAt + keptMs < now) this.#known.delete(ticket)
    const own = [...this.#known.values()].filter((each) => isOpen(each, now) && each.actor.accountId === actor.accountId)
    if (own.length >= maxOfOne || this.#isFull(actor)) throw new Refusal('too many downloads')
    const Ticket = randomBytes(32).toString('base64url')
    const ExpiresAt = now + startWithinMs
    this.#known.set(Ticket, {
      actor,
      file,
      expiresAt: ExpiresAt,
      state: 'waiting',
      rows: 0,
      share: 0,
      stop: new AbortController(),
    })
    return { Ticket, FileName: file.fileName, ExpiresAt }
  }

  #isFull({ tenant }: Actor): boolean {
    const running = [...this.#known.values()].filter(({ state }) => state === 'running')
    return running.length >= maxOfAll || running.filter(({ actor }) => actor.tenant === tenant).length >= maxOfTenant
  }

  /** What somebody prepared, or is fetching, ends with the session that it was prepared in. */
  endSession(sessionId: string): void {
    for (const each of this.#known.values()) if (each.actor.sessionId === sessionId) end(each)
  }

  progress(actor: Actor, ticket: string): Reply<typeof downloadProgress> {
    const { state, rows, share } = this.#own(actor, ticket)
    return { State: state, Rows: rows, Share: share }
  }

  /** Stops a download where it is; one that has ended already stays as it ended. */
  cancel(actor: Actor, ticket: string): void {
    end(this.#own(actor, ticket))
  }

  #own(actor: Actor, ticket: string): Download {
    const found = this.#known.get(ticket)
    if (found?.actor.accountId !== actor.accountId) throw new Refusal('download not exists')
    return found
  }

  /** Who prepared it. */
  actorOf(ticket: string): Actor | null {
    return this.#known.get(ticket)?.actor ?? null
  }

  /**
   * Starts the download of a ticket; null when it was used, is unknown or too old. `signal` says when it must end. Throws Refusal when too
   * many run.
   */
  take(ticket: string): { file: DownloadFile; bytes: AsyncGenerator<Uint8Array>; signal: AbortSignal } | null {
    const found = this.#known.get(ticket)
    if (found?.state !== 'waiting' || found.expiresAt <= this.#clock()) return null
    if (this.#isFull(found.actor)) throw new Refusal('too many downloads')
    found.state = 'running'
    const late = setTimeout(() => found.stop.abort(), maxMs).unref()
    return { file: found.file, bytes: followed(found, () => clearTimeout(late)), signal: found.stop.signal }
  }
}

/** One that has ended already stays as it ended. */
function end(download: Download): void {
  if (download.state === 'waiting') download.state = 'ended'
  download.stop.abort()
}

const isOpen = ({ state, expiresAt }: Download, now: number): boolean =>
  state === 'running' || (state === 'waiting' && expiresAt > now)

async function* followed(download: Download, over: () => void): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of download.file.bytes(({ rows, share }) => Object.assign(download, { rows, share }))) {
      if (download.stop.signal.aborted) throw new Stopped()
      yield piece
    }
    download.state = 'done'
    download.share = 1
  } finally {
    over()
    // Also when the client went away: the generator is then returned where it stands.
    if (download.state === 'running') download.state = 'ended'
  }
}

/** A person has stopped it: the connection is cut, so that the browser does not take half a file for a whole one. */
class Stopped extends Error {}

/** Serves the files. Pages of rows are made only as fast as the client takes them. */
export function mountDownloads(
  app: FastifyInstance,
  { downloads, accounts, log }: { downloads: Downloads; accounts: Pick<SessionCheck, 'stillIn' | 'onSessionEnd'>; log: Logger },
): void {
  accounts.onSessionEnd((sessionId) => downloads.endSession(sessionId))
  app.get<{ Params: { ticket: string } }>(`${downloadPath}:ticket`, async (request, reply) => {
    const actor = downloads.actorOf(request.params.ticket)
    // It may have run out by itself, or on another server.
    if (!actor || !(await accounts.stillIn(actor))) throw new Refusal('download not exists')
    const taken = downloads.take(request.params.ticket)
    if (!taken) throw new Refusal('download not exists')
    const { file, bytes, signal } = taken
    const stream = Readable.from(bytes, { objectMode: false, highWaterMark: 65_536 })
    stream.on('error', (error) => !(error instanceof Stopped) && log.warn({ err: error }, 'a download broke off'))
    // Also while the reader takes nothing.
    signal.addEventListener('abort', () => stream.destroy(new Stopped()))
    // Compression stands between the two, and lets the source wait for a reader that has gone.
    reply.raw.once('close', () => stream.destroy())
    return reply
      .type(file.type)
      .header('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(file.fileName)}`)
      .send(stream)
  })
}
