interface Waiting {
  readonly key: string
  readonly start: () => void
}

/**
 * Runs what a page asks for in bulk some at a time, in order. The browser has six connections to a server: whatever a person asks for
 * meanwhile would otherwise stand behind a hundred requests of a page that fills.
 */
export class Turns {
  readonly #most: number
  #waiting: readonly Waiting[] = []
  #running = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Resolves or fails as the work does. What is taken back before its turn fails with the signal's reason and is never begun. */
  async take<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#turn(key, signal)
    try {
      return await work()
    } finally {
      this.#running -= 1
      this.#next()
    }
  }

  /** Somebody waits for just this: it is next, if it has not begun. */
  hurry(key: string): void {
    const isIt = (each: Waiting) => each.key === key
    this.#waiting = [...this.#waiting.filter(isIt), ...this.#waiting.filter((each) => !isIt(each))]
  }

  #turn(key: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const giveUp = () => {
        this.#waiting = this.#waiting.filter((each) => each !== own)
        reject(signal?.reason)
      }
      const own: Waiting = {
        key,
        start: () => {
          signal?.removeEventListener('abort', giveUp)
          resolve()
        },
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      this.#waiting = [...this.#waiting, own]
      this.#next()
    })
  }

  #next(): void {
    const [first, ...others] = this.#waiting
    if (!first || this.#running >= this.#most) return
    this.#running += 1
    this.#waiting = others
    first.start()
  }
}
