import { Refusal } from '@linewarden/contract'

/** Previews of all owners that run on this server at once. */
const maxRunning = 2

/**
 * One preview of each owner runs, and one waits for it to end: whoever changes a figure asks anew while the one before is still being broken
 * off. Who waits and goes away leaves the place to the next.
 */
export class PreviewTurns {
  readonly #running = new Map<string, Promise<void>>()
  readonly #waiting = new Map<string, AbortSignal>()

  /** @throws Refusal `preview busy` when somebody waits already or too many run; `preview ended` when the caller went away meanwhile */
  async take<T>(owner: string, gone: AbortSignal, work: () => Promise<T>): Promise<T> {
    for (let before = this.#running.get(owner); before; before = this.#running.get(owner)) {
      const waiting = this.#waiting.get(owner)
      if (waiting && waiting !== gone && !waiting.aborted) throw new Refusal('preview busy')
      this.#waiting.set(owner, gone)
      await before
      if (this.#waiting.get(owner) === gone) this.#waiting.delete(owner)
      if (gone.aborted) throw new Refusal('preview ended')
    }
    if (this.#running.size >= maxRunning) throw new Refusal('preview busy')
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#running.set(owner, promise)
    try {
      return await work()
    } finally {
      this.#running.delete(owner)
      resolve()
    }
  }
}
