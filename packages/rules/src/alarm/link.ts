/** Silent for this many reporting periods is stale. */
export const stalePeriods = 3

/** Whether a gateway that is connected and born has been silent too long. */
export const isStale = (lastMessageAt: number, reportingPeriodMs: number, now: number): boolean =>
  now - lastMessageAt > stalePeriods * reportingPeriodMs
