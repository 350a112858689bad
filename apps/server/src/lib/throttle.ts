import { sequential } from './sequential.ts'

interface Kind<T> {
  readonly latest: T
  readonly at: number
  readonly more: number
}

/** Of one matter so many kinds are told apart; all others of it are one more. */
export const maxApart = 20

/**
 * Tells the first of a kind at once, and for `everyMs` after it only counts: then one line for all of them, with the latest. For what unknown clients
 * may do a thousand times a second: however many kinds they make of a matter, it is only so many lines.
 */
export function throttle<T>(
  everyMs: number,
  clock: () => number,
  report: (latest: T, at: number, more: number) => Promise<void>,
) {
  /** Null: the kinds that are not told apart. */
  const matters = new Map<string, Map<string | null, Kind<T>>>()
  return {
    async note(matter: string, kind: string, latest: T): Promise<void> {
      const now = clock()
      const kinds = kindsOf(matter)
      const name = kinds.has(kind) || kinds.size < maxApart ? kind : null
      const known = kinds.get(name)
      if (known && now - known.at < everyMs) {
        kinds.set(name, { ...known, latest, more: known.more + 1 })
        return
      }
      const more = known?.more ?? 0
      kinds.set(name, { latest, at: now, more: 0 })
      await report(latest, now, more).catch((error) => {
        countAgain(matter, name, { latest, at: now, more: more + 1 })
        throw error
      })
    },

    /** Tells what was counted long enough, for a timer to call; everything when it is the last time. What cannot be told keeps back no other. */
    async flush(isLast = false): Promise<void> {
      const now = clock()
      const all = [...matters].flatMap(([matter, kinds]) => [...kinds.keys()].map((name) => ({ matter, name })))
      await sequential(
        all.map(({ matter, name }) => async () => {
          const kinds = matters.get(matter)
          const known = kinds?.get(name)
          if (!kinds || !known || (!isLast && now - known.at < everyMs)) return
          kinds.delete(name)
          if (kinds.size === 0) matters.delete(matter)
          if (known.more === 0) return
          await report(known.latest, now, known.more).catch((error) => {
            countAgain(matter, name, known)
            throw error
          })
        }),
      )
    },
  }

  function kindsOf(matter: string): Map<string | null, Kind<T>> {
    const kinds = matters.get(matter) ?? new Map<string | null, Kind<T>>()
    matters.set(matter, kinds)
    return kinds
  }

  /** It could not be told: the next time tells it with what came since. */
  function countAgain(matter: string, name: string | null, unreported: Kind<T>): void {
    const kinds = kindsOf(matter)
    const since = kinds.get(name)
    kinds.set(name, since ? { ...since, more: since.more + unreported.more } : unreported)
  }
}
