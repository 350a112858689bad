/** How many, by line or by project; what is not there has none, while that is `known`. Else it is the last answer, or nothing. */
export interface TagCounts {
  readonly counts: ReadonlyMap<number, number>
  readonly known: boolean
}

/**
 * On one line, or in one project; null: not known. A tag that was there is shown until somebody knows better, and what came live after the
 * answer only adds to it: what another server hung may be missing there.
 */
export function tagsOn({ counts, known }: TagCounts, id: number, newer = 0): number | null {
  const count = Math.max(counts.get(id) ?? 0, newer)
  return count > 0 || known ? count : null
}

/** How many of these lines are tagged; null: not known. */
export const taggedAmong = ({ counts, known }: TagCounts, lineIds: readonly number[]): number | null =>
  known ? new Set(lineIds.filter((id) => counts.has(id))).size : null
