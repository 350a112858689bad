import { gatewayNumber } from '@linewarden/contract'
import type { Logger } from 'pino'
import { Mutex } from '../../lib/serial.ts'
import type { PlantGateway } from '../../plant/plant.ts'
import type { AuditEntry } from '../../store/audit/append.ts'
import type { Database } from '../../store/core/database.ts'
import type { UnknownGateway } from '../../store/site/announced.ts'
import { dismissUnknownGateway, readUnknownGateways, writeUnknownGateways } from '../../store/site/announced.ts'

/** One attempt to connect to the broker, and whether it was accepted. */
export interface ConnectionAttempt {
  readonly number: string
  /** Null: nobody has added this number. */
  readonly gateway: PlantGateway | null
  /** Why it was turned away; null: it was let in. `shared`: it was let in, as one of two that push each other out. */
  readonly refused: 'secret' | 'mqtt5' | 'shared' | null
  readonly address: string
}

export interface Refusal {
  readonly reason: 'disabled' | 'secret' | 'mqtt5' | 'shared'
  readonly at: number
  readonly address: string
}

/** So many unknown gateways are kept; of more, the one that has been quiet the longest is dropped. */
export const maxUnknownGateways = 500
const maxTries = 2_000_000_000
/** Of two that share a number it is known for so long after they last pushed each other out; the log says the same again after as long. */
const logAgainMs = 600_000

/**
 * Refused connection attempts: numbers that nobody has added yet, so that they can be claimed, and why a known gateway was refused last.
 * What they gave as a password is never kept.
 */
export class AttemptLog {
  readonly #database: Database
  readonly #clock: () => number
  readonly #log: Logger
  /** In the order of their last try. */
  readonly #unknownGateways: Map<string, UnknownGateway>
  readonly #changed = new Set<string>()
  /** Of known gateways until they are accepted again; it begins anew with the server, and they try anew. */
  readonly #refusals = new WeakMap<PlantGateway, Refusal>()
  /** Unknown gateways that tried MQTT 5 last. */
  readonly #mqtt5 = new Set<string>()
  #dropped = false
  readonly #writing = new Mutex()

  private constructor(
    options: { database: Database; clock: () => number; log: Logger },
    unknownGateways: readonly UnknownGateway[],
  ) {
    this.#database = options.database
    this.#clock = options.clock
    this.#log = options.log
    this.#unknownGateways = new Map(unknownGateways.map((each) => [each.number, each]))
  }

  static async open(options: { database: Database; clock: () => number; log: Logger }): Promise<AttemptLog> {
    return new AttemptLog(options, await readUnknownGateways(options.database))
  }

  note({ number, gateway, refused, address }: ConnectionAttempt): void {
    const at = this.#clock()
    if (!gateway) this.#meet(number, address, at, refused === 'mqtt5')
    else if (refused === null) {
      if (!this.#isShared(gateway, at)) this.#refusals.delete(gateway)
    } else {
      const reason = gateway.disabled ? 'disabled' : refused
      const before = this.#refusals.get(gateway)
      if (before?.reason !== reason || at - before.at > logAgainMs)
        this.#log.warn({ gateway: number, reason, address }, 'a gateway cannot connect as it should')
      this.#refusals.set(gateway, { reason, at, address })
    }
  }

  /** Why a known gateway was refused the last time; null: it was let in since. Of two under one number: for a while after the last time. */
  refusalOf(gateway: PlantGateway): Refusal | null {
    const last = this.#refusals.get(gateway)
    return last && (last.reason !== 'shared' || this.#isShared(gateway, this.#clock())) ? last : null
  }

  /** Whether such a number tried last with a version of MQTT that is not taken. */
  speaksMqtt5(number: string): boolean {
    return this.#mqtt5.has(number)
  }

  #isShared(gateway: PlantGateway, now: number): boolean {
    const last = this.#refusals.get(gateway)
    return last?.reason === 'shared' && now - last.at < logAgainMs
  }

  /** Who waits to be claimed, whoever tried last at the front. */
  unknownGateways(): UnknownGateway[] {
    return [...this.#unknownGateways.values()].filter(({ dismissed }) => !dismissed).reverse()
  }

  /** Somebody has added it. */
  forget(number: string): void {
    if (this.#unknownGateways.delete(number)) this.#dropped = true
    this.#changed.delete(number)
    this.#mqtt5.delete(number)
  }

  /**
   * Somebody has looked at it and does not want to see it again. It stays in the book, so that its next try does not bring it back. Written at
   * once, with its entry in the log. False when there is no such number to be seen.
   */
  dismiss(number: string, audit: AuditEntry): Promise<boolean> {
    return this.#writing.run(async () => {
      const found = this.#unknownGateways.get(number)
      if (!found || found.dismissed) return false
      await dismissUnknownGateway(this.#database, found, audit)
      // It may have come again meanwhile, or somebody has added it.
      const now = this.#unknownGateways.get(number)
      if (now) this.#unknownGateways.set(number, { ...now, dismissed: true })
      return true
    })
  }

  /** Writes down what is new, all at once: it is for a timer to call, however many attempts there are. What cannot be written is tried again the next time. */
  write(): Promise<void> {
    return this.#writing.run(async () => {
      const changed = [...this.#changed].flatMap((number) => this.#unknownGateways.get(number) ?? [])
      if (changed.length === 0 && !this.#dropped) return
      this.#changed.clear()
      this.#dropped = false
      try {
        await writeUnknownGateways(this.#database, changed, [...this.#unknownGateways.keys()])
      } catch (error) {
        for (const { number } of changed) this.#changed.add(number)
        this.#dropped = true
        this.#log.warn({ err: error }, 'unknown gateways could not be written down; it will be tried again')
      }
    })
  }

  #meet(number: string, address: string, at: number, mqtt5: boolean): void {
    // Whatever is no number of a gateway can never be claimed.
    if (!gatewayNumber.test(number)) return
    const before = this.#unknownGateways.get(number)
    this.#unknownGateways.delete(number)
    this.#unknownGateways.set(number, {
      number,
      firstAt: before?.firstAt ?? at,
      lastAt: at,
      tries: Math.min(maxTries, (before?.tries ?? 0) + 1),
      address: address.slice(0, 64),
      dismissed: before?.dismissed ?? false,
    })
    this.#changed.add(number)
    if (mqtt5) this.#mqtt5.add(number)
    else this.#mqtt5.delete(number)
    if (this.#unknownGateways.size <= maxUnknownGateways) return
    const [oldest] = this.#unknownGateways.keys()
    if (oldest !== undefined) this.forget(oldest)
  }
}
