import { notePlatformAway } from '../../store/alarm/platform-away.ts'
import type { Database } from '../../store/core/database.ts'

/** From when silence counts: before a start, or while the database is away and gateways are held back, it says nothing. */
export class PlatformWatch {
  readonly #database: Database
  /** Unix ms. */
  #from: number
  /** Since when the database is away, Unix ms, until that is noted; null: it is there. */
  #awaySince: number | null = null
  /** When it was there last, Unix ms. */
  #thereAt: number

  constructor(database: Database, now: number) {
    this.#database = database
    this.#from = now
    this.#thereAt = now
  }

  /** Before anything is taken in: whoever reported until the platform went, and is silent from now on, did not come back with it. */
  started(): Promise<void> {
    return notePlatformAway(this.#database, { since: null, backAt: this.#from })
  }

  /** Called every second. From when silence counts, Unix ms; null: while the database is away it does not. */
  async silenceFrom(isAway: boolean, now: number): Promise<number | null> {
    if (isAway) {
      this.#awaySince ??= this.#thereAt
      this.#from = now
      return null
    }
    if (this.#awaySince !== null) {
      await notePlatformAway(this.#database, { since: this.#awaySince, backAt: this.#from })
      this.#awaySince = null
    }
    this.#thereAt = now
    return this.#from
  }
}
