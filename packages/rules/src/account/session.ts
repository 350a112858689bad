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

const provedForMs = 5 * 60_000

/** Whether the password was given so lately that it need not be asked again. `provedAt` null: not at all in this session. */
export const provedLately = (provedAt: number | null, now: number): boolean => provedAt !== null && now - provedAt < provedForMs

/**
 * Whether a call counts as use of its session. A console says whether somebody is at it (null: the caller does not say), and then that alone
 * counts: a page asks for much by itself, and would never let a session end that everybody has left.
 */
export const isUse = (call: { readonly keepsAlive?: false }, attended: boolean | null): boolean =>
  attended ?? call.keepsAlive !== false
