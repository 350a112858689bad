import type { Exposure } from '@linewarden/contract'
import type { Logger } from 'pino'
import { Counter, Gauge } from 'prom-client'
import { entriesFrom, newestEntry } from '../store/audit/entries.ts'
import type { Database } from '../store/core/database.ts'
import { unlessAway } from '../store/core/database-away.ts'
import type { CopyCheck } from './copy-check.ts'
import { checkCopy, compareCopy } from './copy-check.ts'
import { damageOf, departureOf, failureOf } from './copy-exposures.ts'
import { CopyFolder } from './copy-folder.ts'
import { lineOf } from './copy-line.ts'

const lookEveryMs = 1_000
const lookAgainMs = 60_000
const copiedAtOnce = 500
/** A folder on a machine that has gone keeps nobody from stopping the server. */
const maxClosingMs = 5_000
/** A folder on a machine that has gone may neither take a line nor refuse it. */
const maxAnswerMs = 30_000
const noAnswer = `no answer for ${maxAnswerMs / 1_000} s`

interface Written {
  readonly sequence: number
  readonly hash: string
}

interface Failure {
  /** Unix ms. */
  readonly since: number
  readonly why: string
}

/**
 * Appends every committed entry of the audit trail to files outside the database, in order, from where the files end: whoever comes to
 * write into the database cannot take back what stands there. A copy that fails is told and made up for; it stops nothing.
 */
