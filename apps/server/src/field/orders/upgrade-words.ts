import type { Logger } from 'pino'
import { caught } from '../../lib/faults.ts'
import type { Arrival } from '../broker/broker.ts'
import type { QuarantineBook } from '../commit/quarantine-book.ts'
import type { Counters } from '../intake/counters.ts'
import type { UpgradeWord } from './upgrade-word.ts'
import { readUpgradeWord } from './upgrade-word.ts'

interface Options {
  readonly counters: Counters
  readonly quarantine: QuarantineBook
  readonly clock: () => number
  readonly log: Logger
}

/** What gateways say about their upgrades, for whoever listens to it. */
export class UpgradeWords {
  readonly #options: Options
  readonly #listeners = new Set<(word: UpgradeWord) => void>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Until the returned function is called. */
  hear(listener: (word: UpgradeWord) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** It says what a gateway wants or does, and is asked for again if it gets lost: it waits for no commit. */
  take({ gateway, topic, payload, done }: Arrival): void {
    const { counters, quarantine, clock, log } = this.#options
    counters.messages += 1
    const word = readUpgradeWord(gateway, payload, clock())
    if (typeof word === 'string') {
      counters.quarantined += 1
      const kept = quarantine.add({ number: gateway.number, topic, reason: 'json', detail: word, payload, at: clock() })
      kept.then(() => done()).catch((error) => caught(log, 'mqtt', error))
      return
    }
    for (const listener of this.#listeners) listener(word)
    done()
  }
}
