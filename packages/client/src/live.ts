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
export function openLive(options: LiveOptions): Live {
  const { client, onMessages, onLink, onSessionEnd, silenceMs = linkLostAfterMs, answerMs = maxAnswerMs } = options
  let socket: WebSocket | null = null
  let watched: LiveRequest = { t: 'watch', houses: [], lines: [] }
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  let probe: ReturnType<typeof setTimeout> | undefined
  let closed = false
  let heardAt = 0
  let letGo: (() => void) | null = null
  void connect()

  return {
    watch(houses, lines) {
      watched = { t: 'watch', houses, lines }
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(watched))
    },
    wake() {
      if (closed) return
      if (timer !== undefined) {
        clearTimeout(timer)
        timer = undefined
        failures = 0
        void connect()
      } else if (Date.now() - heardAt > verifyAfterMs) verify()
    },
    doubt: verify,
    lose() {
      failures = 0
      letGo?.()
    },
    close() {
      closed = true
      clearTimeout(timer)
      clearTimeout(silence)
      clearTimeout(probe)
      socket?.close()
    },
  }

  /** Whatever comes is an answer. A connection that is only being made has a deadline of its own. */
  function verify(): void {
    if (probe !== undefined || socket?.readyState !== WebSocket.OPEN || !letGo) return
    socket.send(JSON.stringify({ t: 'hello' } satisfies LiveRequest))
    probe = setTimeout(() => {
      failures = 0
      letGo?.()
    }, probeAnswerMs)
  }

  async function connect(): Promise<void> {
    onLink('connecting')
    try {
      const { Ticket } = await client.call(liveTicket, {}, { timeoutMs: answerMs })
      if (closed) return
      open(Ticket)
    } catch {
      again()
    }
  }

  function open(ticket: string): void {
    const opened = new WebSocket(`${client.baseUrl.replace(/^http/, 'ws')}${livePath}?ticket=${encodeURIComponent(ticket)}`)
    socket = opened
    const heard = (nextWithinMs = silenceMs) => {
      heardAt = Date.now()
      clearTimeout(silence)
      clearTimeout(probe)
      probe = undefined
      silence = setTimeout(() => {
        if (Date.now() - heardAt > nextWithinMs + lateTimerMs && opened.readyState === WebSocket.OPEN) verify()
        else letGo?.()
      }, nextWithinMs)
    }
    opened.onopen = () => {
      failures = 0
      onLink('open')
      opened.send(JSON.stringify(watched))
      heard()
    }
    opened.onmessage = ({ data }) => {
      heard()
      onMessages(JSON.parse(String(data)) as LiveMessage[])
    }
    opened.onclose = ({ code }) => {
      forget()
      if (code !== liveClose.sessionEnded) return again()
      onLink('closed')
      onSessionEnd?.()
    }
    letGo = () => {
      // A dead connection answers no closing handshake either: it is let go, not waited for.
      forget()
      opened.onclose = null
      opened.onmessage = null
      opened.close()
      again()
    }
    heard(answerMs)
  }

  function forget(): void {
    clearTimeout(silence)
    clearTimeout(probe)
    probe = undefined
    letGo = null
  }

  /** Jittered, so that a restarted server is not met by everybody at once. */
  function again(): void {
    if (closed) return
    onLink('closed')
    const delay = Math.min(maxDelayMs, firstDelayMs * 2 ** failures)
    failures += 1
    timer = setTimeout(
      () => {
        timer = undefined
        void connect()
      },
      delay * (0.5 + Math.random() / 2),
    )
  }
}
