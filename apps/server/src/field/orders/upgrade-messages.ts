import type { Logger } from 'pino'
import { caught } from '../../lib/faults.ts'
import type { Arrival } from '../broker/broker.ts'
import type { QuarantineBook } from '../commit/quarantine-book.ts'
import type { Counters } from '../intake/counters.ts'
import type { UpgradeMessage } from './upgrade-message.ts'
import { readUpgradeMessage } from './upgrade-message.ts'

interface Options {
  readonly counters: Counters
  readonly quarantine: QuarantineBook
  readonly clock: () => number
  readonly log: Logger
}

/** What gateways say about their upgrades, for whoever listens to it. */
export class UpgradeMessages {
  readonly #options: Options
  readonly #listeners = new Set<(message: UpgradeMessage) => void>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Until the returned function is called. */
  subscribe(listener: (message: UpgradeMessage) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** It says what a gateway wants or does, and is asked for again if it gets lost: it waits for no commit. */
  take({ gateway, topic, payload, done }: Arrival): void {
    const { counters, quarantine, clock, log } = this.#options
    counters.messages += 1
    const message = readUpgradeMessage(gateway, payload, clock())
    if (typeof message === 'string') {
      counters.quarantined += 1
      const kept = quarantine.add({ number: gateway.number, topic, reason: 'json', detail: message, payload, at: clock() })
      kept.then(() => done()).catch((error) => caught(log, 'mqtt', error))
      return
    }
    for (const listener of this.#listeners) listener(message)
    done()
  }
}
