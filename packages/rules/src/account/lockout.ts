/** Five failures in fifteen minutes lock for fifteen minutes from the last one; there is no permanent lock. */
export const allowedFailures = 5
export const lockMs = 15 * 60_000

export type Gate = { readonly open: true; readonly left: number } | { readonly open: false; readonly until: number }

/** Whether another try is allowed after these failures (Unix ms, any order). `left` counts the tries before the lock. */
export function gate(failuresAt: readonly number[], now: number): Gate {
  const recent = failuresAt.filter((at) => now - at < lockMs)
  if (recent.length < allowedFailures) return { open: true, left: allowedFailures - recent.length }
  return { open: false, until: Math.max(...recent) + lockMs }
}
