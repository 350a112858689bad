/**
 * Of what comes more often than it is worth, the newest only: the first at once, then the newest each `everyMs`. More than `most` in between
 * are no longer a person's doing: `flooded` is called. `over` forgets what waits.
 */
export function newestOnly<T>(options: {
  readonly everyMs: number
  readonly most: number
  readonly take: (value: T) => void
  readonly flooded: () => void
}): { came(value: T): void; over(): void } {
  const { everyMs, most, take, flooded } = options
  let timer: NodeJS.Timeout | undefined
  let waiting: { readonly value: T } | null = null
  let since = 0
  return {
    came(value) {
      if (timer !== undefined) {
        waiting = { value }
        since += 1
        if (since > most) flooded()
        return
      }
      timer = setTimeout(rested, everyMs)
      take(value)
    },
    over() {
      clearTimeout(timer)
      waiting = null
    },
  }

  function rested(): void {
    timer = undefined
    since = 0
    if (waiting === null) return
    const { value } = waiting
    waiting = null
    timer = setTimeout(rested, everyMs)
    take(value)
  }
}
