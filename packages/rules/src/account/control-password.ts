import type { Gate } from './lockout.ts'
import { gate } from './lockout.ts'

/** Wrong control passwords of one account, whatever sessions they came from: a new session is no new series of guesses. */
const allowedOfAccount = 20

/** What the control password is asked for, as a grant names it. A trip makes things safe: no lock keeps anybody from it. */
export const isTripOperation = (operation: string): boolean => operation.startsWith('trip:')

/**
 * Whether another control password may be tried after the failures of this session, and those of its account in all sessions (Unix ms). A
 * stranger's guesses in one session leave the others alone until there are too many of them.
 */
export function controlGate(ofSession: readonly number[], ofAccount: readonly number[], now: number): Gate {
  const [session, account] = [gate(ofSession, now), gate(ofAccount, now, allowedOfAccount)]
  if (!session.open || !account.open) return later(session, account)
  return { open: true, left: Math.min(session.left, account.left) }
}

const later = (a: Gate, b: Gate): Gate => ({ open: false, until: Math.max(untilOf(a), untilOf(b)) })
const untilOf = (each: Gate): number => (each.open ? 0 : each.until)
