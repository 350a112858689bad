import type { LineHours, Span } from './hours.ts'
import { quantileOfSorted, sortedKnown } from './statistics.ts'

/** The quiet hours of a day: what leaks then leaks always, and is no appliance that comes and goes. */
const floorShare = 0.2
/** Fewer hours than these do not have a quiet fifth. */
const minFloorHours = 6
/** What a line carries at most, but for single hours. */
export const usualPeakShare = 0.95

/** The residual current of a line on one local day; null: too little is known. */
export interface LeakageDay {
  readonly day: number
  readonly floorMa: number | null
  readonly peakMa: number | null
}

/** The residual current of a day, from its hours that count. */
export function leakageDay(day: number, hours: LineHours, [from, to]: Span): LeakageDay {
  const values = sortedKnown(hours.residualMa.subarray(from, to).filter((_, i) => hours.counts[from + i] === 1))
  return {
    day,
    floorMa: values.length >= minFloorHours ? quantileOfSorted(values, floorShare) : null,
    peakMa: values.at(-1) ?? null,
  }
}
