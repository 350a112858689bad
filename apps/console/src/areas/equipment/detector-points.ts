import type { LineState } from '@linewarden/contract'
import type { Family, Point, Quantity } from '@linewarden/equipment'
import type { Level } from '@linewarden/rules/alarm'
import { levelOfPoint, levelsOf } from '@linewarden/rules/alarm'
import type { LineRef } from '../../plant/equipment.ts'

/** One figure of a detector, with the level it is read against. */
export interface DetectorPoint {
  readonly point: Point
  readonly value: number | null
  readonly level: Level | null
}

/** What tells how well a detector can be reached, and not what it senses. */
const upkeep: ReadonlySet<Quantity> = new Set(['battery', 'signal'])
/** Totals of a lifetime: the drawer has them. */
const totals: ReadonlySet<Quantity> = new Set(['energy', 'count'])
const maxSensed = 4

/** What a detector senses, the figures with a level first and of several temperatures the hottest; and how well it can be reached. */
export function detectorPoints(
  family: Family,
  line: LineRef['line'],
  state: LineState | undefined,
): { readonly sensed: readonly DetectorPoint[]; readonly upkeep: readonly DetectorPoint[] } {
  const levels = levelsOf(family, (key) => line.Settings[key] ?? null)
  const all = family.points.map(
    (point, index): DetectorPoint => ({
      point,
      value: state?.Values[index] ?? null,
      level: levelOfPoint(levels, point.key),
    }),
  )
  const temperatures = all.filter(({ point }) => point.quantity === 'temperature')
  const hottest = temperatures.toSorted((a, b) => (b.value ?? -1e9) - (a.value ?? -1e9))[0]
  const sensed = all.filter(
    (each) =>
      !upkeep.has(each.point.quantity) &&
      (!totals.has(each.point.quantity) || all.length <= maxSensed) &&
      (each.point.quantity !== 'temperature' || each === hottest),
  )
  const wanted = new Set(sensed.toSorted((a, b) => Number(b.level !== null) - Number(a.level !== null)).slice(0, maxSensed))
  return {
    sensed: sensed.filter((each) => wanted.has(each)),
    upkeep: all.filter(({ point }) => upkeep.has(point.quantity)),
  }
}
