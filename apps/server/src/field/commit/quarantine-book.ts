import { hourMs } from '@linewarden/equipment'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Database } from '../../store/core/database.ts'
import type { Quarantined } from '../../store/ingest/batch.ts'
import { countOverLimit, writeQuarantine } from '../../store/ingest/quarantine.ts'

/** So many messages of one gateway are kept in an hour; of more it is only known how many there were. */
export const maxKeptPerHour = 60
/** While the database is away. */
const maxWaiting = 1_000
/** Push names gateways that nobody has: all beyond these share one count. */
const maxCounted = 10_000
const tryAgainMs = 1_000
/** What the database has refused for so long is only counted: the gateway that sent it must be heard again. */
const givenUpMs = 60_000

interface Waiting {
  readonly refused: Quarantined
  /** Since when the database says no to it; null: it has not. */
  refusedSince: number | null
  readonly settle: () => void
}

/**
 * Messages that could not be taken, on their way into the database. They go beside the commits of readings and never hold one up, and none
 * can fill the database.
 */
export class QuarantineBook {
  readonly #database: Pick<Database, 'general'>
  readonly #clock: () => number
  readonly #log: Logger
  readonly #onAdded: (refused: Quarantined, kept: boolean) => void
  #waiting: Waiting[] = []
  #hour = -1
  /** Of the present hour, by gateway. */
  #kept = new Map<string, number>()
  /** Of hours that are not written yet, by gateway and hour. */
  #overLimit = new Map<string, { readonly number: string | null; readonly hour: number; count: number }>()
  #writing: Promise<void> | null = null
  #again: NodeJS.Timeout | null = null

  constructor(options: {
    database: Pick<Database, 'general'>
    clock: () => number
    log: Logger
    /** Of each message, and whether it is kept or only counted. */
    onAdded?: (refused: Quarantined, kept: boolean) => void
  }) {
    this.#database = options.database
    this.#clock = options.clock
    this.#log = options.log
    this.#onAdded = options.onAdded ?? (() => {})
  }

  /** Resolves when it was written, or is only counted: before, whoever sent it is not told that it arrived. */
  add(refused: Quarantined): Promise<void> {
    const hour = Math.floor(refused.at / hourMs)
    if (hour !== this.#hour) {
      this.#hour = hour
      this.#kept.clear()
    }
    const known = this.#kept.has(refused.number ?? '') || this.#kept.size < maxCounted
    const number = known ? refused.number : null
    const kept = this.#kept.get(number ?? '') ?? 0
    const full = kept >= maxKeptPerHour || this.#waiting.length >= maxWaiting
    this.#onAdded(refused, !full)
    if (full) {
      this.#count(number, hour)
      return Promise.resolve()
    }
    this.#kept.set(number ?? '', kept + 1)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ refused, refusedSince: null, settle: resolve })
    this.#write()
    return promise
  }

  /** Resolves when everything that is to be kept was written, or could not be for now. */
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

  #count(number: string | null, hour: number): void {
    const key = `${hour} ${number ?? ''}`
    const over = this.#overLimit.get(key) ?? { number, hour: hour * hourMs, count: 0 }
    over.count += 1
    this.#overLimit.set(key, over)
  }

  #write(): void {
    this.#writing ??= new Promise<void>((resolve) => setImmediate(resolve))
      .then(async () => {
        // What comes while one statement runs goes with the next.
        for (let rows = this.#take(); rows.length > 0; rows = this.#take()) {
          const left = await this.#keep(rows)
          if (left.length === 0) continue
          this.#waiting = [...left, ...this.#waiting]
          this.#again ??= setTimeout(() => {
            this.#again = null
            this.#write()
          }, tryAgainMs).unref()
          return
        }
      })
      .finally(() => {
        this.#writing = null
      })
  }

  /** Writes these together, or one by one where the database says no to some. Answers what is to be tried again. */
  async #keep(rows: readonly Waiting[]): Promise<readonly Waiting[]> {
    try {
      await writeQuarantine(
        this.#database,
        rows.map(({ refused }) => refused),
      )
    } catch (error) {
      if (rows.some(({ refusedSince }) => refusedSince === null))
        this.#log.warn({ err: error }, 'messages could not be set aside; it will be tried again')
      if (!isRefused(error)) return rows
      const [row] = rows
      if (row && rows.length === 1) return this.#givesUp(row) ? [] : [row]
      const left: Waiting[] = []
      for (const each of rows) left.push(...(await this.#keep([each])))
      return left
    }
    for (const { settle } of rows) settle()
    return []
  }

  #givesUp(row: Waiting): boolean {
    const now = this.#clock()
    row.refusedSince ??= now
    if (now - row.refusedSince < givenUpMs) return false
    const { number, topic, reason, at } = row.refused
    this.#log.error({ gateway: number, topic, reason }, 'a message could not be set aside and is only counted')
    this.#count(number, Math.floor(at / hourMs))
    row.settle()
    return true
  }

  #take(): Waiting[] {
    const rows = this.#waiting
    this.#waiting = []
    return rows
  }
}

/** Whether the database has understood and will not have it; else it is away, or starting, or has no room for now. */
const isRefused = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !/^(08|25|40|53|55|57|58)/.test(error.code ?? '')
