import type { Logger } from 'pino'
import type { Database } from '../store/database.ts'
import { countOverLimit, writeQuarantine } from '../store/quarantine.ts'
import type { Quarantined } from './batch.ts'

/** So many messages of one gateway are kept in an hour; of more it is only known how many there were. */
export const mostKeptPerHour = 60
/** While the database is away. */
const mostWaiting = 1_000
/** Push names gateways that nobody has: all beyond these share one count. */
const mostCounted = 10_000
const hourMs = 3_600_000

/**
 * Messages that could not be taken, on their way into the database. They go beside the commits of readings and never hold one up for longer
 * than one statement, and none can fill the database.
 */
export class QuarantineBook {
  readonly #database: Pick<Database, 'general'>
  readonly #log: Logger
  #waiting: Quarantined[] = []
  #hour = -1
  /** Of the present hour, by gateway. */
  #kept = new Map<string, number>()
  /** Of hours that are not written yet, by gateway and hour. */
  #overLimit = new Map<string, { readonly number: string | null; readonly hour: number; count: number }>()
  #writing: Promise<void> | null = null

  constructor({ database, log }: { database: Pick<Database, 'general'>; log: Logger }) {
    this.#database = database
    this.#log = log
  }

  add(refused: Quarantined): void {
    const hour = Math.floor(refused.at / hourMs)
    if (hour !== this.#hour) {
      this.#hour = hour
      this.#kept.clear()
    }
    const known = this.#kept.has(refused.number ?? '') || this.#kept.size < mostCounted
    const number = known ? refused.number : null
    const kept = this.#kept.get(number ?? '') ?? 0
    if (kept >= mostKeptPerHour || this.#waiting.length >= mostWaiting) {
      const key = `${hour} ${number ?? ''}`
      const over = this.#overLimit.get(key) ?? { number, hour: hour * hourMs, count: 0 }
      over.count += 1
      this.#overLimit.set(key, over)
      return
    }
    this.#kept.set(number ?? '', kept + 1)
    this.#waiting.push(refused)
    this.#write()
  }

  /** Resolves when everything that is to be kept was written, or could not be. */
  async written(): Promise<void> {
    await this.#writing
  }

  /** Writes what is left from before, and how many messages were not kept: it is for a timer to call. */
  async writeCounts(): Promise<void> {
    if (this.#waiting.length > 0) this.#write()
    await this.#writing
    const counts = [...this.#overLimit.values()]
    if (counts.length === 0) return
    this.#overLimit = new Map()
    try {
      await countOverLimit(this.#database, counts)
    } catch (error) {
      for (const each of counts) {
        const key = `${each.hour / hourMs} ${each.number ?? ''}`
        const since = this.#overLimit.get(key)
        this.#overLimit.set(key, { ...each, count: each.count + (since?.count ?? 0) })
      }
      this.#log.warn({ err: error }, 'messages over the limit could not be counted; it will be tried again')
    }
  }

  #write(): void {
    this.#writing ??= new Promise<void>((resolve) => setImmediate(resolve))
      .then(async () => {
        // What comes while one statement runs goes with the next.
        for (let rows = this.#take(); rows.length > 0; rows = this.#take()) {
          try {
            await writeQuarantine(this.#database, rows)
          } catch (error) {
            this.#waiting = [...rows, ...this.#waiting]
            this.#log.warn({ err: error }, 'messages could not be set aside; it will be tried again')
            return
          }
        }
      })
      .finally(() => {
        this.#writing = null
      })
  }

  #take(): Quarantined[] {
    const rows = this.#waiting
    this.#waiting = []
    return rows
  }
}
