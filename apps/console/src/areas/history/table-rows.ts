import type { EventRecord } from '@linewarden/contract'
import type { Drawn } from './panels.ts'

export interface HistoryRow {
  readonly at: number
  /** Index into each series' arrays; null where it has nothing at this time. */
  readonly places: readonly (number | null)[]
  readonly quality: 'good' | 'late' | 'clock' | 'gap'
  readonly events: readonly EventRecord[]
}

/** One row per time that any point has, newest first; events stand in the row of the time that holds them. */
export function rowsOf(drawn: readonly Drawn[], events: readonly EventRecord[], previousMs: number): HistoryRow[] {
  const times = new Map<number, (number | null)[]>()
  for (const [column, { series }] of drawn.entries()) {
    for (const [index, at] of series.At.entries()) {
      const places = times.get(at) ?? drawn.map(() => null)
      places[column] = index
      times.set(at, places)
    }
  }
  // Nothing was said in this period: what was said in the one before is still to be read.
  if (times.size === 0)
    for (const { previous } of drawn)
      for (const [index, at] of (previous?.At ?? []).entries())
        if (previous?.Value[index] != null)
          times.set(
            at + previousMs,
            drawn.map(() => null),
          )
  const sorted = [...times].sort(([a], [b]) => b - a)
  const pending = [...events].sort((a, b) => b.RaisedAt - a.RaisedAt)
  let next = 0
  return sorted.map(([at, places], row) => {
    const own: EventRecord[] = []
    const isLast = row === sorted.length - 1
    for (let event = pending[next]; event && (isLast || event.RaisedAt >= at); event = pending[++next]) own.push(event)
    return { at, places, quality: qualityOf(drawn, places, at), events: own.reverse() }
  })
}

function qualityOf(drawn: readonly Drawn[], places: readonly (number | null)[], at: number): HistoryRow['quality'] {
  const within = (of: 'Late' | 'ClockOff') =>
    drawn.some(({ series }, i) => places[i] !== null && series[of].some(([from, to]) => at >= from && at <= to))
  if (places.every((place, i) => place === null || drawn[i]?.series.Value[place] === null)) return 'gap'
  if (within('Late')) return 'late'
  return within('ClockOff') ? 'clock' : 'good'
}
