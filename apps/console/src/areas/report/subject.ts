import type { Point } from '@linewarden/equipment'
import { pointOf } from '@linewarden/equipment'
import { maxDeviceDataLines } from '@linewarden/rules/report'
import type { LineRef } from '../../plant/equipment.ts'
import type { DataAddress } from './address.ts'

/** Points of one quantity that some of the lines have, in the order of their families. */
export interface PointGroup {
  readonly quantity: Point['quantity']
  readonly points: readonly Point[]
}

/** Lines of which a table can be made: they measure something. */
export const measuring = (lines: readonly LineRef[]): readonly LineRef[] =>
  lines.filter(({ family }) => (family?.points.length ?? 0) > 0)

/** What some of the lines measure, each key once. */
export function pointsOf(lines: readonly LineRef[]): readonly Point[] {
  const found = new Map<string, Point>()
  for (const family of new Set(lines.map((each) => each.family)))
    for (const point of family?.points ?? []) if (!found.has(point.key)) found.set(point.key, point)
  return [...found.values()]
}

export const groupsOf = (points: readonly Point[]): readonly PointGroup[] =>
  [...Map.groupBy(points, ({ quantity }) => quantity)].map(([quantity, own]) => ({ quantity, points: own }))

const usualQuantities = new Set<Point['quantity']>(['current', 'energy'])
/** Of what measures no current. */
const usualCount = 4

/** What a table begins with: currents, the power in all and the energy; of detectors their first points. */
export function usualPoints(points: readonly Point[]): readonly Point[] {
  const electrical = points.filter(({ key, quantity }) => usualQuantities.has(quantity) || key === 'power.total')
  return electrical.some(({ quantity }) => quantity === 'current') ? electrical : points.slice(0, usualCount)
}

export interface Subject {
  /** All that may be chosen, in the order of the tree. */
  readonly offered: readonly LineRef[]
  readonly lines: readonly LineRef[]
  /** More lines than a table takes were selected: so many. */
  readonly cutOf: number | null
  readonly offeredPoints: readonly Point[]
  readonly points: readonly Point[]
}

/** Which lines and points the table is of: those that the address names among what the tree selects, else those that are usual. */
export function subjectOf(selected: readonly LineRef[], address: Pick<DataAddress, 'lines' | 'points'>): Subject {
  const offered = measuring(selected)
  const named = new Set(address.lines)
  const chosen = offered.filter(({ line }) => named.has(line.LineID))
  const offeredPoints = pointsOf(chosen.length > 0 ? chosen : offered)
  const byKey = new Map(offeredPoints.map((point) => [point.key, point]))
  const known = address.points?.flatMap((key) => byKey.get(key) ?? []) ?? null
  // What the address names may be of equipment that was selected before.
  const points = known === null || (known.length === 0 && address.points?.length !== 0) ? usualPoints(offeredPoints) : known
  const wanted = chosen.length > 0 ? chosen : offered.filter((each) => points.length === 0 || hasSome(each, points))
  return {
    ...{ offered, lines: wanted.slice(0, maxDeviceDataLines), offeredPoints, points: inOrder(points, offeredPoints) },
    cutOf: wanted.length > maxDeviceDataLines ? wanted.length : null,
  }
}

const hasSome = ({ family }: LineRef, points: readonly Point[]): boolean =>
  family !== null && points.some(({ key }) => pointOf(family, key))

const inOrder = (points: readonly Point[], all: readonly Point[]): readonly Point[] =>
  all.filter(({ key }) => points.some((each) => each.key === key))
