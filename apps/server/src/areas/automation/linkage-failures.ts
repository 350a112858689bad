/** One that fails every now and then begins anew, and is told, so often at most. */
const anewEveryMs = 60_000

/** How the evaluation of a linkage fares: what goes on failing is told once, and once more when it fails after it has gone well. */
export class LinkageFailures {
  #isFailing = false
  #anewAt: number | null = null

  /** It could not be evaluated. Whether it begins anew, and is told. */
  failed(now: number): boolean {
    const isAnew = !this.#isFailing && (this.#anewAt === null || Math.abs(now - this.#anewAt) >= anewEveryMs)
    this.#isFailing = true
    if (isAnew) this.#anewAt = now
    return isAnew
  }

  /** All that it reads was looked at. */
  wentWell(): void {
    this.#isFailing = false
  }
}
