import type { HistoryPoint } from '@linewarden/contract'
import type { Point } from '@linewarden/equipment'
import { pointOf } from '@linewarden/equipment'
import type { LineRef } from '../../plant/equipment.ts'
import { localised } from '../../ui/i18n.ts'
import type { AddressPoint } from './address.ts'

/** A chosen point with the line it belongs to. */
export interface ChosenPoint {
  readonly lineRef: LineRef
  readonly point: Point
}

/** The chosen points that the person's equipment has; one that is gone is left out. */
export function chosenOf(points: readonly AddressPoint[], lines: readonly LineRef[]): ChosenPoint[] {
  const byId = new Map(lines.map((each) => [each.line.LineID, each]))
  return points.flatMap((each) => {
    const lineRef = byId.get(each.line)
    const point = lineRef?.family ? pointOf(lineRef.family, each.point) : null
    return lineRef && point ? [{ lineRef, point }] : []
  })
}

/** What is shown of a line when nothing else was chosen: its first quantity, phase by phase. */
export function firstPoints({ project, line, family }: LineRef): AddressPoint[] {
  const quantity = family?.points[0]?.quantity
  return (family?.points ?? [])
    .filter((each) => each.quantity === quantity)
    .map(({ key }) => ({ house: project.HouseID, line: line.LineID, point: key }))
}

export const inAddress = ({ lineRef, point }: ChosenPoint): AddressPoint => ({
  house: lineRef.project.HouseID,
  line: lineRef.line.LineID,
  point: point.key,
})

export const inCall = ({ lineRef, point }: ChosenPoint): HistoryPoint => ({ LineID: lineRef.line.LineID, Point: point.key })

/** What a chosen point is called: its line, then what is measured. */
export const namesOf = ({ lineRef, point }: ChosenPoint): readonly string[] => [lineRef.line.LineName, localised(point.label)]
