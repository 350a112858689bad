/** Closing loads one by one keeps the inrush of one from adding to the next. domain.md: at least one second. */
export const minStaggerMs = 1_000

export type Stagger = ReturnType<typeof createStagger>

/** Called when the order has left, or nothing came of it. */
export type Turn = () => void

/** Where all servers of a database take the turns of a project. */
export interface SharedTurns {
  /** 0: the turn is taken; else how long to wait, ms. */
  take(projectId: number, staggerMs: number, turnId: string): Promise<number>
  /** The order of that turn has left. */
  end(projectId: number, turnId: string): Promise<void>
}

/**
 * When a line of a project was last closed or tested automatically: timers, scenes, group operations and automatic re-closing share the
 * stagger, on all servers of a database. `monotonicMs`: time that no clock step moves.
 */
export function createStagger(monotonicMs: () => number, shared: SharedTurns | null = null) {
  const lastOf = new Map<number, number>()
  const waitMs = (projectId: number, staggerMs: number): number =>
    (lastOf.get(projectId) ?? Number.NEGATIVE_INFINITY) + staggerMs - monotonicMs()
  return {
    /**
     * Takes the project's turn: what is answered is called when its order has left, or nothing came of it; the stagger counts from there. Or
     * answers how long to wait, in ms. While the database cannot be asked, what this server knows counts.
     */
    async take(projectId: number, staggerMs: number): Promise<Turn | number> {
      const own = waitMs(projectId, staggerMs)
      if (own > 0) return own
      const turnId = crypto.randomUUID()
      if (shared) {
        const wait = await shared.take(projectId, staggerMs, turnId).catch(() => waitMs(projectId, staggerMs))
        if (wait > 0) return wait
      }
      lastOf.set(projectId, monotonicMs())
      return () => {
        lastOf.set(projectId, monotonicMs())
        // Until it is stored others wait for longer, never for less.
        shared?.end(projectId, turnId).catch(() => {})
      }
    },
    /** Something of this server is closed now, without a turn. */
    begins(projectId: number): void {
      lastOf.set(projectId, monotonicMs())
    },
  }
}
