import type { Client } from 'aedes'
import type { Plant } from '../../plant/plant.ts'
import type { ConnectionAttempt } from './attempt-log.ts'
import { Takeovers } from './takeovers.ts'

interface Options {
  readonly plant: Plant
  readonly clock: () => number
  /** Somebody gave a name and a secret, and was let in or not. */
  readonly onAttempt: (attempt: ConnectionAttempt) => void
}

/** The one connection that each gateway has, and those that another one has pushed out. */
export class GatewayConnections {
  readonly #options: Options
  readonly #takeovers: Takeovers
  readonly #connected = new Map<string, Client>()
  readonly #settles = new WeakMap<Client, (admitted: boolean) => void>()
  readonly #admitted = new WeakSet<Client>()
  readonly #takenOver = new WeakSet<Client>()

  constructor(options: Options) {
    this.#options = options
    this.#takeovers = new Takeovers(options.clock)
  }

  of(number: string): Client | undefined {
    return this.#connected.get(number)
  }

  isAdmitted(client: Client): boolean {
    return this.#admitted.has(client)
  }

  isTakenOver(client: Client): boolean {
    return this.#takenOver.has(client)
  }

  /** Somebody connects; `settle` is told once they are let in. */
  came(client: Client, settle: (admitted: boolean) => void): void {
    this.#settles.set(client, settle)
  }

  /** Whoever is there under this number goes: also when it is the same equipment, whose old connection nobody has ended. */
  admit(client: Client, number: string): void {
    this.#admitted.add(client)
    this.#settles.get(client)?.(true)
    this.noteAttempt(client, number, null)
    const before = this.#connected.get(number)
    if (!before || before.closed) return
    this.#takenOver.add(before)
    if (this.#takeovers.note(number)) this.noteAttempt(client, number, 'shared')
  }

  ready(client: Client): void {
    this.#connected.set(client.id, client)
  }

  ended(client: Client): void {
    if (this.#connected.get(client.id) === client) this.#connected.delete(client.id)
  }

  noteAttempt(client: Client, number: string, refused: ConnectionAttempt['refused']): void {
    const { plant, onAttempt } = this.#options
    onAttempt({ number, gateway: plant.gatewayByNumber.get(number) ?? null, refused, address: addressOf(client) })
  }
}

/** Where a connection comes from; an IPv4 address that came by IPv6 as people write it. */
const addressOf = ({ conn }: Client): string =>
  'remoteAddress' in conn && typeof conn.remoteAddress === 'string' ? conn.remoteAddress.replace(/^::ffff:/, '') : ''
