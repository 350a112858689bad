const minuteMs = 60_000
/** At ten past four by the project's clock, each wall at a moment of its own. */
const atMinute = 4 * 60 + 10
const aroundMinutes = 20
/** A wall that was not calm by then waits until it is, but not into the morning. */
const untilMinute = 5 * 60 + 30

const minuteOf = (at: number, timeZone: string): number => {
  const [hours = 0, minutes = 0] = new Intl.DateTimeFormat('sv-SE', { timeZone, hour: '2-digit', minute: '2-digit' })
    .format(at)
    .split(':')
    .map(Number)
  return hours * 60 + minutes
}

/**
 * Whether a wall is to be loaded anew now: hygiene of a page that stands for months, and not need. `share`: 0 to 1, of this wall alone, so that
 * not all of a site ask at once.
 */
export function isNightlyDue(
  now: number,
  { loadedAt, timeZone, share }: { readonly loadedAt: number; readonly timeZone: string; readonly share: number },
): boolean {
  // Loaded this very night it is fresh.
  if (now - loadedAt < 60 * minuteMs) return false
  const minute = minuteOf(now, timeZone)
  return minute >= atMinute - aroundMinutes + Math.floor(2 * aroundMinutes * share) && minute < untilMinute
}
