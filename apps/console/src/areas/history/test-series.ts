import type { HistorySeries } from '@linewarden/contract'

/** A point's readings at these times, for tests; values are the times where nothing else is said. */
export const series = (At: number[], BucketMs: number, Value: (number | null)[] = At): HistorySeries => ({
  LineID: 1,
  Point: 'current.a',
  Level: 'raw',
  BucketMs,
  At,
  Value,
  Min: [],
  Max: [],
  Gaps: [],
  Late: [],
  ClockOff: [],
})
