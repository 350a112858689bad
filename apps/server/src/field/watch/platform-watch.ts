import type { Away } from '../../store/alarm/platform-away.ts'
import { notePlatformAway } from '../../store/alarm/platform-away.ts'
import type { Database } from '../../store/core/database.ts'

/** So long after the time before, and this process stood still itself: it is asked every second. */
const stoodStillMs = 2_000

/** From when silence counts: before a start, or while the database is away and gateways are held back, it says nothing. */
export class PlatformWatch {
  readonly #database: Database
  /** Unix ms. */
  #from: number
  /** Since when the database is away, Unix ms; null: it is there. */
  #awaySince: number | null = null
  /** When it was there last, Unix ms. */
  #thereAt: number
  /** When it was asked last, by a clock that no step moves. */
  #askedAt: number | null = null
  /** It was just put off: what goes on so slowly is judged every other time. */
  #isPutOff = false
  /** The interruption that is still to be noted, in these projects; null: in all. */
  #unnoted: { readonly away: Away; readonly projectIds: readonly number[] | null } | null

  constructor(database: Database, now: number) {
    this.#database = database
    this.#from = now
    this.#thereAt = now
    // Whoever reported until the platform went, and is silent from now on, did not come back with it.
    this.#unnoted = { away: { since: null, backAt: now }, projectIds: null }
  }

  /**
   * Called every second. From when silence counts, Unix ms; null: while the database is away it does not, nor before what came in while this
   * process stood still is read. `monotonic`: ms by a clock that no step moves.
   */
  silenceFrom(isAway: boolean, now: number, monotonic = performance.now()): number | null {
    this.#isPutOff = this.#askedAt !== null && monotonic - this.#askedAt > stoodStillMs && !this.#isPutOff
    this.#askedAt = monotonic
    if (isAway) {
      this.#awaySince ??= this.#thereAt
      this.#from = now
      return null
    }
    if (this.#awaySince !== null) {
      const since = this.#unnoted ? this.#unnoted.away.since : this.#awaySince
      this.#unnoted = { away: { since, backAt: this.#from }, projectIds: null }
      this.#awaySince = null
    }
    this.#thereAt = now
    return this.#isPutOff ? null : this.#from
  }

  /**
   * Notes the last interruption, before anything is taken in after it and again each second while that fails: there is time until the first
   * silence is noticed. Throws when it is not noted everywhere.
   */
  async note(): Promise<void> {
    const wanted = this.#unnoted
    if (!wanted) return
    const { projectIds, failed } = await notePlatformAway(this.#database, wanted.away, wanted.projectIds)
    // Away once more meanwhile, that one is noted with it.
    if (this.#unnoted !== wanted) return
    this.#unnoted = projectIds.length > 0 ? { away: wanted.away, projectIds } : null
    if (projectIds.length > 0) throw failed
  }
}
