import type { Gate } from './lockout.ts'
import { gate } from './lockout.ts'

/** Failures of one network, over all accounts, after which its sign-ins are slowed down, and locked. */
export const slowedFrom = 20
const lockedFrom = 60
const slowestMs = 8_000

/**
 * Whether a network may try another sign-in now, after its failures over all accounts (Unix ms, any order): whoever tries one password on many
 * accounts fails each of them only once. `left` counts the tries before the lock.
 */
export function signInPace(failuresAt: readonly number[], now: number): Gate {
  const lock = gate(failuresAt, now, lockedFrom)
  if (!lock.open) return lock
  const failures = lockedFrom - lock.left
  if (failures < slowedFrom) return lock
  const everyMs = Math.min(slowestMs, 1_000 * 2 ** Math.floor((failures - slowedFrom) / 10))
  const until = Math.max(...failuresAt) + everyMs
  return now < until ? { open: false, until } : lock
}
