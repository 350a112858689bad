interface Kind<T> {
  readonly latest: T
  readonly at: number
  readonly more: number
}

/**
 * Tells the first of a kind at once, and for `everyMs` after it only counts: then one line for all of them, with the latest. For what strangers
 * may do a thousand times a second.
 */
export function firstThenCounted<T>(
  everyMs: number,
  clock: () => number,
  tell: (latest: T, at: number, more: number) => Promise<void>,
) {
  const kinds = new Map<string, Kind<T>>()
  return {
    async note(kind: string, latest: T): Promise<void> {
      const now = clock()
      const known = kinds.get(kind)
      if (known && now - known.at < everyMs) {
        kinds.set(kind, { ...known, latest, more: known.more + 1 })
        return
      }
      kinds.set(kind, { latest, at: now, more: 0 })
      await tell(latest, now, known?.more ?? 0)
    },

    /** Tells what was counted long enough; for a timer to call. */
    async flush(): Promise<void> {
      const now = clock()
      for (const [kind, { latest, at, more }] of [...kinds]) {
        if (now - at < everyMs) continue
        kinds.delete(kind)
        if (more > 0) await tell(latest, now, more)
      }
    },
  }
}
