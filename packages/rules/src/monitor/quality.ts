/** What is to be known of a stored reading, as bits; none: it is as it was reported, when it was reported. */
export const Quality = {
  /** The device's clock was off. */
  clock: 1,
  /** Back-filled after an interruption. */
  historical: 2,
} as const

/** Device time further from the server's than this is kept but marked. */
export const clockToleranceMs = 300_000

/**
 * Closing has a deadline of seconds that the gateway judges by its own clock, so its clock must be this near: with one four minutes behind
 * it would close four minutes late.
 */
export const closeClockToleranceMs = 2_000

/** Whether a device's clock can be believed. */
export const clockGood = (deviceAt: number, receivedAt: number): boolean => Math.abs(receivedAt - deviceAt) <= clockToleranceMs

/** Whether a device's clock is near enough to close by. */
export const clockNear = (deviceAt: number, receivedAt: number): boolean =>
  Math.abs(receivedAt - deviceAt) <= closeClockToleranceMs

/** The time a live value counts as: one from the future must not outlive the moment in which it came. */
export const liveTime = (at: number, receivedAt: number): number => Math.min(at, receivedAt)

/** Whether a reading may move the live value: never a back-filled one, never one older than what is shown. */
export const movesLive = (liveAt: number | null, at: number, historical: boolean): boolean =>
  !historical && (liveAt === null || at >= liveAt)

/**
 * Whether a report of the present lies before what was told last, by a clock that cannot be believed: then it is not out of order, but its clock
 * was set back, and all that follows would come too late until it is born again.
 */
export const isSetBack = (
  newestAt: number,
  { at, receivedAt, historical }: { readonly at: number; readonly receivedAt: number; readonly historical: boolean },
): boolean => at < newestAt && !historical && !clockGood(at, receivedAt)

const msPerUnit = { seconds: 1_000, microseconds: 1e-3, nanoseconds: 1e-6 } as const

/** A unit that a time was given in instead of milliseconds. */
export type MistakenUnit = keyof typeof msPerUnit

/** The unit that `at` was given in by mistake: read in it, and only so, it lies within `withinMs` of now. Null: it is in milliseconds. */
export function mistakenUnit(at: number, now: number, withinMs: number): MistakenUnit | null {
  if (Math.abs(now - at) <= withinMs) return null
  const units = Object.keys(msPerUnit) as MistakenUnit[]
  return units.find((unit) => Math.abs(now - at * msPerUnit[unit]) <= withinMs) ?? null
}
