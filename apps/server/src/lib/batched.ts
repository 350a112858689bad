interface Asked<K, V> {
  readonly key: K
  readonly resolve: (value: V) => void
  readonly reject: (error: unknown) => void
}

interface Options {
  /** So many at once at most. */
  readonly most: number
  /** So many batches are under way beside each other. */
  readonly lanes?: number
  /** Of several that failed together: whether each is tried by itself, so that one that is bad keeps no other back. */
  readonly oneByOne?: (error: unknown) => boolean
}

/**
 * Does at once what was asked for at the same time, or while the last was under way: the more is asked for the fewer questions there are. Whoever
 * is alone waits for nobody. The work begins after each of its askers has asked: nobody gets an answer from before their question.
 */
export class Batched<K, V> {
  readonly #work: (keys: readonly K[]) => Promise<readonly V[]>
  readonly #options: Options
  readonly #waiting: Asked<K, V>[] = []
  #underWay = 0

  /** `work`: answers in the order of its keys. */
  constructor(work: (keys: readonly K[]) => Promise<readonly V[]>, options: Options) {
    this.#work = work
    this.#options = options
  }

  /** Settles as its own part of the work does. */
  run(key: K): Promise<V> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject })
      // Whoever asks within the same step comes along.
      if (this.#waiting.length === 1) queueMicrotask(() => this.#begin())
    })
  }

  #begin(): void {
    const { most, lanes = 1 } = this.#options
    while (this.#underWay < lanes && this.#waiting.length > 0) {
      this.#underWay += 1
      void this.#carryOut(this.#waiting.splice(0, most)).then(() => {
        this.#underWay -= 1
        this.#begin()
      })
    }
  }

  /** Never rejects. */
  async #carryOut(batch: readonly Asked<K, V>[]): Promise<void> {
    try {
      const answers = await this.#work(batch.map(({ key }) => key))
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as V)
    } catch (error) {
      if (batch.length > 1 && this.#options.oneByOne?.(error)) for (const each of batch) await this.#carryOut([each])
      else for (const { reject } of batch) reject(error)
    }
  }
}
