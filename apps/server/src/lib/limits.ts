/** So many at once, and so many a second from then on, for each key. Keys that have been quiet are forgotten. */
export class Limits {
  readonly #buckets = new Map<string, { left: number; at: number }>()
  readonly #burst: number
  readonly #perSecond: number

  constructor(burst: number, perSecond: number) {
    this.#burst = burst
    this.#perSecond = perSecond
  }

  /** Takes one; false when there is none left. */
  take(key: string, now: number): boolean {
    const left = this.left(key, now)
    if (this.#buckets.size > maxKeys) this.#forgetFull(now)
    this.#buckets.set(key, { left: Math.max(0, left - 1), at: now })
    return left >= 1
  }

  /** Takes back a `take` that turned out not to count. */
  giveBack(key: string, now: number): void {
    this.#buckets.set(key, { left: Math.min(this.#burst, this.left(key, now) + 1), at: now })
  }

  left(key: string, now: number): number {
    const found = this.#buckets.get(key)
    return found ? Math.min(this.#burst, found.left + (Math.max(0, now - found.at) / 1_000) * this.#perSecond) : this.#burst
  }

  #forgetFull(now: number): void {
    for (const key of this.#buckets.keys()) if (this.left(key, now) >= this.#burst) this.#buckets.delete(key)
    // A flood from ever new addresses: rather start again than grow without end.
    if (this.#buckets.size > maxKeys) this.#buckets.clear()
  }
}

const maxKeys = 10_000
