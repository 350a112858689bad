import type { Group } from '@linewarden/contract'
import { maxHistoryPoints } from '@linewarden/contract'
import { useMemo } from 'react'
import type { LineRef, Selection } from '../../plant/equipment.ts'
import { housesOf, isSelected } from '../../plant/equipment.ts'
import { useLineRefs, useProjects } from '../../plant/queries.ts'
import type { AddressPoint } from './address.ts'
import { pointsText, readPoints } from './address.ts'
import { chosenOf, firstPoints, inCall } from './subject.ts'

/** More lines than this are not listed to choose from: a project must be selected first. */
const maxLines = 5_000

/**
 * The points that the address names, or the tree's selection where it names none, and the lines to choose others from. Lines are fetched
 * project by project: those of the chosen points, and while somebody picks those that are offered.
 */
export function usePoints(
  groups: readonly Group[],
  selection: Selection,
  inAddress: readonly AddressPoint[] | null,
  isPicking: boolean,
) {
  // Another range leaves the points as they are, and with them all that is made of them.
  const named = inAddress && pointsText(inAddress)
  const offered = housesOf(selection, groups)
  const isTooMuch = offered.reduce((sum, { Counts }) => sum + Counts.Lines, 0) > maxLines && offered.length > 1
  const isAsked = isPicking || isOneLine(selection)
  const wanted = [
    ...(inAddress ?? []).map(({ house }) => house),
    ...(isAsked && !isTooMuch ? offered.map(({ HouseID }) => HouseID) : []),
  ]
  const mine = new Set(groups.flatMap(({ Houses }) => Houses.map(({ HouseID }) => HouseID)))
  const { projects, lacking } = useProjects([...new Set(wanted)].filter((id) => mine.has(id)))
  const all = useLineRefs(projects)
  const points = useMemo(() => (named === null ? pointsOfTree(selection, all) : readPoints(named)), [named, selection, all])
  const chosen = useMemo(() => chosenOf(points, all), [points, all])
  const asked = useMemo(() => chosen.map(inCall), [chosen])
  return {
    chosen,
    /** The chosen points as a call names them. */
    asked,
    /** Of a link that is older than the plant: said, and not silently shown as less. */
    gone: lacking ? 0 : points.length - chosen.length,
    project: chosen[0]?.lineRef.project ?? offered[0],
    lines: isTooMuch ? [] : all,
    isTooMuch,
    lacking,
  }
}

const isOneLine = ({ kind }: Selection): boolean => kind === 'line' || kind === 'device'

/** Nothing chosen yet: the line or device that the tree has selected speaks. */
function pointsOfTree(selection: Selection, all: readonly LineRef[]): AddressPoint[] {
  const line = isOneLine(selection) ? all.find((each) => isSelected(each, selection)) : undefined
  return line ? firstPoints(line).slice(0, maxHistoryPoints) : []
}
