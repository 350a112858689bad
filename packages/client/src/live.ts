import type { LiveMessage, LiveRequest } from '@linewarden/contract'
import { helloEveryMs, linkLostAfterMs, liveClose, livePath, liveTicket, probeAnswerMs } from '@linewarden/contract'
import type { Client } from './client.ts'

export type LiveLink = 'connecting' | 'open' | 'closed'

export interface LiveOptions {
  readonly client: Client
  readonly onMessages: (messages: readonly LiveMessage[]) => void
  readonly onLink: (link: LiveLink) => void
  readonly onSessionEnd?: () => void
  /** A connection that is silent for longer is made anew. Default: two hellos of the server are missing. */
  readonly silenceMs?: number
  /** A ticket or a handshake that takes longer is asked for anew: a dead network refuses nothing, it just never answers. Default 10 s. */
  readonly answerMs?: number
}

export interface Live {
  /** What the page shows now; sent at once, and again after each reconnect. */
  watch(houses: readonly number[], lines: readonly number[]): void
  /** The machine has just woken up, or somebody asks: connects at once where it waits, and asks a connection that was silent whether it lives. */
  wake(): void
  /** Something else failed: a connection that does not answer at once is given up. */
  doubt(): void
  /** The machine says that it has no network: the connection is given up at once, and made anew as soon as it can be. */
  lose(): void
  close(): void
}

const firstDelayMs = 300
const maxDelayMs = 10_000
/** One hello is missing: enough to ask whether the connection lives. */
const verifyAfterMs = helloEveryMs + 1_000
/** A timer so late says that the machine slept or the page was frozen, and nothing of the connection. */
const lateTimerMs = 2_000
const maxAnswerMs = 10_000

/** Keeps one live socket open, whatever happens to the network or the server, until closed. */
export const openLive = (options: LiveOptions): Live => new LiveSocket(options)

class LiveSocket implements Live {
  readonly #options: LiveOptions
  readonly #silenceMs: number
  readonly #answerMs: number
  #socket: WebSocket | null = null
  #watched: LiveRequest = { t: 'watch', houses: [], lines: [] }
  #failures = 0
  /** Of the next attempt, while it waits for one. */
  #retry: ReturnType<typeof setTimeout> | undefined
  #silence: ReturnType<typeof setTimeout> | undefined
  #probe: ReturnType<typeof setTimeout> | undefined
  #closed = false
  /** Unix ms: the connection last said something. */
  #receivedAt = 0
  #letGo: (() => void) | null = null

  constructor(options: LiveOptions) {
    this.#options = options
    this.#silenceMs = options.silenceMs ?? linkLostAfterMs
    this.#answerMs = options.answerMs ?? maxAnswerMs
    void this.#connect()
  }

  watch(houses: readonly number[], lines: readonly number[]): void {
    this.#watched = { t: 'watch', houses, lines }
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(this.#watched))
  }

  wake(): void {
    if (this.#closed) return
    if (this.#retry !== undefined) {
      clearTimeout(this.#retry)
      this.#retry = undefined
      this.#failures = 0
      void this.#connect()
    } else if (Date.now() - this.#receivedAt > verifyAfterMs) this.doubt()
  }

  /** Whatever comes is an answer. A connection that is only being made has a deadline of its own. */
  doubt(): void {
    if (this.#probe !== undefined || this.#socket?.readyState !== WebSocket.OPEN || !this.#letGo) return
    this.#socket.send(JSON.stringify({ t: 'hello' } satisfies LiveRequest))
    this.#probe = setTimeout(() => this.lose(), probeAnswerMs)
  }

  lose(): void {
    this.#failures = 0
    this.#letGo?.()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#retry)
    clearTimeout(this.#silence)
    clearTimeout(this.#probe)
    this.#socket?.close()
  }

  async #connect(): Promise<void> {
    const { client, onLink } = this.#options
    onLink('connecting')
    try {
      const { Ticket } = await client.call(liveTicket, {}, { timeoutMs: this.#answerMs })
      if (this.#closed) return
      this.#open(Ticket)
    } catch {
      this.#again()
    }
  }

  #open(ticket: string): void {
    const { client, onLink, onMessages, onSessionEnd } = this.#options
    const opened = new WebSocket(`${client.baseUrl.replace(/^http/, 'ws')}${livePath}?ticket=${encodeURIComponent(ticket)}`)
    this.#socket = opened
    opened.onopen = () => {
      this.#failures = 0
      onLink('open')
      opened.send(JSON.stringify(this.#watched))
      this.#received(opened, this.#silenceMs)
    }
    opened.onmessage = ({ data }) => {
      this.#received(opened, this.#silenceMs)
      onMessages(JSON.parse(String(data)) as LiveMessage[])
    }
    opened.onclose = ({ code }) => {
      this.#forget()
      if (code !== liveClose.sessionEnded) return this.#again()
      onLink('closed')
      onSessionEnd?.()
    }
    this.#letGo = () => {
      // A dead connection answers no closing handshake either: it is let go, not waited for.
      this.#forget()
      opened.onclose = null
      opened.onmessage = null
      opened.close()
      this.#again()
    }
    this.#received(opened, this.#answerMs)
  }

  /** It lives now, and has to say something within this time. */
  #received(socket: WebSocket, nextWithinMs: number): void {
    this.#receivedAt = Date.now()
    clearTimeout(this.#silence)
    clearTimeout(this.#probe)
    this.#probe = undefined
    this.#silence = setTimeout(() => {
      if (Date.now() - this.#receivedAt > nextWithinMs + lateTimerMs && socket.readyState === WebSocket.OPEN) this.doubt()
      else this.#letGo?.()
    }, nextWithinMs)
  }

  #forget(): void {
    clearTimeout(this.#silence)
    clearTimeout(this.#probe)
    this.#probe = undefined
    this.#letGo = null
  }

  /** Jittered, so that a restarted server is not met by everybody at once. */
  #again(): void {
    if (this.#closed) return
    this.#options.onLink('closed')
    const delay = Math.min(maxDelayMs, firstDelayMs * 2 ** this.#failures)
    this.#failures += 1
    this.#retry = setTimeout(
      () => {
        this.#retry = undefined
        void this.#connect()
      },
      delay * (0.5 + Math.random() / 2),
    )
  }
}
