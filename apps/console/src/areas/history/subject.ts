import type { HistoryPoint } from '@linewarden/contract'
import type { Point } from '@linewarden/equipment'
import { pointOf } from '@linewarden/equipment'
import type { PlacedLine } from '../../plant/equipment.ts'
import { said } from '../../ui/i18n.ts'
import type { AddressPoint } from './address.ts'

/** A chosen point with the line it belongs to. */
export interface ChosenPoint {
  readonly placed: PlacedLine
  readonly point: Point
}

/** The chosen points that the person's equipment has; one that is gone is left out. */
export function chosenOf(points: readonly AddressPoint[], lines: readonly PlacedLine[]): ChosenPoint[] {
  const byId = new Map(lines.map((each) => [each.line.LineID, each]))
  return points.flatMap((each) => {
    const placed = byId.get(each.line)
    const point = placed?.family ? pointOf(placed.family, each.point) : null
    return placed && point ? [{ placed, point }] : []
  })
}

/** What is shown of a line when nothing else was chosen: its first quantity, phase by phase. */
export function firstPoints({ project, line, family }: PlacedLine): AddressPoint[] {
  const quantity = family?.points[0]?.quantity
  return (family?.points ?? [])
    .filter((each) => each.quantity === quantity)
    .map(({ key }) => ({ house: project.HouseID, line: line.LineID, point: key }))
}

export const inAddress = ({ placed, point }: ChosenPoint): AddressPoint => ({
  house: placed.project.HouseID,
  line: placed.line.LineID,
  point: point.key,
})

export const inCall = ({ placed, point }: ChosenPoint): HistoryPoint => ({ LineID: placed.line.LineID, Point: point.key })

/** What a chosen point is called: its line, then what is measured. */
export const namesOf = ({ placed, point }: ChosenPoint): readonly string[] => [placed.line.LineName, said(point.label)]
