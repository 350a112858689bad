import { minuteMs } from '@linewarden/equipment'
import { stalePeriods } from '../alarm/link.ts'

/** How long a condition has been seen; changed in place, because every sample of a plant passes here. */
export interface Persistence {
  active: boolean
  /** The condition for a change was seen at the last sample, and for how long before. */
  counting: boolean
  observedMs: number
  /** Device time of the last sample, Unix ms. */
  lastAt: number
}

export const newPersistence = (): Persistence => ({
  active: false,
  counting: false,
  observedMs: 0,
  lastAt: Number.NEGATIVE_INFINITY,
})

/** Between two samples that lie closer than this the condition held all the time, or than the silence of equipment that reports seldom. */
const maxGapMs = minuteMs
/** After so long without data it begins anew; between both the clock stands still. */
const endsAfterMs = 10 * minuteMs

/** How long a condition must be seen, and how often the equipment reports. */
export interface Timing {
  readonly onMs: number
  readonly offMs: number
  readonly periodMs: number
}

export interface Verdict {
  readonly bad: boolean
  /** Back by the dead-band: between bad and good nothing moves. */
  readonly good: boolean
}

/** Follows a condition over samples that may be missing: only observed time counts. A sample that comes late or twice says nothing. */
export function persist(
  state: Persistence,
  { bad, good }: Verdict,
  at: number,
  { onMs, offMs, periodMs }: Timing,
): 'raised' | 'returned' | null {
  const gap = at - state.lastAt
  if (gap <= 0) return null
  const towards = state.active ? good : bad
  const bridgedMs = Math.max(maxGapMs, stalePeriods * periodMs)
  if (!towards || !state.counting || gap > Math.max(endsAfterMs, bridgedMs)) state.observedMs = 0
  else if (gap <= bridgedMs) state.observedMs += gap
  state.lastAt = at
  state.counting = towards
  if (!towards || state.observedMs < (state.active ? offMs : onMs)) return null
  state.active = !state.active
  state.counting = false
  state.observedMs = 0
  return state.active ? 'raised' : 'returned'
}
