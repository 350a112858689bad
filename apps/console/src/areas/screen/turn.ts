/** A page stays so long before the next one takes its place, and one that somebody turned to so long. */
const dwellMs = 20_000
const turnedMs = 60_000

export interface Turned {
  readonly page: number
  readonly at: number
}

/** Which page is shown: the one that somebody turned to a moment ago, else one after the other. A cut, no slide. */
export function pageAt(pages: number, turned: Turned | null, now: number): number {
  if (pages <= 1) return 0
  if (turned && now - turned.at < turnedMs) return Math.min(turned.page, pages - 1)
  return Math.floor(now / dwellMs) % pages
}
