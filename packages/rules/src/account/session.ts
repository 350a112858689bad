export interface SessionTimes {
  /** Unix ms. */
  readonly createdAt: number
  readonly lastUsedAt: number
}

export interface SessionLimits {
  readonly idleMs: number
  readonly absoluteMs: number
}

/** Whether a session may still be used. */
export const sessionAlive = (
  { createdAt, lastUsedAt }: SessionTimes,
  { idleMs, absoluteMs }: SessionLimits,
  now: number,
): boolean => now - lastUsedAt < idleMs && now - createdAt < absoluteMs

/**
 * Whether a call counts as use of its session. A console says whether somebody is at it (null: the caller does not say), and then that alone
 * counts: a page asks for much by itself, and would never let a session end that everybody has left.
 */
export const isUse = (call: { readonly keepsAlive?: false }, attended: boolean | null): boolean =>
  attended ?? call.keepsAlive !== false
