import { randomUUID } from 'node:crypto'
import { gatewayNumber } from '@linewarden/contract'
import { stateTopic } from '@linewarden/sparkplug'
import { Aedes, type Client, type PublishPacket } from 'aedes'
import type { Logger } from 'pino'
import { caught, guarded } from '../../lib/faults.ts'
import type { Plant, PlantGateway } from '../../plant/plant.ts'
import { secretMatches } from '../../store/site/gateway-secret.ts'
import type { JsonMessage } from '../intake/json.ts'
import type { ConnectionAttempt } from './attempt-log.ts'
import { ConnectionLimits } from './connection-limits.ts'
import { guardFrames } from './frame-guard.ts'
import type { GatewayEndpoints, GatewayPorts } from './gateway-listeners.ts'
import { listenForGateways } from './gateway-listeners.ts'
import { Takeovers } from './takeovers.ts'
import { listensTo, mayPublish, maySubscribe } from './topic-rights.ts'

/** One message from a gateway. `done()` acknowledges it; `done(error)` closes the connection, and the gateway sends again. */
export interface Arrival {
  readonly gateway: PlantGateway
  readonly topic: string
  readonly payload: Buffer
  readonly redelivered: boolean
  /** What it says, where that was read before: a platform pushed it. */
  readonly read?: JsonMessage
  readonly done: (error?: Error) => void
}

export interface BrokerEvents {
  onArrival(arrival: Arrival): void
  /** The gateway's connection is gone; its will, if it had one, has come before. */
  onGone(gateway: PlantGateway): void
  /** Another connection of the same number has pushed it out, and is there in its place. */
  onTakenOver(gateway: PlantGateway): void
  /** Somebody gave a name and a secret, and was let in or not. */
  onAttempt(noteAttempt: ConnectionAttempt): void
  /** A message that was refused before ingest. */
  onRefused(refused: { number: string | null; topic: string; payload: Uint8Array; reason: string; detail: string }): void
}

export interface Broker {
  readonly ports: GatewayPorts
  isConnected(number: string): boolean
  /** Whether it has a connection that has subscribed to this topic. */
  isListening(number: string, topic: string): boolean
  /** Hands a message to the gateway's connection, at most with the QoS it was granted; false when none listens. */
  send(number: string, topic: string, payload: Uint8Array, qos: 0 | 1): boolean
  disconnect(number: string): void
  close(): Promise<void>
}

/**
 * What a gateway publishes is consumed here and forwarded to nobody: handing it on to other clients costs several times the price of taking
 * it, and no client may listen to a gateway anyway.
 */
class ConsumingBroker extends Aedes {
  override publish(packet: PublishPacket, ...rest: [Client, (error?: Error) => void] | [(error?: Error) => void]): void {
    const [first, second] = rest
    if (typeof first === 'function' || !first) super.publish(packet, first as (error?: Error) => void)
    else second?.()
  }
}

