/** Five failures in fifteen minutes lock for fifteen minutes from the last one; there is no permanent lock. */
export const allowedFailures = 5
export const lockMs = 15 * 60_000

export type Gate = { readonly open: true; readonly left: number } | { readonly open: false; readonly until: number }

/** Failures older than this play no part any more; callers need fetch no more. */
export const rememberFailuresMs = 2 * lockMs

/** Whether another try is allowed after these failures (Unix ms, any order). `left` counts the tries before the lock. */
export function gate(failuresAt: readonly number[], now: number, allowed = allowedFailures): Gate {
  const failures = [...failuresAt].sort((a, b) => a - b)
  // Any so many within fifteen minutes lock from the last of them on, even when the first of them has grown old meanwhile.
  const locking = failures.filter((at, index) => at - (failures[index - allowed + 1] ?? Number.NEGATIVE_INFINITY) < lockMs)
  const last = locking.at(-1)
  if (last !== undefined && now < last + lockMs) return { open: false, until: last + lockMs }
  return { open: true, left: allowed - failures.filter((at) => now - at < lockMs).length }
}
