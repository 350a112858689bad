import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { caught, guarded } from '../../lib/faults.ts'
import type { Hub } from '../../plant/hub.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { StoredEvent } from '../../store/alarm/event-write.ts'
import type { Database } from '../../store/core/database.ts'
import { Batch } from '../../store/ingest/batch.ts'
import { Committer } from '../../store/ingest/commit.ts'
import type { Counters } from '../intake/counters.ts'
import { LateCommits } from '../watch/late-commits.ts'
import { applyBatch } from './apply.ts'
import type { QuarantineBook } from './quarantine-book.ts'

/**
 * Batches and commits. While a commit is under way the next batch fills; when none is, whatever has come goes at once, so that a single
 * alarm never waits. Only after the commit: the plant moves, gateways are acknowledged, the hub publishes.
 */
export class Pipeline {
  readonly #database: Database
  readonly #plant: Plant
  readonly #hub: Hub
  readonly #counters: Counters
  readonly #clock: () => number
  readonly #log: Logger
  readonly #rawDays: number
  readonly #quarantine: QuarantineBook
  readonly #onRefused: (batch: Batch) => void
  readonly #onCommitted: (readings: number, ms: number) => void
  readonly #monotonic: () => number
  readonly #dirty = new Set<PlantLine>()
  #filling = new Batch(0)
  #waiting: Batch[] = []
  #spare: Batch[] = []
  #made = 0
  #scheduled = false
  #running: Promise<void> | null = null
  #committing: Promise<boolean> | null = null
  #closed = false
  #client: pg.Client | null = null
  #committer: Committer | null = null
  degraded = false
  /** Number of the newest batch that is committed; batches are committed in the order of their numbers. */
  finished = -1
  /** How long gateways waited for commits. */
  readonly lateCommits: LateCommits

  constructor(options: {
    database: Database
    plant: Plant
    hub: Hub
    counters: Counters
    clock: () => number
    log: Logger
    rawDays: number
    quarantine: QuarantineBook
    /** Ms by a clock that no step moves. */
    monotonic: () => number
    /** After a commit that left some of the batch out. */
    onRefused: (batch: Batch) => void
    /** How many readings a commit stored, and how long it took. */
    onCommitted: (readings: number, ms: number) => void
  }) {
    this.#onCommitted = options.onCommitted
    this.#monotonic = options.monotonic
    this.lateCommits = new LateCommits(options.monotonic)
    this.#database = options.database
    this.#plant = options.plant
    this.#hub = options.hub
    this.#counters = options.counters
    this.#clock = options.clock
    this.#log = options.log
    this.#rawDays = options.rawDays
    this.#quarantine = options.quarantine
    this.#onRefused = options.onRefused
  }

  /** The batch that messages go into now; asking for it also makes sure that it will be committed. */
  batch(): Batch {
    if (this.#filling.full) {
      this.#waiting.push(this.#filling)
      this.#filling = this.#nextBatch()
    }
    if (!this.#scheduled && !this.#running && !this.#closed) {
      this.#scheduled = true
      // After this turn of the loop: everything the sockets have brought by then goes together.
      setImmediate(() => {
        this.#scheduled = false
        this.#running ??= this.#run().finally(() => {
          this.#running = null
        })
      })
    }
    return this.#filling
  }

  /** Messages that no commit has taken up yet. */
  get waiting(): number {
    return [this.#filling, ...this.#waiting].reduce((sum, { pendingAcks }) => sum + pendingAcks.length, 0)
  }

  /** Lines whose live values moved since the last call. */
  takeDirty(): PlantLine[] {
    const lines = [...this.#dirty]
    this.#dirty.clear()
    return lines
  }

  /** Lines whose checkpoint failed. */
  stillDirty(lines: readonly PlantLine[]): void {
    for (const line of lines) this.#dirty.add(line)
  }

  /** Resolves when the transaction that is under way is over: what is written from then on is as the plant is now. */
  async underCommit(): Promise<void> {
    await this.#committing
  }

  /** Resolves when everything that came before is committed. */
  async drained(): Promise<void> {
    while (this.#scheduled || this.#running) await (this.#running ?? new Promise<void>((resolve) => setImmediate(resolve)))
  }

  /** As `drained`, but gives up when the database stays away: what is not committed was not acknowledged either. */
  async settled(): Promise<void> {
    await Promise.race([this.drained(), wait(5_000, undefined, { ref: false })])
  }

  async close(): Promise<void> {
    await this.settled()
    this.#closed = true
    await this.#client?.end().catch(() => {})
  }

  async #run(): Promise<void> {
    for (;;) {
      const batch = this.#waiting.shift() ?? this.#takeFilling()
      if (!batch) return
      this.#committing = this.#commitAndFinish(batch)
      if (!(await this.#committing)) return
    }
  }

  async #commitAndFinish(batch: Batch): Promise<boolean> {
    const begun = this.#monotonic()
    this.lateCommits.begin()
    const stored = await this.#commitUntilDone(batch)
    this.lateCommits.end(this.#clock())
    if (!stored) return false
    this.#onCommitted(batch.count, this.#monotonic() - begun)
    this.#finish(
      batch,
      stored,
      batch.quarantine.map((each) => this.#quarantine.add(each)),
    )
    return true
  }

  #takeFilling(): Batch | null {
    if (this.#filling.empty) return null
    const batch = this.#filling
    this.#filling = this.#nextBatch()
    return batch
  }

  #nextBatch(): Batch {
    this.#made += 1
    const spare = this.#spare.pop()
    return spare ? spare.reuse(this.#made) : new Batch(this.#made)
  }

  /** The database may be away: the batch and its acknowledgements wait for it. Nothing is dropped, nothing is acknowledged early. */
  async #commitUntilDone(batch: Batch): Promise<readonly StoredEvent[] | null> {
    for (let attempt = 0; !this.#closed; attempt++) {
      try {
        const committer = await this.#connected()
        const stored = await committer.commit(batch, this.#clock())
        if (this.degraded) this.#log.info('the database takes readings again')
        this.degraded = false
        return stored
      } catch (error) {
        if (this.#closed) return null
        if (!this.degraded) this.#log.error({ err: error }, 'readings cannot be stored; nothing is acknowledged until they can')
        this.degraded = true
        const broken = this.#client
        this.#client = null
        this.#committer = null
        await broken?.end().catch(() => {})
        await wait(Math.min(2_000, 50 * 2 ** Math.min(attempt, 6)))
      }
    }
    return null
  }

  async #connected(): Promise<Committer> {
    if (this.#committer && this.#client) return this.#committer
    this.#client = await this.#database.connect()
    this.#committer = new Committer(this.#client, this.#rawDays)
    return this.#committer
  }

  /** What is acknowledged although the database refused some of it can be looked at. */
  #finish(batch: Batch, stored: readonly StoredEvent[], aside: readonly Promise<void>[]): void {
    const committed = applyBatch(this.#plant, batch, stored)
    if (batch.folding.failed) caught(this.#log, 'job', batch.folding.failed)
    if (batch.refused.size > 0) this.#onRefused(batch)
    for (const line of committed.lines ?? []) this.#dirty.add(line)
    this.finished = batch.number
    this.#counters.readings += batch.count
    const pendingAcks = [...batch.pendingAcks]
    const acknowledge = () => {
      for (const each of pendingAcks) each()
    }
    if (aside.length === 0) acknowledge()
    else Promise.all(aside).then(guarded(this.#log, 'mqtt', acknowledge))
    this.#hub.publish(committed)
    if (this.#spare.length < 2) this.#spare.push(batch)
  }
}
