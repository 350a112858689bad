import { hourMs } from '@linewarden/equipment'

/**
 * How far the time of a push may be from now. OneNET tries again for 2 h 45 min, and what it sends then carries the time of the first try;
 * a platform's clock may be some minutes ahead.
 */
const behindMs = 3 * hourMs
const aheadMs = 10 * 60_000

/** Whether a push of this time is taken. A platform that gives no time has none to judge. */
export const pushTimely = (at: number | null, now: number): boolean =>
  at === null || (at >= now - behindMs && at <= now + aheadMs)
