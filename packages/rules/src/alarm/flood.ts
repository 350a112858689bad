/** More announcements than this within ten minutes, for what one person sees, are a flood (EEMUA 191, ISA-18.2); fewer than these end it. */
export const floodAbove = 10
export const floodEndsBelow = 5
export const floodWindowMs = 10 * 60_000

/** A flood that goes on. */
export interface AlarmFlood {
  /** When it began, Unix ms. */
  readonly since: number
  /** How many were announced since the first of those that made it one. */
  readonly announced: number
}

/** The flood that goes on at that moment; null: there is none. `announcedAt`: when alarms were announced, oldest first, Unix ms. */
export function floodAt(announcedAt: readonly number[], now: number): AlarmFlood | null {
  let [first, since, begun] = [0, 0, -1]
  const within = (at: number, count: number) => {
    while (first < count && (announcedAt[first] ?? 0) <= at - floodWindowMs) first += 1
    return count - first
  }
  for (const [index, at] of announcedAt.entries()) {
    if (at > now) break
    // Between two announcements fewer and fewer are within the window: it has the fewest just before the next one.
    if (begun >= 0 && within(at, index) < floodEndsBelow) begun = -1
    if (begun < 0 && within(at, index + 1) > floodAbove) [since, begun] = [at, first]
  }
  const past = announcedAt.findIndex((at) => at > now)
  const count = past < 0 ? announcedAt.length : past
  return begun >= 0 && within(now, count) >= floodEndsBelow ? { since, announced: count - begun } : null
}
