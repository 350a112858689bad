/** What is to come of a linkage; null lines: nothing. Times Unix ms. */
export interface ExpectedFiring {
  readonly linkageId: number
  /** Lines that it trips. */
  readonly lineIds: readonly number[]
  /** When the reading that makes it rise was committed; null: it never was. */
  readonly committedAt: number | null
  /** So long its condition must be met first. */
  readonly forMs: number
}

export interface FoundRun {
  readonly executionId: string
  readonly linkageId: number
  readonly trips: readonly { readonly lineId: number; readonly sentAt: number | null }[]
}

export interface FiringsFound {
  /** Expected, and there is no run of it. */
  readonly missing: number
  /** Runs beyond the one that was expected. */
  readonly twice: number
  /** Runs of linkages of which none was expected. */
  readonly unexpected: number
  /** Lines of the expected runs that were not sent an order, or not that one. */
  readonly notSent: number
  /** From the commit to the order's publication, of those that wait for nothing. */
  readonly sentAfterMs: readonly number[]
  /** Beyond their duration, of those that wait. */
  readonly lateAfterDurationMs: readonly number[]
}

/** Holds the runs that are stored against what was made to happen. */
export function compareFirings(expected: readonly ExpectedFiring[], runs: readonly FoundRun[]): FiringsFound {
  const byLinkage = Map.groupBy(runs, ({ linkageId }) => linkageId)
  const wanted = new Set(expected.map(({ linkageId }) => linkageId))
  const sentAfterMs: number[] = []
  const lateAfterDurationMs: number[] = []
  let [missing, twice, notSent] = [0, 0, 0]
  for (const { linkageId, lineIds, committedAt, forMs } of expected) {
    const own = byLinkage.get(linkageId) ?? []
    if (own.length === 0) missing++
    twice += Math.max(0, own.length - 1)
    const trips = own[0]?.trips ?? []
    for (const lineId of lineIds) {
      const sentAt = trips.find((each) => each.lineId === lineId)?.sentAt ?? null
      if (own.length > 0 && sentAt === null) notSent++
      if (sentAt === null || committedAt === null) continue
      if (forMs === 0) sentAfterMs.push(sentAt - committedAt)
      else lateAfterDurationMs.push(sentAt - committedAt - forMs)
    }
    notSent += trips.filter(({ lineId }) => !lineIds.includes(lineId)).length
  }
  const unexpected = runs.filter(({ linkageId }) => !wanted.has(linkageId)).length
  return { missing, twice, unexpected, notSent, sentAfterMs, lateAfterDurationMs }
}

/** How often each line was tripped by its own log, against the lines that were to be: once each, and no other. */
export function compareTrips(
  expected: readonly string[],
  tripped: readonly string[],
): { notTripped: number; trippedElse: number } {
  const counts = new Map<string, number>()
  for (const line of tripped) counts.set(line, (counts.get(line) ?? 0) + 1)
  const wanted = new Set(expected)
  const notTripped = expected.filter((line) => !counts.has(line)).length
  const trippedElse = [...counts].reduce((sum, [line, count]) => sum + count - (wanted.has(line) ? 1 : 0), 0)
  return { notTripped, trippedElse }
}
