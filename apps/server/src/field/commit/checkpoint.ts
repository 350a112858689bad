import type { Logger } from 'pino'
import { Loop } from '../../lib/every.ts'
import type { Database } from '../../store/core/database.ts'
import { writeCheckpoint } from '../../store/plant/latest.ts'
import type { Pipeline } from './pipeline.ts'

const everyMs = 5_000

interface Options {
  readonly database: Database
  readonly pipeline: Pipeline
  readonly clock: () => number
  readonly log: Logger
}

/** Writes the latest values of lines that moved, so that a start need not look for them among the readings. */
export class Checkpoint {
  readonly #options: Options
  readonly #loop: Loop

  constructor(options: Options) {
    this.#options = options
    const failed = 'the checkpoint of the latest values failed; it will be tried again'
    this.#loop = new Loop(everyMs, () => this.#write(), { log: options.log, failed, level: 'warn' })
  }

  start(): void {
    this.#loop.start()
  }

  /** No write begins by itself from here on. */
  stop(): Promise<void> {
    return this.#loop.close()
  }

  /** After it was stopped. */
  async writeLast(): Promise<void> {
    await this.#write().catch((error) => this.#options.log.warn({ err: error }, 'the last checkpoint failed'))
  }

  async #write(): Promise<void> {
    const { database, pipeline, clock } = this.#options
    if (pipeline.degraded) return
    const covered = clock()
    const lines = pipeline.takeDirty()
    if (lines.length === 0) return
    try {
      await database.borrow((client) => writeCheckpoint(client, lines, covered))
    } catch (error) {
      pipeline.stillDirty(lines)
      throw error
    }
  }
}
