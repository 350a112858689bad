import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
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
import { GatewayConnections } from './gateway-connections.ts'
import type { GatewayEndpoints, GatewayListeners, GatewayPorts } from './gateway-listeners.ts'
import { listenForGateways } from './gateway-listeners.ts'
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

interface Options {
  readonly endpoints: GatewayEndpoints
  readonly hostId: string
  readonly plant: Plant
  readonly secretHash: (number: string) => Promise<string | null>
  readonly clock: () => number
  readonly log: Logger
}

/** The MQTT broker: lets gateways in, and decides of each message whether it may be said and of each subscription whether it may be heard. */
export class Broker {
  readonly #options: Options
  readonly #events: BrokerEvents
  readonly #connections: GatewayConnections
  readonly #mqtt: ConsumingBroker
  #listeners: GatewayListeners | null = null

  constructor(options: Options, events: BrokerEvents) {
    this.#options = options
    this.#events = events
    this.#connections = new GatewayConnections({
      plant: options.plant,
      clock: options.clock,
      onAttempt: (attempt) => events.onAttempt(attempt),
    })
    this.#mqtt = new ConsumingBroker({
      connectTimeout: 10_000,
      // The clients of gateways need few queues; a slow one is cut off after this.
      drainTimeout: 20_000,
      maxTopicLevels: 8,
      preConnect: this.#preConnect,
      authenticate: this.#authenticate,
      authorizePublish: this.#authorizePublish,
      authorizeSubscribe: this.#authorizeSubscribe,
    })
  }

  /** Throws StartRefusal when its port is taken. */
  async listen(): Promise<void> {
    const { clock, endpoints, log } = this.#options
    const mqtt = this.#mqtt
    await mqtt.listen()
    mqtt.on(
      'clientDisconnect',
      guarded(log, 'mqtt', (client: Client) => this.#ended(client)),
    )
    mqtt.on('clientError', (client, error) =>
      log.debug({ gateway: client.id, reason: error.message }, 'a gateway connection ended'),
    )
    mqtt.on('connectionError', (_client, error) =>
      log.debug({ reason: error.message }, 'a connection ended before it was a gateway'),
    )
    mqtt.on('clientReady', (client) => this.#connections.ready(client))
    const limits = new ConnectionLimits(clock)
    this.#listeners = await listenForGateways(endpoints, { limits, log }, (socket, settle) => this.#handle(socket, settle))
    await this.#announce(true)
  }

  /** Of both null until it listens. */
  get ports(): GatewayPorts {
    return this.#listeners?.ports ?? { plain: null, tls: null }
  }

  isConnected(number: string): boolean {
    return this.#connections.of(number) !== undefined
  }

  /** Whether it has a connection that has subscribed to this topic. */
  isListening(number: string, topic: string): boolean {
    return granted(this.#connections.of(number), topic) !== null
  }

  /** Hands a message to the gateway's connection, at most with the QoS it was granted; false when none listens. */
  send(number: string, topic: string, payload: Uint8Array, asked: 0 | 1): boolean {
    const client = this.#connections.of(number)
    const most = granted(client, topic)
    if (!client || client.closed || most === null) return false
    const qos = asked === 1 && most > 0 ? 1 : 0
    client.publish({ cmd: 'publish', topic, payload: Buffer.from(payload), qos, retain: false, dup: false }, () => {})
    return true
  }

  disconnect(number: string): void {
    this.#connections.of(number)?.close()
  }

  async close(): Promise<void> {
    await this.#announce(false)
    await new Promise<void>((resolve) => this.#mqtt.close(resolve))
    await this.#listeners?.close()
  }

  readonly #preConnect: Aedes['preConnect'] = (client, packet, callback) => {
    // The client id is ours to choose: one connection per gateway, and nobody can push another one out by taking its id. Whether
    // there is such a gateway is found out together with its secret, so that an unknown client learns neither.
    packet.clientId = packet.username || randomUUID()
    packet.clean = true
    client.conn.setMaxListeners(0)
    // It is refused in a moment, with a code that not every client shows.
    if ((packet.protocolVersion ?? 4) > 4) this.#connections.noteAttempt(client, packet.username ?? '', 'mqtt5')
    callback(null, true)
  }

  readonly #authenticate: Aedes['authenticate'] = (client, username, password, done) => {
    const number = username ?? ''
    // What is no number of a gateway is nothing to ask the database for.
    if (!gatewayNumber.test(number)) return done(null, false)
    this.#options
      .secretHash(number)
      .then((stored) => {
        const matches = secretMatches(password ?? Buffer.alloc(0), stored)
        if (matches) this.#connections.admit(client, number)
        else this.#connections.noteAttempt(client, number, 'secret')
        done(null, matches)
      })
      .catch((error) => {
        this.#options.log.warn({ err: error }, 'a gateway could not be checked')
        done(Object.assign(new Error('try again'), { returnCode: 3 }), false)
      })
  }

  readonly #authorizePublish: Aedes['authorizePublish'] = (client, packet, callback) => {
    // The will of a connection that another one has pushed out says nothing of the gateway.
    if (client && this.#connections.isTakenOver(client)) return callback(new Error('taken over'))
    const { plant, clock, log } = this.#options
    const gateway = client ? plant.gatewayByNumber.get(client.id) : undefined
    // It may have connected at the very moment it was disabled.
    if (!gateway || gateway.disabled) return callback(new Error('unknown gateway'))
    const refused = whyRefused(gateway, packet)
    if (refused) {
      this.#events.onRefused({ number: gateway.number, topic: packet.topic, payload: bytesOf(packet.payload), ...refused })
      return callback(new Error(refused.detail))
    }
    gateway.lastMessageAt = clock()
    const { topic, dup } = packet
    const payload = bytesOf(packet.payload)
    // Its acknowledgement waits for the commit and needs the packet's number only: the bytes are not to be kept as long.
    packet.payload = nothing
    try {
      this.#events.onArrival({ gateway, topic, payload, redelivered: dup === true, done: callback })
    } catch (error) {
      caught(log, 'mqtt', error, { gateway: gateway.number })
      callback(error instanceof Error ? error : new Error(String(error)))
    }
  }

  readonly #authorizeSubscribe: Aedes['authorizeSubscribe'] = (client, subscription, callback) => {
    const { hostId, log } = this.#options
    const allowed = maySubscribe(client.id, subscription.topic, hostId)
    if (!allowed) log.warn({ gateway: client.id, filter: subscription.topic }, 'a subscription was refused')
    callback(null, allowed ? subscription : null)
  }

  #handle(socket: Socket, settle: (admitted: boolean) => void): void {
    const client = this.#mqtt.handle(socket)
    this.#connections.came(client, settle)
    guardFrames(socket, (bytes) => {
      const detail = `a packet of ${bytes} bytes was announced`
      // Nothing of an unknown client is kept.
      if (this.#connections.isAdmitted(client))
        this.#events.onRefused({ number: client.id, topic: '', payload: new Uint8Array(0), reason: 'too_large', detail })
    })
  }

  #ended(client: Client): void {
    this.#connections.ended(client)
    const gateway = this.#options.plant.gatewayByNumber.get(client.id)
    if (!gateway) return
    if (this.#connections.isTakenOver(client)) this.#events.onTakenOver(gateway)
    else this.#events.onGone(gateway)
  }

  /** Tells gateways whether the server is there, as the STATE of its Sparkplug host. */
  #announce(online: boolean): Promise<void> {
    const { hostId, clock } = this.#options
    return new Promise((resolve) => {
      const payload = Buffer.from(JSON.stringify({ online, timestamp: clock() }))
      const topic = stateTopic(hostId)
      this.#mqtt.publish({ cmd: 'publish', topic, payload, qos: 1, retain: true, dup: false }, () => resolve())
    })
  }
}

/** Why a gateway may not say this; null: it may. */
function whyRefused({ number }: PlantGateway, { retain, topic }: PublishPacket): { reason: string; detail: string } | null {
  if (retain && !topic.includes('/NDEATH/')) return { reason: 'retained', detail: 'retained messages are not taken' }
  if (!mayPublish(number, topic)) return { reason: 'topic', detail: `gateway ${number} may not publish on ${topic}` }
  return null
}

/** The highest QoS that a connection was granted for a topic; null: it has not subscribed to it. */
function granted(client: Client | undefined, topic: string): number | null {
  const { subscriptions = {} } = (client ?? {}) as { subscriptions?: Readonly<Record<string, { readonly qos?: number }>> }
  const own = Object.entries(subscriptions).filter(([filter]) => listensTo(filter, topic))
  return own.length === 0 ? null : Math.max(...own.map(([, { qos }]) => qos ?? 0))
}

const nothing = Buffer.alloc(0)

const bytesOf = (payload: string | Buffer): Buffer => (typeof payload === 'string' ? Buffer.from(payload) : payload)
