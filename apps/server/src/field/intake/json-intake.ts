import type { Arrival } from '../broker/broker.ts'
import type { NamedValue } from './birth.ts'
import type { Births } from './births.ts'
import type { JsonMessage } from './json.ts'
import { readJsonMessage } from './json.ts'
import type { MessageTaker } from './message-taker.ts'
import type { Presence } from './presence.ts'
import type { GatewaySession } from './session.ts'
import { beginBirth } from './session.ts'

/** What gateways say in JSON, by themselves or through the platform that pushes for them. */
export class JsonIntake {
  readonly #taker: MessageTaker
  readonly #presence: Presence
  readonly #births: Births
  readonly #clock: () => number

  constructor(taker: MessageTaker, presence: Presence, births: Births, clock: () => number) {
    this.#taker = taker
    this.#presence = presence
    this.#births = births
    this.#clock = clock
  }

  /** Reads a message and takes it. Null when it is done; a promise while devices are registered. */
  read(session: GatewaySession, arrival: Arrival, kind: string): Promise<void> | null {
    const now = this.#clock()
    const message = readJsonMessage(kind, arrival.payload, now)
    if (message.kind === 'refused') {
      this.#taker.quarantine(arrival, message.reason, message.detail)
      this.#presence.missed(session.gateway)
      return null
    }
    return this.take(session, arrival, message, now)
  }

  /** Takes what was read before. */
  take(session: GatewaySession, arrival: Arrival, message: JsonMessage, now: number): Promise<void> | null {
    session.json = true
    session.pushed = arrival.read !== undefined
    if (message.kind === 'death') {
      if (session.edge.born) {
        session.edge.end()
        this.#presence.offline(session.gateway, 'death')
      }
      return null
    }
    if (message.kind === 'birth') {
      session.edge.birth(0, null)
      beginBirth(session, null)
      this.#births.gateway(session, arrival, message.values, { bdSeq: null, restarted: true, now })
      return message.devices.reduce<Promise<void> | null>((before, device) => {
        const next = () => {
          // The batch of the device before may be committed by now.
          this.#taker.begin()
          return this.#births.device(session, arrival, device.wireId, device.values)
        }
        return before ? before.then(() => next() ?? undefined) : next()
      }, null)
    }
    if (message.kind === 'own') {
      this.#ownData(session, arrival, message.values, now)
      return null
    }
    const device = session.gateway.devices.get(message.wireId)
    if (!device) {
      this.#taker.quarantine(
        arrival,
        'not_born',
        `device ${message.wireId} has not been born on this gateway: publish its birth first`,
      )
      return null
    }
    // Names need no session: a device that was born once may report from any later connection, and that brings its gateway back.
    if (!session.edge.born) session.edge.birth(0, null)
    if (session.gateway.link !== 'online') this.#presence.online(session.gateway, now, null, null)
    session.edge.deviceBorn(message.wireId)
    if (!message.values.every(({ historical }) => historical)) this.#presence.reported(device, now)
    this.#taker.putNamed(session, arrival, device, message.values, false)
    return null
  }

  /** What a JSON gateway says of itself between births. */
  #ownData(session: GatewaySession, arrival: Arrival, values: readonly NamedValue[], now: number): void {
    const { gateway } = session
    if (!session.edge.born && gateway.link === 'never') {
      this.#taker.quarantine(arrival, 'not_born', 'the gateway has not been born: publish its birth first')
      return
    }
    if (!session.edge.born) session.edge.birth(0, null)
    if (gateway.link !== 'online') this.#presence.online(gateway, now, null, null)
    for (const each of values) this.#taker.ingestSignal(arrival, each.value, { ...each, receivedAt: now })
  }
}
