import type { PhotoDemand, RoundKind, RoundProgress, SignatureDemand } from '@linewarden/rules/inspection'
import { progressOf } from '@linewarden/rules/inspection'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import type { PlanRow } from '../../store/inspection/plan.ts'
import type { NewRound } from '../../store/inspection/round-write.ts'
import type { Asks } from './stops.ts'
import { frozen } from './stops.ts'

/** What a round is to be, but for its place and time. */
export interface RoundOf {
  readonly planId: number | null
  readonly name: string
  readonly kind: RoundKind
  readonly signature: SignatureDemand
  readonly photoOn: PhotoDemand
  readonly fourEyes: boolean
  readonly assignees: PlanRow['assignees']
}

export const roundOfPlan = (plan: PlanRow): RoundOf => ({
  ...{ planId: plan.plan_id, name: plan.name, kind: plan.kind, signature: plan.signature, photoOn: plan.photo_on },
  ...{ fourEyes: plan.four_eyes, assignees: plan.assignees },
})

/** What is asked of a round, as columns: frozen from now on. */
export function askedColumns(plant: Plant, projectId: number, asks: Asks) {
  const { stops, lists } = frozen(plant, projectId, asks)
  const progress: RoundProgress = progressOf({
    stops: stops.map(({ stopId, list }) => ({ stopId, items: lists[list] ?? [], isArrived: false })),
    ...{ photoOn: 'never', current: new Map(), photos: new Set<string>() },
  })
  return {
    isEmpty: stops.length === 0,
    columns: { stops: JSON.stringify(stops), lists: JSON.stringify(lists), progress: JSON.stringify(progress) },
  }
}

/** A round that is planned, and nobody's yet. */
export const plannedRound = (
  project: PlantProject,
  roundId: string,
  of: RoundOf,
  asked: Pick<NewRound, 'stops' | 'lists' | 'progress'>,
  at: number,
): NewRound => ({
  ...{ round_id: roundId, plan_id: of.planId, project_id: project.id, project_name: project.name, name: of.name },
  ...{ time_zone: project.timeZone, kind: of.kind, state: 'planned', assignees: JSON.stringify(of.assignees) },
  ...{ signature: of.signature, photo_on: of.photoOn, four_eyes: of.fourEyes, created_at: new Date(at) },
  ...asked,
})
