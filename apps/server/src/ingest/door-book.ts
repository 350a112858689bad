import { gatewayNumber } from '@linewarden/contract'
import type { Logger } from 'pino'
import type { PlantGateway } from '../live/plant.ts'
import type { Stranger } from '../store/announced.ts'
import { dismissStranger, readStrangers, writeStrangers } from '../store/announced.ts'
import type { AuditEntry } from '../store/audit.ts'
import type { Database } from '../store/database.ts'

/** Somebody at the broker's door, and whether it was let in. */
export interface Knock {
  readonly number: string
  /** Null: nobody has added this number. */
  readonly gateway: PlantGateway | null
  readonly admitted: boolean
  readonly address: string
}

export interface Refusal {
  readonly reason: 'disabled' | 'secret'
  readonly at: number
  readonly address: string
}

/** So many strangers are kept; of more, whoever has been quiet the longest is dropped. */
export const mostStrangers = 500
const mostTries = 2_000_000_000
/** Whether it went well is told to whoever asked for it; the next in the line only waits. */
const noted = (): void => {}

/**
 * Who was turned away at the door: numbers that nobody has added yet, so that they can be claimed, and why a known gateway was refused last.
 * What they gave as a password is never kept.
 */
export class DoorBook {
  readonly #database: Database
  readonly #clock: () => number
  readonly #log: Logger
  /** In the order of their last try. */
  readonly #strangers: Map<string, Stranger>
  readonly #changed = new Set<string>()
  /** Of known gateways until they are let in again; it begins anew with the server, and they knock anew. */
  readonly #refusals = new WeakMap<PlantGateway, Refusal>()
  #dropped = false
  #writing: Promise<void> = Promise.resolve()

  private constructor(options: { database: Database; clock: () => number; log: Logger }, strangers: readonly Stranger[]) {
    this.#database = options.database
    this.#clock = options.clock
    this.#log = options.log
    this.#strangers = new Map(strangers.map((each) => [each.number, each]))
  }

  static async open(options: { database: Database; clock: () => number; log: Logger }): Promise<DoorBook> {
    return new DoorBook(options, await readStrangers(options.database))
  }

  note({ number, gateway, admitted, address }: Knock): void {
    const at = this.#clock()
    if (!gateway) this.#meet(number, address, at)
    else if (admitted) this.#refusals.delete(gateway)
    else this.#refusals.set(gateway, { reason: gateway.disabled ? 'disabled' : 'secret', at, address })
  }

  /** Why a known gateway was refused the last time; null: it was let in since. */
  refusalOf(gateway: PlantGateway): Refusal | null {
    return this.#refusals.get(gateway) ?? null
  }

  /** Who waits to be claimed, whoever tried last at the front. */
  strangers(): Stranger[] {
    return [...this.#strangers.values()].filter(({ dismissed }) => !dismissed).reverse()
  }

  /** Somebody has added it. */
  forget(number: string): void {
    if (this.#strangers.delete(number)) this.#dropped = true
    this.#changed.delete(number)
  }

  /**
   * Somebody has looked at it and does not want to see it again. It stays in the book, so that its next try does not bring it back. Written at
   * once, with its entry in the log. False when there is no such number to be seen.
   */
  dismiss(number: string, audit: AuditEntry): Promise<boolean> {
    const dismissed = this.#writing.then(async () => {
      const found = this.#strangers.get(number)
      if (!found || found.dismissed) return false
      await dismissStranger(this.#database, found, audit)
      // It may have come again meanwhile, or somebody has added it.
      const now = this.#strangers.get(number)
      if (now) this.#strangers.set(number, { ...now, dismissed: true })
      return true
    })
    this.#writing = dismissed.then(noted, noted)
    return dismissed
  }

  /** Writes down what is new, all at once: it is for a timer to call, however many knock. What cannot be written is tried again the next time. */
  write(): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      const changed = [...this.#changed].flatMap((number) => this.#strangers.get(number) ?? [])
      if (changed.length === 0 && !this.#dropped) return
      this.#changed.clear()
      this.#dropped = false
      try {
        await writeStrangers(this.#database, changed, [...this.#strangers.keys()])
      } catch (error) {
        for (const { number } of changed) this.#changed.add(number)
        this.#dropped = true
        this.#log.warn({ err: error }, 'unknown gateways could not be written down; it will be tried again')
      }
    })
    return this.#writing
  }

  #meet(number: string, address: string, at: number): void {
    // Whatever is no number of a gateway can never be claimed.
    if (!gatewayNumber.test(number)) return
    const before = this.#strangers.get(number)
    this.#strangers.delete(number)
    this.#strangers.set(number, {
      number,
      firstAt: before?.firstAt ?? at,
      lastAt: at,
      tries: Math.min(mostTries, (before?.tries ?? 0) + 1),
      address: address.slice(0, 64),
      dismissed: before?.dismissed ?? false,
    })
    this.#changed.add(number)
    if (this.#strangers.size <= mostStrangers) return
    const [oldest] = this.#strangers.keys()
    if (oldest !== undefined) this.forget(oldest)
  }
}
