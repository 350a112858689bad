import type { Random } from '../random.ts'
import { seededRandom } from '../random.ts'

const everyMs = 60_000
const weakest = -108
const strongest = -55

/**
 * How strongly a gateway hears its network: as well as the place where it stands lets it, a few dB up and down. It has dice of its own, so
 * that the plant beside it runs the same whether anybody asks for the signal or not.
 */
export class RadioSignal {
  /** Received power. */
  dbm: number
  readonly #place: number
  readonly #random: Random
  #nextAt: number

  constructor(number: string, now: number) {
    this.#random = seededRandom([...number].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7))
    this.#place = Math.round(-62 - 34 * this.#random())
    this.dbm = this.#place
    // A fleet does not say it all at once.
    this.#nextAt = now + everyMs * (0.5 + this.#random() / 2)
  }

  /** Moves it on; true when it is time to say it. */
  step(now: number): boolean {
    if (now < this.#nextAt) return false
    this.#nextAt = now + everyMs
    // Pulled back to what the place allows, so that it wanders and never runs away.
    const next = this.dbm + (this.#place - this.dbm) * 0.2 + (this.#random() - 0.5) * 6
    this.dbm = Math.round(Math.min(strongest, Math.max(weakest, next)))
    return true
  }
}
