/** An ordinary commit takes some hundredths of this. */
const ordinaryMs = 1_000
/** Whoever is silent for so much longer is silent, however slow the database is. */
const atMostMs = 60_000
/** More of them lie in no silence that is still to be noticed. */
const keptCommits = 64

/**
 * How long gateways waited for the database: what they report is acknowledged after its commit, and many say nothing more before. What a
 * commit takes beyond a second is therefore no silence of theirs. Lengths are measured by a clock that no step moves.
 */
export class LateCommits {
  /** Since when a commit is under way, monotonic ms; null: none is. */
  #since: number | null = null
  /** Those that took longer, oldest first. `until`: Unix ms. */
  readonly #late: { readonly until: number; readonly ms: number }[] = []
  readonly #monotonic: () => number

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  begin(): void {
    this.#since = this.#monotonic()
  }

  end(now: number): void {
    const ms = this.#lateMs()
    this.#since = null
    if (ms <= 0) return
    this.#late.push({ until: now, ms })
    if (this.#late.length > keptCommits) this.#late.shift()
  }

  /** Since when, Unix ms, somebody who last reported at `at` counts as silent: later by what gateways had to wait meanwhile. */
  silentFrom(at: number, now: number): number {
    let waited = Math.min(this.#lateMs(), now - at)
    for (let i = this.#late.length - 1; i >= 0; i--) {
      const { until, ms } = this.#late[i] ?? { until: at, ms: 0 }
      if (until <= at) break
      waited += Math.min(ms, until - at)
    }
    return at + Math.min(Math.max(waited, 0), atMostMs)
  }

  #lateMs(): number {
    return this.#since === null ? 0 : Math.max(0, this.#monotonic() - this.#since - ordinaryMs)
  }
}
