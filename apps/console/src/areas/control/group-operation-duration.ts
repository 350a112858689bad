/** How long until the last of these lines has its turn, in their order: closes and tests are staggered within a project. */
export function groupDurationMs(projectIds: readonly number[], staggerMs: number): number {
  const last = new Map<number, number>()
  let now = 0
  for (const id of projectIds) {
    now = Math.max(now, (last.get(id) ?? -staggerMs) + staggerMs)
    last.set(id, now)
  }
  return now
}

export const minStagger = 1
export const maxStagger = 60

/** Seconds between two lines as somebody wrote them, in ms; null: no such stagger is possible. */
export function staggerMsOf(text: string): number | null {
  const seconds = /^\d{1,2}(\.\d)?$/.test(text.trim()) ? Number(text) : 0
  return seconds >= minStagger && seconds <= maxStagger ? Math.round(seconds * 1_000) : null
}
