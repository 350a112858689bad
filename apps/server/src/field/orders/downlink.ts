import type { Reach } from '@linewarden/rules/control'
import type { PlantDevice, PlantGateway } from '../../plant/plant.ts'
import type { Broker } from '../broker/broker.ts'
import { firmwareTopic, refusedTopic } from '../broker/topic-rights.ts'
import type { GatewaySession } from '../intake/session.ts'
import { commandMessage, intervalMessage, orderTopic, rebirthMessage } from './command-wire.ts'
import type { IntervalCommand, OutgoingCommand } from './outgoing.ts'

/** What goes out to gateways, each over its present connection, at once and only once. Nothing is queued. */
export class Downlink {
  readonly #broker: Broker
  readonly #sessionOf: (gateway: PlantGateway) => GatewaySession

  constructor(broker: Broker, sessionOf: (gateway: PlantGateway) => GatewaySession) {
    this.#broker = broker
    this.#sessionOf = sessionOf
  }

  /** Whether an order gets to the device now, or to the gateway itself: connected, born in its present session, and not silent. */
  reach(gateway: PlantGateway, device: PlantDevice | null): Reach {
    const session = this.#sessionOf(gateway)
    const { edge, pushed } = session
    if (pushed) return 'push_only'
    const topic = orderTopic(session, device?.wireId ?? null)
    if (!this.#broker.isConnected(gateway.number)) return 'not_connected'
    if (!edge.born) return 'not_born'
    if (!this.#broker.isListening(gateway.number, topic)) return 'not_listening'
    if (device === null) return 'yes'
    if (!edge.knows(device.wireId)) return 'device_gone'
    return device.link === 'stale' ? 'device_silent' : 'yes'
  }

  command(command: OutgoingCommand): 'sent' | 'no_session' {
    const session = this.#sessionOf(command.gateway)
    if (!session.edge.born || !session.edge.knows(command.wireId)) return 'no_session'
    return this.#send(session, commandMessage(session, command)) ? 'sent' : 'no_session'
  }

  /** An order to the gateway itself. */
  interval(command: IntervalCommand): 'sent' | 'no_session' {
    const session = this.#sessionOf(command.gateway)
    if (!session.edge.born) return 'no_session'
    return this.#send(session, intervalMessage(session, command)) ? 'sent' : 'no_session'
  }

  /** False when nobody listens for it. */
  firmware({ number }: PlantGateway, kind: string, payload: Uint8Array): boolean {
    return this.#broker.send(number, firmwareTopic(number, kind), payload, 1)
  }

  /** Asks a gateway to be born again. */
  rebirth(session: GatewaySession, now: number): void {
    if (session.group !== null) this.#send(session, rebirthMessage(session, now))
  }

  /** Says to the equipment itself why something of it was not taken, where it listens for that. */
  refused(number: string, refusal: { readonly topic: string; readonly reason: string; readonly detail: string }): void {
    this.#broker.send(number, refusedTopic(number), Buffer.from(JSON.stringify(refusal)), 0)
  }

  #send({ gateway }: GatewaySession, { topic, payload, qos }: ReturnType<typeof commandMessage>): boolean {
    return this.#broker.send(gateway.number, topic, payload, qos)
  }
}
