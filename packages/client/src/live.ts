import type { LiveMessage, LiveRequest } from '@linewarden/contract'
import { liveClose, livePath, liveTicket } from '@linewarden/contract'
import type { Client } from './client.ts'

export type LiveLink = 'connecting' | 'open' | 'closed'

export interface LiveOptions {
  readonly client: Client
  readonly onMessages: (messages: readonly LiveMessage[]) => void
  readonly onLink: (link: LiveLink) => void
  readonly onSessionEnd?: () => void
}

export interface Live {
  /** What the page shows now; sent at once, and again after each reconnect. */
  watch(houses: readonly number[], lines: readonly number[]): void
  close(): void
}

const firstDelayMs = 300
const longestDelayMs = 10_000

/** Keeps one live socket open, whatever happens to the network or the server, until closed. */
export function openLive({ client, onMessages, onLink, onSessionEnd }: LiveOptions): Live {
  let socket: WebSocket | null = null
  let watched: LiveRequest = { t: 'watch', houses: [], lines: [] }
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let closed = false
  void connect()

  return {
    watch(houses, lines) {
      watched = { t: 'watch', houses, lines }
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(watched))
    },
    close() {
      closed = true
      clearTimeout(timer)
      socket?.close()
    },
  }

  async function connect(): Promise<void> {
    onLink('connecting')
    try {
      const { Ticket } = await client.call(liveTicket)
      if (closed) return
      open(Ticket)
    } catch {
      again()
    }
  }

  function open(ticket: string): void {
    socket = new WebSocket(`${client.baseUrl.replace(/^http/, 'ws')}${livePath}?ticket=${encodeURIComponent(ticket)}`)
    socket.onopen = () => {
      failures = 0
      onLink('open')
      socket?.send(JSON.stringify(watched))
    }
    socket.onmessage = ({ data }) => onMessages(JSON.parse(String(data)) as LiveMessage[])
    socket.onclose = ({ code }) => {
      if (code === liveClose.sessionEnded) onSessionEnd?.()
      else again()
    }
  }

  /** Jittered, so that a restarted server is not met by everybody at once. */
  function again(): void {
    if (closed) return
    onLink('closed')
    const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** failures)
    failures += 1
    timer = setTimeout(() => void connect(), delay * (0.5 + Math.random() / 2))
  }
}
