/** Runs tasks one after the other, in the order they come. One that fails keeps back none that follows. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve()

  /** Settles as the task does. The task never begins within the call itself. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(task)
    this.#last = mine.catch(() => {})
    return mine
  }

  /** Resolves when every task given so far is over. */
  async settled(): Promise<void> {
    await this.#last
  }
}

/** Runs tasks of one key one after the other, those of different keys beside each other. A key without tasks keeps no memory. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>()

  /** How many keys have a task under way or waiting. */
  get size(): number {
    return this.#last.size
  }

  /** Settles as the task does. */
  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const mine = (this.#last.get(key) ?? Promise.resolve()).then(task).finally(() => {
      if (this.#last.get(key) === over) this.#last.delete(key)
    })
    const over = mine.catch(() => {})
    this.#last.set(key, over)
    return mine
  }

  /** Resolves when every task given so far is over. */
  async settled(): Promise<void> {
    await Promise.all(this.#last.values())
  }
}

/** Lets at most `max` tasks be under way at once; the others wait, in order. */
export class Semaphore {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(max: number) {
    this.#free = max
  }

  /** Settles as the task does. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    // Whoever leaves hands on their place.
    else await new Promise<void>((go) => this.#waiting.push(go))
    try {
      return await task()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free += 1
    }
  }
}
