import type { LineState } from '@linewarden/contract'
import type { Family, Point } from '@linewarden/equipment'
import type { Level } from '@linewarden/rules/alarm'
import { levelsOf } from '@linewarden/rules/alarm'

/** A value with the limit that it is read against. */
export interface LimitedPoint {
  readonly point: Point
  readonly value: number | null
  readonly level: Level
}

/** The levels of alarms, and of warnings where nothing else is there for the point; each by the point that is nearest to it. */
export function limitedPoints(
  family: Family,
  state: LineState | undefined,
  effective: (key: string) => number | null,
): readonly LimitedPoint[] {
  const levels = levelsOf(family, effective)
  const alarmed = new Set(levels.filter(({ kind }) => kind === 'alarm').flatMap(({ points }) => points))
  return levels.flatMap((level) => {
    if (level.kind !== 'alarm' && level.points.every((key) => alarmed.has(key))) return []
    const candidates = level.points.flatMap((key) => {
      const index = family.points.findIndex((point) => point.key === key)
      const point = family.points[index]
      return point ? [{ point, value: state?.Values[index] ?? null, level }] : []
    })
    const sign = level.side === 'over' ? -1 : 1
    const nearest = candidates.sort(
      (a, b) => sign * ((a.value ?? -sign * Number.MAX_VALUE) - (b.value ?? -sign * Number.MAX_VALUE)),
    )[0]
    return nearest ? [nearest] : []
  })
}
