import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { Loop } from '../lib/every.ts'
import type { Database } from '../store/core/database.ts'
import type { Claim, Holder, LeaseClock } from '../store/jobs/due-work.ts'
import { claimLapsed, databaseClock, freeWorksOfOthers, giveBackWorks, lapsedWorks, renewLeases } from '../store/jobs/due-work.ts'

/** What is particular to one kind of due or long work. */
export interface WorkKind {
  readonly kind: string
  /**
   * Its holder is gone, and this server holds it now. What may have left for the equipment is followed and never sent again; whatever is late is
   * missed. Whoever ends it lets it go; what throws is tried again when the lease is over. `lost`: as with `hold`.
   */
  takeOver(claim: Claim, lost: AbortSignal): Promise<void>
  /** Which of these go on, by their ids; `renewed` are those whose lease is still kept here. Without it: these. */
  goesOn?(claims: readonly Claim[], renewed: ReadonlySet<string>): Promise<ReadonlySet<string>>
}

/** A work that is carried out here. */
interface Leased {
  readonly claim: Claim
  readonly stopping: AbortController
}

interface Deps {
  readonly database: Database
  readonly log: Logger
  /** What leases are judged by; the database's own clock, unless a test has another. */
  readonly leaseClock?: LeaseClock
  /** No other server has this database, as where it is embedded: whoever held works in it is gone when this one starts. */
  readonly isOnlyServer?: boolean
}

const everyMs = 5_000

/**
 * Carries out what is due or goes on for long, on one of several servers: a work is claimed in the database, its lease is renewed while it
 * goes on, and another server takes it over when its holder gave no sign of life for the time of the lease. Nothing here sends anything: what
 * operates equipment goes through the gate, which looks at the claim in the transaction that writes the command.
 */
export class Runner {
  readonly #database: Database
  readonly #log: Logger
  /** Still to be done: whoever held works in it is gone. */
  #freesOthers: boolean
  readonly #kinds = new Map<string, WorkKind>()
  readonly #leased = new Map<string, Leased>()
  readonly #tasks = new Set<Promise<void>>()
  readonly #renewing: Loop
  readonly #looking: Loop
  /** What had lapsed at the last look, if that succeeded. */
  #lapsed: ReadonlySet<string> = new Set()

  /** As whom works are claimed here. */
  readonly holder: Holder

  constructor({ database, log, leaseClock = databaseClock, isOnlyServer = false }: Deps) {
    this.#database = database
    this.#log = log
    this.#freesOthers = isOnlyServer
    this.holder = { server: randomUUID(), clock: leaseClock }
    const options = { log, failed: 'looking after due work failed; it is tried again', spaced: true }
    // Each by itself: that this server lives must be said in time, whatever waits in the other.
    this.#renewing = new Loop(everyMs, () => this.#renew(), options)
    this.#looking = new Loop(everyMs, () => this.#look(), options)
  }

  /** Once every kind is registered. Resolves after a first look. */
  async start(): Promise<void> {
    await this.#looking.tick()
    this.#renewing.start()
    this.#looking.start()
  }

  register(kind: WorkKind): void {
    this.#kinds.set(kind.kind, kind)
  }

  /** Carries out a work that was claimed here; resolves when it is over, however. The signal says that it goes no further: it was taken over, ended, or stopped. */
  carry(claim: Claim, task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const carried = task(this.keepLease(claim))
      .catch((error) => this.#log.error({ err: error, kind: claim.kind, key: claim.key }, 'a work broke off'))
      .finally(() => this.#tasks.delete(carried))
    this.#tasks.add(carried)
    return carried
  }

  /** Keeps the lease of a work that was claimed here until it is let go. The signal says that it goes no further: it was taken over, ended, or stopped. */
  keepLease(claim: Claim): AbortSignal {
    const stopping = new AbortController()
    this.#leased.set(claim.workId, { claim, stopping })
    return stopping.signal
  }

  /** Whether this server keeps its lease: it is carried out, or taken over, here. */
  hasLease(workId: string): boolean {
    return this.#leased.has(workId)
  }

  /** It goes no further here. */
  stop(workId: string): void {
    this.#leased.get(workId)?.stopping.abort()
  }

  /** Its end is stored: nothing of it goes further. */
  letGo(workId: string): void {
    this.stop(workId)
    this.#leased.delete(workId)
  }

  /** Says that this server lives, and stops what it has no lease of any more; runs by itself every few seconds. */
  readonly renew = (): Promise<void> => this.#renewing.tick()

  /** Takes over what nobody carries; runs by itself every few seconds. */
  readonly look = (): Promise<void> => this.#looking.tick()

  /** Resolves when nothing is carried out any more; whoever closes has stopped what does not end by itself. */
  async settled(): Promise<void> {
    while (this.#tasks.size > 0) await Promise.all(this.#tasks)
  }

  /** From here on nothing is taken over. */
  rest(): Promise<void> {
    return this.#looking.close()
  }

  /** What is still leased is given back: another server, or the next start of this one, goes on with it at once. */
  async close(): Promise<void> {
    await this.rest()
    await this.settled()
    await this.#renewing.close()
    const left = [...this.#leased.keys()]
    for (const workId of left) this.letGo(workId)
    if (left.length === 0) return
    // Without the database others wait for the leases to run out, and this server ends all the same.
    await giveBackWorks(this.#database.control, left, this.holder).catch((error) =>
      this.#log.warn({ err: error, works: left.length }, 'works could not be given back; their leases run out'),
    )
  }

  async #renew(): Promise<void> {
    const leased = [...this.#leased.values()]
    if (leased.length === 0) return
    const renewed = await renewLeases(
      this.#database.control,
      leased.map(({ claim }) => claim),
      this.holder,
    )
    for (const [name, own] of Map.groupBy(leased, ({ claim }) => claim.kind)) {
      const claims = own.map(({ claim }) => claim)
      const going = (await this.#kinds.get(name)?.goesOn?.(claims, renewed)) ?? renewed
      for (const { claim, stopping } of own) if (!going.has(claim.workId)) stopping.abort()
    }
  }

  /** What is free, and what had lapsed at two looks in a row: after the database was away, whoever carries it has a while to say so first. */
  async #look(): Promise<void> {
    if (this.#freesOthers) await freeWorksOfOthers(this.#database.control, this.holder)
    this.#freesOthers = false
    const before = this.#lapsed
    this.#lapsed = new Set()
    const lapsed = await lapsedWorks(this.#database.control, [...this.#kinds.keys()], this.holder.clock)
    this.#lapsed = new Set(lapsed.map(({ workId }) => workId))
    // What is leased here is no other's to end: it says so itself as soon as it can.
    const gone = lapsed.flatMap(({ workId, isFree }) =>
      (isFree || before.has(workId)) && !this.#leased.has(workId) ? workId : [],
    )
    if (gone.length === 0) return
    const claims = await claimLapsed(this.#database.control, gone, this.holder)
    // One that hangs holds up none of the others.
    await Promise.all(claims.map((claim) => this.#takeOver(claim)))
  }

  async #takeOver(claim: Claim): Promise<void> {
    const lost = this.keepLease(claim)
    try {
      await this.#kinds.get(claim.kind)?.takeOver(claim, lost)
    } catch (error) {
      this.letGo(claim.workId)
      this.#log.error({ err: error, kind: claim.kind, key: claim.key }, 'a work could not be taken over; it is tried again')
    }
  }
}
