import { createHash } from 'node:crypto'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { LiveMessage } from '@linewarden/contract'
import { helloEveryMs, linkLostAfterMs, liveClose, Refusal } from '@linewarden/contract'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createClient } from './client.ts'
import type { Live, LiveLink } from './live.ts'
import { openLive } from './live.ts'

/** The server's end of one live socket; only as much of RFC 6455 as short text needs. */
interface Peer {
  readonly ticket: string | null
  readonly sent: unknown[]
  readonly gone: boolean
  send(messages: readonly LiveMessage[]): void
  end(code: number): void
  drop(): void
}

let server: Server
let baseUrl: string
let peers: Peer[]
let tickets: number
/** So many requests for a ticket, or handshakes, are never answered. */
let unanswered: { tickets: number; handshakes: number }
let refusingTickets: Refusal | null
let live: Live | null
let links: LiveLink[]
let received: LiveMessage[]
let ended: number

beforeEach(async () => {
  peers = []
  tickets = 0
  unanswered = { tickets: 0, handshakes: 0 }
  refusingTickets = null
  live = null
  links = []
  received = []
  ended = 0
  server = createServer((_, response) => {
    if (unanswered.tickets-- > 0) return
    if (refusingTickets) {
      response.statusCode = refusingTickets.status
      return response.end(JSON.stringify(refusingTickets.envelope()))
    }
    tickets += 1
    response.end(JSON.stringify({ Code: 1, Message: '', Data: { Ticket: `t ${tickets}&`, ExpiresAt: 1 } }))
  })
  server.on('upgrade', (request, socket: Socket) => {
    if (unanswered.handshakes-- > 0) return
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept.digest('base64')}\r\n\r\n`,
    )
    peers.push(peerOf(socket, new URL(request.url ?? '', 'http://here').searchParams.get('ticket')))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(() => {
  vi.useRealTimers()
  live?.close()
  for (const peer of peers) peer.drop()
  server.closeAllConnections()
  server.close()
})

function peerOf(socket: Socket, ticket: string | null): Peer {
  const sent: unknown[] = []
  const frame = (opcode: number, payload: Buffer) =>
    socket.write(Buffer.concat([Buffer.from([0x80 | opcode, payload.length]), payload]))
  socket.on('error', () => {})
  socket.on('data', (bytes) => {
    for (let at = 0; at + 6 <= bytes.length; ) {
      const length = (bytes[at + 1] ?? 0) & 0x7f
      const mask = bytes.subarray(at + 2, at + 6)
      const payload = bytes.subarray(at + 6, at + 6 + length).map((byte, index) => byte ^ (mask[index % 4] ?? 0))
      if (((bytes[at] ?? 0) & 0x0f) === 1) sent.push(JSON.parse(Buffer.from(payload).toString()))
      else socket.end()
      at += 6 + length
    }
  })
  return {
    ticket,
    sent,
    get gone() {
      return socket.destroyed
    },
    send: (messages) => frame(1, Buffer.from(JSON.stringify(messages))),
    end: (code) => frame(8, Buffer.from([code >> 8, code & 0xff])),
    drop: () => socket.destroy(),
  }
}

/** Opens a live socket to the server; its peer on the other side once it is there. */
async function opened(within: { silenceMs?: number; answerMs?: number } = {}): Promise<Peer> {
  live = openLive({
    ...within,
    client: createClient({ baseUrl, session: () => ({ userId: 'u', token: 't' }) }),
    onMessages: (messages) => received.push(...messages),
    onLink: (link) => links.push(link),
    onSessionEnd: () => {
      ended += 1
    },
  })
  return peer(peers.length)
}

const peer = (index: number): Promise<Peer> =>
  vi.waitFor(
    () => {
      const found = peers[index]
      if (!found || links.at(-1) !== 'open') throw new Error('not connected yet')
      return found
    },
    { interval: 5 },
  )

test('the socket is opened with a one-use ticket, and says so', async () => {
  const { ticket } = await opened()
  expect(ticket).toBe('t 1&')
  expect(links).toEqual(['connecting', 'open'])
})

test('what comes is told, frame by frame', async () => {
  const there = await opened()
  there.send([{ t: 'hello', at: 1 }, { t: 'tree' }])
  there.send([{ t: 'tree' }])
  await vi.waitFor(() => expect(received).toEqual([{ t: 'hello', at: 1 }, { t: 'tree' }, { t: 'tree' }]))
})

test('what the page watches is sent at once, also when it was chosen before the socket was open', async () => {
  const there = opened()
  live?.watch([1, 2], [])
  const { sent } = await there
  live?.watch([3], [7])
  await vi.waitFor(() =>
    expect(sent).toEqual([
      { t: 'watch', houses: [1, 2], lines: [] },
      { t: 'watch', houses: [3], lines: [7] },
    ]),
  )
})

test('a lost connection is said, made again with another ticket, and watches the same', async () => {
  const first = await opened()
  live?.watch([4], [])
  first.drop()
  const second = await peer(1)
  expect(second.ticket).toBe('t 2&')
  expect(links).toEqual(['connecting', 'open', 'closed', 'connecting', 'open'])
  await vi.waitFor(() => expect(second.sent).toEqual([{ t: 'watch', houses: [4], lines: [] }]))
})

test('a connection on which nothing comes any more is dead, whatever TCP believes', async () => {
  await opened({ silenceMs: 100 })
  await peer(1)
  expect(links.slice(0, 3)).toEqual(['connecting', 'open', 'closed'])
})

test.each(['tickets', 'handshakes'] as const)(
  'on a network that answers no %s it asks anew, and does not wait for ever',
  async (what) => {
    unanswered[what] = 2
    const { ticket } = await opened({ answerMs: 1_000 })
    expect(ticket).toBe(what === 'tickets' ? 't 1&' : 't 3&')
    expect(links).toEqual(['connecting', 'closed', 'connecting', 'closed', 'connecting', 'open'])
  },
)

const asksToBeGreeted = (sent: readonly unknown[]) => sent.filter((each) => (each as { t: string }).t === 'hello').length

test('after a sleep a connection that was silent is asked, one that spoke just now is trusted', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const first = await opened()
  live?.wake()
  first.send([{ t: 'tree' }])
  await vi.waitFor(() => expect(received).toHaveLength(1))
  expect(asksToBeGreeted(first.sent)).toBe(0)
  vi.setSystemTime(Date.now() + 3_600_000)
  live?.wake()
  await vi.waitFor(() => expect(asksToBeGreeted(first.sent)).toBe(1))
  expect(links).toEqual(['connecting', 'open'])
  await peer(1)
  expect(links.slice(0, 4)).toEqual(['connecting', 'open', 'closed', 'connecting'])
})

describe('with the machine’s timers in hand', () => {
  const timers = ['setTimeout', 'clearTimeout', 'Date'] as const
  /** Opened in real time, and from then on nothing happens by itself. */
  async function onFakeTimers(): Promise<Peer> {
    const there = await opened()
    vi.useFakeTimers({ toFake: [...timers] })
    // Heard once more, so that its deadlines are those of the timers in hand.
    there.send([{ t: 'tree' }])
    await receivedCount(1)
    return there
  }
  const receivedCount = async (count: number) => {
    while (received.length < count) await new Promise((again) => setImmediate(again))
  }
  const asked = async (there: Peer, count: number) => {
    while (asksToBeGreeted(there.sent) < count) await new Promise((again) => setImmediate(again))
  }
  afterEach(() => vi.useRealTimers())

  test('two hellos that are missing say that it is dead, within twelve seconds and not while one may still come', async () => {
    await onFakeTimers()
    vi.advanceTimersByTime(2 * helloEveryMs)
    expect(links).toEqual(['connecting', 'open'])
    vi.advanceTimersByTime(12_000 - 2 * helloEveryMs)
    expect(links.slice(0, 3)).toEqual(['connecting', 'open', 'closed'])
  })

  test('one that is doubted and answers stays; one that does not is given up within a second', async () => {
    const there = await onFakeTimers()
    live?.doubt()
    live?.doubt()
    await asked(there, 1)
    there.send([{ t: 'hello', at: 1 }])
    await receivedCount(2)
    vi.advanceTimersByTime(1_000)
    expect(links).toEqual(['connecting', 'open'])
    live?.doubt()
    await asked(there, 2)
    expect(asksToBeGreeted(there.sent)).toBe(2)
    vi.advanceTimersByTime(1_000)
    expect(links.slice(0, 3)).toEqual(['connecting', 'open', 'closed'])
  })

  test('a machine that says it has no network has none at once', async () => {
    await onFakeTimers()
    live?.lose()
    expect(links).toEqual(['connecting', 'open', 'closed'])
    live?.lose()
    live?.doubt()
    expect(links).toEqual(['connecting', 'open', 'closed'])
  })

  test('a page that was frozen asks before it says that the server is away', async () => {
    const there = await onFakeTimers()
    // The timer comes an hour late, before what was waiting to be read.
    vi.setSystemTime(Date.now() + 3_600_000)
    vi.advanceTimersByTime(linkLostAfterMs)
    await asked(there, 1)
    expect(links).toEqual(['connecting', 'open'])
    there.send([{ t: 'hello', at: 1 }])
    await receivedCount(2)
    vi.advanceTimersByTime(1_000)
    expect(links).toEqual(['connecting', 'open'])
  })
})

test('somebody who asks does not wait for the next attempt', async () => {
  refusingTickets = new Refusal('failed')
  live = openLive({
    client: createClient({ baseUrl, session: () => ({ userId: 'u', token: 't' }) }),
    onMessages: () => {},
    onLink: (link) => links.push(link),
  })
  await vi.waitFor(() => expect(links).toEqual(['connecting', 'closed']), { interval: 5 })
  refusingTickets = null
  live.wake()
  expect(links).toEqual(['connecting', 'closed', 'connecting'])
  await peer(0)
})

test('a client that was dropped as too slow comes back', async () => {
  const first = await opened()
  first.end(liveClose.slow)
  await peer(1)
  expect(ended).toBe(0)
})

test('while no ticket is to be had it keeps trying, and says that the link is closed', async () => {
  refusingTickets = new Refusal('failed')
  const there = opened()
  await vi.waitFor(() => expect(links.filter((link) => link === 'closed').length).toBeGreaterThan(1))
  expect(peers).toEqual([])
  refusingTickets = null
  await there
})

test('the end of the session ends it for good', async () => {
  const there = await opened()
  there.end(liveClose.sessionEnded)
  await vi.waitFor(() => expect(ended).toBe(1))
  expect(peers).toHaveLength(1)
  expect(links).toEqual(['connecting', 'open', 'closed'])
})

test('closed by its owner it stays closed', async () => {
  await opened()
  live?.close()
  links = []
  await vi.waitFor(() => expect(peers[0]?.gone).toBe(true))
  await opened()
  expect(links).toEqual(['connecting', 'open'])
})

test('closed before its ticket came it is never opened', async () => {
  void opened().catch(() => {})
  live?.close()
  await vi.waitFor(() => expect(tickets).toBe(1))
  links = []
  await opened()
  expect(peers.map(({ ticket }) => ticket)).toEqual(['t 2&'])
})
