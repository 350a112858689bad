/** Closing loads one by one keeps the inrush of one from adding to the next. domain.md: at least one second. */
export const leastDistanceMs = 1_000

export type Distance = ReturnType<typeof createDistance>

/**
 * When something of a project was last closed or tested without a hand on it: groups and automatic re-closing keep the distance together.
 * `monotonicMs`: time that no clock step moves.
 */
export function createDistance(monotonicMs: () => number) {
  const lastOf = new Map<number, number>()
  return {
    /** How long to wait, in ms; nothing or less: it may be now. */
    waitMs: (projectId: number, distanceMs: number): number =>
      (lastOf.get(projectId) ?? Number.NEGATIVE_INFINITY) + distanceMs - monotonicMs(),
    begins(projectId: number): void {
      lastOf.set(projectId, monotonicMs())
    },
  }
}
