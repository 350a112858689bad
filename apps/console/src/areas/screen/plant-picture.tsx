import type { PlanPage } from '@linewarden/rules/screen'
import { fitPlan } from '@linewarden/rules/screen'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Diagram } from './diagram.tsx'
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

/** One after the other, but for those that only open what is folded. */
export function PlantPicture({ plant, room }: { plant: Plant; room: Room }) {
  const pages = usePages(plant, room).filter(({ part }) => part === 'all')
  const page = pages[useTurning(pages.length).shown]
  return page ? <Fitted page={page} plant={plant} room={room} /> : null
}

/** What cannot be shown at its size, because one feeder alone is larger than the screen, is shown whole all the same. */
export function Fitted({ page, plant, room }: { page: PlanPage; plant: Plant; room: Room }) {
  const { t } = useTranslation('screen')
  const scale = Math.min(1, room.width / page.width, room.height / page.height)
  return (
    <div className="fitted" style={{ zoom: scale, marginTop: Math.max(0, (room.height - page.height * scale) / 4) }}>
      <Diagram page={page} plant={plant} label={t('diagram')} />
    </div>
  )
}
