import type { Server, Socket } from 'node:net'
import { createServer } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import type { Logger } from 'pino'
import { caught } from '../../lib/faults.ts'
import { StartRefusal } from '../../lib/start-refusal.ts'
import type { Certificate } from '../../tls/certificate.ts'
import type { ConnectionLimits } from './connection-limits.ts'

/** Told once whether the connection was let in. */
type Settle = (admitted: boolean) => void

/** Where gateways are listened to. Of either port null: not at all. */
export interface GatewayEndpoints {
  readonly host: string
  readonly plainPort: number | null
  readonly tlsPort: number | null
  /** Of the port with TLS. */
  readonly certificate: Certificate | null
}

/** Where it is listened; null: not at all. */
export interface GatewayPorts {
  readonly plain: number | null
  readonly tls: number | null
}

export interface GatewayListeners {
  readonly ports: GatewayPorts
  close(): Promise<void>
}

const handshakeMs = 10_000

/** Listens for gateways, with and without TLS. An unknown connection costs a count before a byte is read, and before a handshake. Throws StartRefusal. */
export async function listenForGateways(
  { host, plainPort, tlsPort, certificate }: GatewayEndpoints,
  { limits, log }: { limits: ConnectionLimits; log: Logger },
  take: (socket: Socket, settle: Settle) => void,
): Promise<GatewayListeners> {
  const sockets = new Set<Socket>()
  const counted = (then: (socket: Socket, settle: Settle) => void) =>
    createServer((socket) => {
      const settle = limits.enter(socket.remoteAddress ?? '')
      if (!settle) {
        socket.on('error', () => {}).destroy()
        return
      }
      sockets.add(socket)
      socket.once('close', () => {
        sockets.delete(socket)
        settle(false)
      })
      socket.setNoDelay(true)
      then(socket, settle)
    })
  const servers: Server[] = []
  const open = async (server: Server, port: number, setting: string) => {
    servers.push(server)
    await listen(server, host, port, setting)
    server.on('error', (error) => caught(log, 'mqtt', error))
    const address = server.address()
    return typeof address === 'object' && address ? address.port : port
  }
  const plain = plainPort === null ? null : await open(counted(take), plainPort, 'LINEWARDEN_MQTT_PORT')
  const tls =
    tlsPort === null || certificate === null
      ? null
      : await open(counted(afterHandshake(certificate, log, take)), tlsPort, 'LINEWARDEN_MQTTS_PORT')
  return {
    ports: { plain, tls },
    async close() {
      const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())))
      for (const socket of sockets) socket.destroy()
      await Promise.all(closed)
    },
  }
}

/** Lets a counted connection shake hands, and hands on what it then is. */
function afterHandshake(certificate: Certificate, log: Logger, take: (socket: Socket, settle: Settle) => void) {
  const server = createTlsServer({ ...certificate.options, handshakeTimeout: handshakeMs })
  certificate.renewing(server)
  const waiting = new Map<string, Settle>()
  const nameOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
  server.on('secureConnection', (socket: TLSSocket) => {
    const settle = waiting.get(nameOf(socket))
    if (settle) take(socket, settle)
    else socket.destroy()
  })
  server.on('tlsClientError', (error, socket) => {
    log.debug({ reason: error.message }, 'a handshake of TLS failed')
    socket.destroy()
  })
  return (socket: Socket, settle: Settle) => {
    const name = nameOf(socket)
    waiting.set(name, settle)
    socket.once('close', () => waiting.delete(name))
    socket.on('error', () => {})
    server.emit('connection', socket)
  }
}

function listen(server: Server, host: string, port: number, setting: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new StartRefusal('mqtt_port_in_use', {
              en: `MQTT port ${port} is in use. Stop the other program, or set ${setting} to another port.`,
              zh: `MQTT 端口 ${port} 已被占用。请停止占用它的程序，或用 ${setting} 指定其他端口。`,
            })
          : error,
      )
    })
    server.listen(port, host, () => {
      server.removeAllListeners('error')
      resolve()
    })
  })
}
