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
      const more = known?.more ?? 0
      kinds.set(kind, { latest, at: now, more: 0 })
      await tell(latest, now, more).catch((error) => {
        countAgain(kind, { latest, at: now, more: more + 1 })
        throw error
      })
    },

    /** Tells what was counted long enough, for a timer to call; everything when it is the last time. */
    async flush(isLast = false): Promise<void> {
      const now = clock()
      for (const kind of [...kinds.keys()]) {
        const known = kinds.get(kind)
        if (!known || (!isLast && now - known.at < everyMs)) continue
        kinds.delete(kind)
        if (known.more === 0) continue
        await tell(known.latest, now, known.more).catch((error) => {
          countAgain(kind, known)
          throw error
        })
      }
    },
  }

  /** It could not be told: the next time tells it with what came since. */
  function countAgain(kind: string, untold: Kind<T>): void {
    const since = kinds.get(kind)
    kinds.set(kind, since ? { ...since, more: since.more + untold.more } : untold)
  }
}
