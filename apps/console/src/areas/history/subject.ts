import type { HistoryPoint } from '@linewarden/contract'
import type { Point } from '@linewarden/equipment'
import { pointOf } from '@linewarden/equipment'
import { said } from '../../texts/i18n.ts'
import type { PlacedLine } from '../monitor/equipment.ts'

/** A chosen point with the line it belongs to. */
export interface ChosenPoint {
  readonly placed: PlacedLine
  readonly point: Point
}

/** The chosen points that the person's tree has; one that is gone is left out. */
export function chosenOf(points: readonly HistoryPoint[], lines: readonly PlacedLine[]): ChosenPoint[] {
  const byId = new Map(lines.map((each) => [each.line.LineID, each]))
  return points.flatMap(({ LineID, Point }) => {
    const placed = byId.get(LineID)
    const point = placed?.family ? pointOf(placed.family, Point) : null
    return placed && point ? [{ placed, point }] : []
  })
}

/** What is shown of a line when nothing else was chosen: its first quantity, phase by phase. */
export function firstPoints({ line, family }: PlacedLine): HistoryPoint[] {
  const quantity = family?.points[0]?.quantity
  return (family?.points ?? [])
    .filter((each) => each.quantity === quantity)
    .map(({ key }) => ({ LineID: line.LineID, Point: key }))
}

export const nameOf = ({ placed, point }: ChosenPoint): string => `${placed.line.LineName} ${said(point.label)}`
