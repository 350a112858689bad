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
