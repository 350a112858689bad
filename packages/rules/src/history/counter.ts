import { clockToleranceMs } from '../monitor/quality.ts'

/**
 * Two readings whose device times lie further apart than this came in that order: a clock that is not marked is off by at most the
 * tolerance, the one ahead and the other behind.
 */
export const orderedAfterMs = 2 * clockToleranceMs

/** Rated current of the largest low-voltage breaker frame (IEC 60947-2 air circuit breakers), for lines whose own is not known. */
export const largestFrameA = 6_300

/**
 * What a line can use in an hour at most, in kWh per ampere of its rated current: three phases at 400 V + 10 % (IEC 60038), carrying
 * 1.45 In, at which a breaker must trip within the hour (IEC 60898-1, 9.10.1).
 */
export const maxKwhPerAmpereHour = (Math.sqrt(3) * 440 * 1.45) / 1_000
