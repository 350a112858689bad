import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { MessageKey } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { networkOf } from '@linewarden/rules/account'
import type { Certificate } from '../tls/certificate.ts'

/** How long anything on an HTTP connection may take, ms. */
export interface ConnectionTimes {
  /** Until the head of a request is there. */
  readonly headMs: number
  /** Until all of it is there. */
  readonly requestMs: number
  /** Without a byte in either direction: whoever does not read an answer is not waited for. */
  readonly silentMs: number
  readonly lookEveryMs: number
}

const usual: ConnectionTimes = { headMs: 20_000, requestMs: 60_000, silentMs: 120_000, lookEveryMs: 5_000 }

/** What fastify is told about connections. */
export const connectionOptions = ({ headMs, requestMs, silentMs, lookEveryMs }: ConnectionTimes = usual) => ({
  requestTimeout: requestMs,
  connectionTimeout: silentMs,
  http: { headersTimeout: headMs, connectionsCheckingInterval: lookEveryMs },
  clientErrorHandler: answerBroken,
})

/** The same for HTTPS, of which fastify takes everything in one place. */
export const tlsConnectionOptions = ({ options }: Certificate, { headMs, lookEveryMs }: ConnectionTimes = usual) => ({
  ...options,
  headersTimeout: headMs,
  connectionsCheckingInterval: lookEveryMs,
  handshakeTimeout: headMs,
})

/** What was no request, or never became one, is answered in words too. */
export function answerBroken(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  // Nothing can be said to whoever does not finish a handshake, or has ended in the middle of a request: thousands at once do.
  if (/^ERR_(SSL|TLS)_/.test(error.code ?? '') || error.code === 'HPE_INVALID_EOF_STATE') {
    socket.destroy()
    return
  }
  if (socket.writable) socket.write(answers[error.code ?? ''] ?? malformed)
  socket.destroySoon()
}

/** As it is written; made once, for a flood has as many of them as it opens connections. */
function answerOf(status: string, key: MessageKey): string {
  const body = JSON.stringify(new Refusal(key).envelope())
  const head = [
    `HTTP/1.1 ${status}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
const malformed = answerOf('400 Bad Request', 'request malformed')
const answers: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: answerOf('408 Request Timeout', 'request too slow'),
  HPE_HEADER_OVERFLOW: answerOf('431 Request Header Fields Too Large', 'body too large'),
}

/** No network holds more than so many connections at once; a proxy that is believed speaks for many. */
export function limitConnections(server: Server, most: number, isProxy: (address: string) => boolean): void {
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    if (isProxy(address)) return
    const network = networkOf(address)
    const before = open.get(network) ?? 0
    if (before >= most) {
      socket.destroy()
      return
    }
    open.set(network, before + 1)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left === 0) open.delete(network)
      else open.set(network, left)
    })
  })
}
