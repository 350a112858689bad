import type { Logger } from 'pino'
import { caught } from './faults.ts'

interface Options {
  readonly log: Logger
  /** What the log says of a failure that is foreseen, as of a database that is away. Without it a failure is a bug, and counted as one. */
  readonly failed?: string
  readonly level?: 'warn' | 'error'
  /** A whole interval lies between the end of a tick and the next, also after one that was called by hand. */
  readonly spaced?: boolean
  /** Whether the timer alone keeps the process alive. */
  readonly unref?: boolean
}

const repeatAfterMs = 60_000

/** Work that repeats and never overlaps itself. What fails is logged at most once a minute, and the next tick comes all the same. */
export class Loop {
  readonly #ms: number
  readonly #work: () => unknown
  readonly #options: Options
  #timer: NodeJS.Timeout | undefined
  #underWay: Promise<void> | null = null
  #closed = false
  #loggedAt = Number.NEGATIVE_INFINITY
  #unlogged = 0

  constructor(ms: number, work: () => unknown, options: Options) {
    this.#ms = ms
    this.#work = work
    this.#options = options
  }

  start(): this {
    if (this.#closed || this.#timer) return this
    this.#timer = setInterval(this.tick, this.#ms)
    if (this.#options.unref) this.#timer.unref()
    return this
  }

  /** One tick now, or the one that is under way; never rejects. Whoever closes may still call it for a last one. */
  readonly tick = (): Promise<void> => {
    this.#underWay ??= this.#run().finally(() => {
      this.#underWay = null
      if (this.#options.spaced && !this.#closed) this.#timer?.refresh()
    })
    return this.#underWay
  }

  /** One tick from now on: what another that is under way has passed already is looked at, too. */
  readonly tickAnew = async (): Promise<void> => {
    await this.settled()
    await this.tick()
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    while (this.#underWay) await this.#underWay
  }

  /** Long work looks here between its steps, so that the end of the server does not wait for all of them. */
  get isClosed(): boolean {
    return this.#closed
  }

  /** No tick begins by itself from here on; resolves when the one under way is over. */
  close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    return this.settled()
  }

  async #run(): Promise<void> {
    try {
      await this.#work()
    } catch (error) {
      this.#log(error)
    }
  }

  #log(error: unknown): void {
    const { log, failed, level = 'error' } = this.#options
    if (failed === undefined) {
      caught(log, 'timer', error)
      return
    }
    const now = performance.now()
    if (now - this.#loggedAt < repeatAfterMs) {
      this.#unlogged += 1
      return
    }
    log[level]({ err: error, ...(this.#unlogged > 0 && { alsoSince: this.#unlogged }) }, failed)
    this.#loggedAt = now
    this.#unlogged = 0
  }
}

/** Does the work every `ms` from now on; the first time after `ms`. */
export const every = (ms: number, work: () => unknown, options: Options): Loop => new Loop(ms, work, options).start()
