/** Closing loads one by one keeps the inrush of one from adding to the next. domain.md: at least one second. */
export const minStaggerMs = 1_000

export type Stagger = ReturnType<typeof createStagger>

/**
 * When a line of a project was last closed or tested automatically: group operations and automatic re-closing share the stagger.
 * `monotonicMs`: time that no clock step moves.
 */
export function createStagger(monotonicMs: () => number) {
  const lastOf = new Map<number, number>()
  return {
    /** How long to wait, in ms; nothing or less: it may be now. */
    waitMs: (projectId: number, staggerMs: number): number =>
      (lastOf.get(projectId) ?? Number.NEGATIVE_INFINITY) + staggerMs - monotonicMs(),
    begins(projectId: number): void {
      lastOf.set(projectId, monotonicMs())
    },
  }
}