/** Starts the MQTT broker. Throws StartRefusal when its port is taken. */
export async function startBroker(
  options: {
    endpoints: GatewayEndpoints
    hostId: string
    plant: Plant
    secretHash: (number: string) => Promise<string | null>
    clock: () => number
    log: Logger
  },
  events: BrokerEvents,
): Promise<Broker> {
  const { endpoints, hostId, plant, secretHash, clock, log } = options
  const limits = new ConnectionLimits(clock)
  const takeovers = new Takeovers(clock)
  const connected = new Map<string, Client>()
  const admissions = new WeakMap<Client, (admitted: boolean) => void>()
  const admitted = new WeakSet<Client>()
  const takenOver = new WeakSet<Client>()
  const noteAttempt = (client: Client, number: string, refused: ConnectionAttempt['refused']) =>
    events.onAttempt({ number, gateway: plant.gatewayByNumber.get(number) ?? null, refused, address: addressOf(client) })

  /** Whoever is there under this number goes: also when it is the same equipment, whose old connection nobody has ended. */
  function admit(client: Client, number: string): void {
    admitted.add(client)
    admissions.get(client)?.(true)
    noteAttempt(client, number, null)
    const before = connected.get(number)
    if (!before || before.closed) return
    takenOver.add(before)
    if (takeovers.note(number)) noteAttempt(client, number, 'shared')
  }

  const broker = new ConsumingBroker({
    connectTimeout: 10_000,
    // The clients of gateways need few queues; a slow one is cut off after this.
    drainTimeout: 20_000,
    maxTopicLevels: 8,
    preConnect(client, packet, callback) {
      // The client id is ours to choose: one connection per gateway, and nobody can push another one out by taking its id. Whether
      // there is such a gateway is found out together with its secret, so that an unknown client learns neither.
      packet.clientId = packet.username || randomUUID()
      packet.clean = true
      client.conn.setMaxListeners(0)
      // It is refused in a moment, with a code that not every client shows.
      if ((packet.protocolVersion ?? 4) > 4) noteAttempt(client, packet.username ?? '', 'mqtt5')
      callback(null, true)
    },
    authenticate(client, username, password, done) {
      const number = username ?? ''
      // What is no number of a gateway is nothing to ask the database for.
      if (!gatewayNumber.test(number)) return done(null, false)
      secretHash(number)
        .then((stored) => {
          const matches = secretMatches(password ?? Buffer.alloc(0), stored)
          if (matches) admit(client, number)
          else noteAttempt(client, number, 'secret')
          done(null, matches)
        })
        .catch((error) => {
          log.warn({ err: error }, 'a gateway could not be checked')
          done(Object.assign(new Error('try again'), { returnCode: 3 }), false)
        })
    },
    authorizePublish(client, packet, callback) {
      // The will of a connection that another one has pushed out says nothing of the gateway.
      if (client && takenOver.has(client)) return callback(new Error('taken over'))
      const gateway = client ? plant.gatewayByNumber.get(client.id) : undefined
      const refuse = (reason: string, detail: string) => {
        events.onRefused({ number: client?.id ?? null, topic: packet.topic, payload: bytesOf(packet.payload), reason, detail })
        callback(new Error(detail))
      }
      // It may have connected at the very moment it was disabled.
      if (!gateway || gateway.disabled) return callback(new Error('unknown gateway'))
      if (packet.retain && !packet.topic.includes('/NDEATH/')) return refuse('retained', 'retained messages are not taken')
      if (!mayPublish(gateway.number, packet.topic))
        return refuse('topic', `gateway ${gateway.number} may not publish on ${packet.topic}`)
      gateway.lastMessageAt = clock()
      const { topic, dup } = packet
      const payload = bytesOf(packet.payload)
      // Its acknowledgement waits for the commit and needs the packet's number only: the bytes are not to be kept as long.
      packet.payload = nothing
      try {
        events.onArrival({ gateway, topic, payload, redelivered: dup === true, done: callback })
      } catch (error) {
        caught(log, 'mqtt', error, { gateway: gateway.number })
        callback(error instanceof Error ? error : new Error(String(error)))
      }
    },
    authorizeSubscribe(client, subscription, callback) {
      const allowed = maySubscribe(client.id, subscription.topic, hostId)
      if (!allowed) log.warn({ gateway: client.id, filter: subscription.topic }, 'a subscription was refused')
      callback(null, allowed ? subscription : null)
    },
  })
  await broker.listen()
  const onEnd = (client: Client) => {
    if (connected.get(client.id) === client) connected.delete(client.id)
    const gateway = plant.gatewayByNumber.get(client.id)
    if (!gateway) return
    if (takenOver.has(client)) events.onTakenOver(gateway)
    else events.onGone(gateway)
  }
  broker.on('clientDisconnect', guarded(log, 'mqtt', onEnd))
  broker.on('clientError', (client, error) =>
    log.debug({ gateway: client.id, reason: error.message }, 'a gateway connection ended'),
  )
  broker.on('connectionError', (_client, error) =>
    log.debug({ reason: error.message }, 'a connection ended before it was a gateway'),
  )

  broker.on('clientReady', (client) => connected.set(client.id, client))

  const listeners = await listenForGateways(endpoints, { limits, log }, (socket, settle) => {
    const client = broker.handle(socket)
    admissions.set(client, settle)
    guardFrames(socket, (bytes) => {
      const detail = `a packet of ${bytes} bytes was announced`
      // Nothing of an unknown client is kept.
      if (admitted.has(client))
        events.onRefused({ number: client.id, topic: '', payload: new Uint8Array(0), reason: 'too_large', detail })
    })
  })
  const announce = (online: boolean) =>
    new Promise<void>((resolve) => {
      const payload = Buffer.from(JSON.stringify({ online, timestamp: clock() }))
      broker.publish({ cmd: 'publish', topic: stateTopic(hostId), payload, qos: 1, retain: true, dup: false }, () => resolve())
    })
  await announce(true)

  return {
    ports: listeners.ports,
    isConnected: (number) => connected.has(number),
    isListening: (number, topic) => granted(connected.get(number), topic) !== null,
    send(number, topic, payload, asked) {
      const client = connected.get(number)
      const most = granted(client, topic)
      if (!client || client.closed || most === null) return false
      const qos = asked === 1 && most > 0 ? 1 : 0
      client.publish({ cmd: 'publish', topic, payload: Buffer.from(payload), qos, retain: false, dup: false }, () => {})
      return true
    },
    disconnect: (number) => connected.get(number)?.close(),
    async close() {
      await announce(false)
      await new Promise<void>((resolve) => broker.close(resolve))
      await listeners.close()
    },
  }
}

/** The highest QoS that a connection was granted for a topic; null: it has not subscribed to it. */
function granted(client: Client | undefined, topic: string): number | null {
  const { subscriptions = {} } = (client ?? {}) as { subscriptions?: Readonly<Record<string, { readonly qos?: number }>> }
  const own = Object.entries(subscriptions).filter(([filter]) => listensTo(filter, topic))
  return own.length === 0 ? null : Math.max(...own.map(([, { qos }]) => qos ?? 0))
}

/** Where a connection comes from; an IPv4 address that came by IPv6 as people write it. */
const addressOf = ({ conn }: Client): string =>
  'remoteAddress' in conn && typeof conn.remoteAddress === 'string' ? conn.remoteAddress.replace(/^::ffff:/, '') : ''

const nothing = Buffer.alloc(0)

const bytesOf = (payload: string | Buffer): Buffer => (typeof payload === 'string' ? Buffer.from(payload) : payload)
