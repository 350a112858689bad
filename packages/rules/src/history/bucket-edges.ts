import { dayMs, hourMs } from '@linewarden/equipment'
import type { CivilZone } from '../automation/civil-time.ts'

/** A Monday: longer buckets begin at its midnight, or so many of them later. */
const anchor = Date.UTC(2000, 0, 3)

/**
 * Where the buckets of an hour and more that touch `[from, to)` begin and end, Unix ms, in order. Those of more than an hour go by the clock of the
 * zone, so that six hours are six hours of the day also where clocks change.
 */
export function bucketEdges(
  zone: CivilZone,
  bucketMs: number,
  { from, to }: { readonly from: number; readonly to: number },
): readonly number[] {
  const isHour = bucketMs === hourMs
  const first = isHour ? Math.floor(from / hourMs) : Math.floor((zone.wallAt(from) - anchor) / bucketMs)
  const edges: number[] = []
  for (let bucket = first; ; bucket++) {
    const at = isHour ? bucket * hourMs : instantOf(zone, anchor + bucket * bucketMs)
    if (at > (edges.at(-1) ?? Number.NEGATIVE_INFINITY)) edges.push(at)
    if (at >= to) return edges
  }
}

/** When the clock shows so much; where it skips that, when it goes on. */
function instantOf(zone: CivilZone, wall: number): number {
  const day = Math.floor(wall / dayMs)
  const second = Math.round((wall - day * dayMs) / 1_000)
  // No zone left out two dates in a row.
  return (zone.resolve(day, second) ?? zone.resolve(day + 1, 0))?.at ?? wall
}