export class AuditCopy {
  readonly #path: string | null
  readonly #folder: CopyFolder | null
  readonly #database: Database
  readonly #clock: () => number
  readonly #log: Logger
  #written: Written | null = null
  #isKnown = false
  #failing: Failure | null = null
  #departsAt: number | null = null
  #passing: Promise<void> | null = null
  #brokenAt: string | null = null
  #looking: Promise<void> | null = null
  /** When what stands in the copy could last not be held against the database. */
  #missedAt: number | null = null
  readonly #stopping = new AbortController()
  /** When the pass under way began or last got on. */
  #movedAt = 0
  readonly #failures = new Counter({
    name: 'linewarden_audit_copy_failures_total',
    help: 'Tries to write the copy of the audit trail that failed',
    registers: [],
  })
  readonly #timer: NodeJS.Timeout | null
  readonly metrics: readonly (Counter | Gauge)[]

  /** Begins to copy; a folder of null: there is no copy. */
  constructor({ folder, database, clock, log }: { folder: string | null; database: Database; clock: () => number; log: Logger }) {
    this.#path = folder
    this.#folder = folder === null ? null : new CopyFolder(folder)
    this.#database = database
    this.#clock = clock
    this.#log = log
    this.#timer = this.#folder && setInterval(() => void this.pass(), lookEveryMs)
    this.#timer?.unref()
    this.metrics =
      folder === null
        ? []
        : [
            this.#failures,
            waitingMeasured(database, () => this.#written?.sequence ?? 0),
            departureMeasured(() => this.#departsAt !== null),
          ]
  }

  /** Writes what has been committed since; also done by itself every second. */
  pass(): Promise<void> {
    if (this.#hangs() && !this.#failing) this.#failed(new Error(noAnswer))
    this.#passing ??= this.#copyAll().finally(() => {
      this.#passing = null
    })
    return this.#passing
  }

  /** Resolves when all that stood in the copy at the first pass is held against the database. */
  async looked(): Promise<void> {
    await this.#looking
  }

  /** The copy held against the database; null: there is no copy. */
  async check(): Promise<CopyCheck | null> {
    if (!this.#folder) return null
    // Each look at a folder that hangs would hold one of the few threads that also check passwords.
    if (this.#hangs()) return { Entries: 0, First: null, Last: null, DepartsAt: null, BrokenAt: noAnswer }
    return checkCopy(this.#folder, this.#database)
  }

  exposures(): Exposure[] {
    const path = this.#path ?? ''
    return [
      ...(this.#failing ? [failureOf(path, this.#failing)] : []),
      ...(this.#departsAt === null ? [] : [departureOf(this.#departsAt)]),
      ...(this.#brokenAt === null ? [] : [damageOf(path, this.#brokenAt)]),
    ]
  }

  async close(): Promise<void> {
    if (!this.#folder) return
    if (this.#timer) clearInterval(this.#timer)
    const late = new Promise<void>((resolve) => setTimeout(resolve, maxClosingMs).unref())
    this.#stopping.abort()
    // One pass may be under way that began before the last entry.
    await Promise.race([Promise.all([this.pass().then(() => this.pass()), this.#looking]), late])
  }

  async #copyAll(): Promise<void> {
    if (!this.#folder) return
    this.#movedAt = this.#clock()
    try {
      if (!this.#isKnown) this.#written = await this.#folder.last()
      this.#isKnown = true
      while (await this.#copyNext(this.#folder)) {}
      if (this.#failing) this.#log.info({ folder: this.#path }, 'the audit trail is copied again')
      this.#failing = null
      const isTime = this.#missedAt === null || Math.abs(this.#clock() - this.#missedAt) >= lookAgainMs
      if (!this.#stopping.signal.aborted && isTime) this.#looking ??= this.#lookThrough(this.#folder)
    } catch (error) {
      // What of it reached the disk is for the files to say.
      this.#isKnown = false
      this.#failed(error)
    }
  }

  /** Once after each start: what was rewritten below the newest entry would be forgotten with the process that found it. */
  async #lookThrough(folder: CopyFolder): Promise<void> {
    const { signal } = this.#stopping
    try {
      const { DepartsAt, BrokenAt } = await compareCopy(folder, this.#database, signal)
      if (DepartsAt !== null) this.#departed(Number(DepartsAt))
      if (BrokenAt !== null) this.#log.error({ line: BrokenAt }, 'the copy of the audit trail is damaged')
      this.#brokenAt = BrokenAt
    } catch (error) {
      if (signal.aborted) return
      if (this.#missedAt === null)
        this.#log.error({ err: error }, 'the audit trail is not held against its copy; tried again every minute')
      this.#missedAt = this.#clock()
      this.#looking = null
    }
  }

  #hangs(): boolean {
    return this.#passing !== null && this.#clock() - this.#movedAt > maxAnswerMs
  }

  #failed(error: unknown): void {
    this.#failures.inc()
    const why = error instanceof Error ? error.message : String(error)
    if (!this.#failing)
      this.#log.error({ err: error, folder: this.#path }, 'the audit trail is not copied; tried again every second')
    this.#failing = { since: this.#failing?.since ?? this.#clock(), why }
  }

  /** Whether there may be more. The entry that was written last is read along: the database must still have it. */
  async #copyNext(folder: CopyFolder): Promise<boolean> {
    const last = this.#written
    const entries = await entriesFrom(this.#database.general, last?.sequence ?? 1, copiedAtOnce)
    const next = last ? entries.filter(({ audit_id }) => Number(audit_id) > last.sequence) : entries
    if (last && entries[0]?.hash !== last.hash) this.#departed(last.sequence)
    const newest = next.at(-1)
    if (!newest) return false
    await folder.append(next.map(lineOf), this.#clock())
    this.#written = { sequence: Number(newest.audit_id), hash: newest.hash }
    this.#movedAt = this.#clock()
    return entries.length === copiedAtOnce
  }

  #departed(sequence: number): void {
    if (this.#departsAt !== null) return
    this.#departsAt = sequence
    this.#log.error({ sequence }, 'the audit trail in the database departs from its copy')
  }
}

/** `written`: the number of the entry that was copied last; 0 for none. */
const waitingMeasured = (database: Database, written: () => number): Gauge =>
  new Gauge({
    name: 'linewarden_audit_copy_waiting',
    help: 'Entries of the audit trail that are not in its copy yet',
    registers: [],
    async collect() {
      const newest = await unlessAway(newestEntry(database.general))
      // A reset would say 0.
      if (newest === null) this.remove()
      else this.set(Math.max(0, newest - written()))
    },
  })

const departureMeasured = (departs: () => boolean): Gauge =>
  new Gauge({
    name: 'linewarden_audit_copy_departs',
    help: '1: the audit trail in the database is another than in its copy',
    registers: [],
    collect() {
      this.set(departs() ? 1 : 0)
    },
  })
