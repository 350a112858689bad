import type { PlanPage, PlanWindow } from '@linewarden/rules/screen'
import { fitPlan, windowsOf } from '@linewarden/rules/screen'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Diagram } from './diagram.tsx'
import { pageOfLine, planTurns } from './plan-turns.ts'
import type { Plant } from './use-plant.ts'
import { useTurning } from './use-turning.ts'

interface Room {
  readonly width: number
  readonly height: number
}

/** The pages of a plant for a place; another page where what is abnormal changes what may be folded. */
export function usePages({ graph, topology, present }: Plant, { width, height }: Room): readonly PlanPage[] {
  const abnormal = [...present.abnormal].sort((one, other) => one - other).join()
  return useMemo(() => {
    const transformers = new Set(topology.Sources.flatMap(({ SourceID, Transformer }) => (Transformer ? [SourceID] : [])))
    const set = new Set(abnormal === '' ? [] : abnormal.split(',').map(Number))
    return fitPlan(graph, { width, height, abnormal: set, transformers }).pages
  }, [graph, topology, abnormal, width, height])
}

/** The same as they are shown one after the other: what is larger than the place in several parts, never smaller. */
export const useWindows = (pages: readonly PlanPage[], { width, height }: Room): readonly PlanWindow[] =>
  useMemo(() => pages.flatMap((page) => windowsOf(page, { width, height })), [pages, width, height])

/** One after the other, but for those that only open what is folded. `pinned`: the line of an event that calls. */
export function PlantPicture({ plant, room, pinned }: { plant: Plant; room: Room; pinned: number | null }) {
  const windows = useWindows(usePages(plant, room), room).filter(({ page }) => page.part === 'all')
  const shown = windows[useTurning(planTurns(windows, plant.present.abnormal), pageOfLine(windows, pinned)).shown]
  return shown ? <Fitted shown={shown} plant={plant} room={room} /> : null
}

/** A part of a plan in its place. Only a place that has become smaller since, for a band above it, makes it smaller. */
export function Fitted({ shown, plant, room }: { shown: PlanWindow; plant: Plant; room: Room }) {
  const { t } = useTranslation('screen')
  const scale = Math.min(1, room.width / shown.width, room.height / shown.height)
  return (
    <div className="fitted" style={{ zoom: scale, marginTop: Math.max(0, (room.height - shown.height * scale) / 4) }}>
      <Diagram shown={shown} plant={plant} label={t('diagram')} />
    </div>
  )
}
