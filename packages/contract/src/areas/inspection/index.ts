import * as Type from 'typebox'
import { area, callsIn } from '../../core/area.ts'
import * as codes from './codes.ts'
import * as names from './names.ts'
import { pages } from './pages.ts'
import * as plans from './plans.ts'
import * as rounds from './rounds.ts'

export type { InspectionChecklist, InspectionItem, OwnItem } from './checklist.ts'
export { inspectionCode, inspectionLabels, maxLabels } from './codes.ts'
export type { InspectionPerson, InspectionPlan, PlanStop } from './plan.ts'
export * from './plans.ts'
export type {
  ArrivalSent,
  InspectionAnswer,
  InspectionMissing,
  InspectionRound,
  InspectionSignature,
  RoundDetails,
  RoundLine,
  RoundPackage,
  RoundSheet,
  RoundStop,
  StoredInspectionAnswer,
} from './round.ts'
export * from './rounds.ts'

export const inspectionArea = area({
  name: 'inspection',
  pages,
  calls: callsIn(plans, rounds, codes),
  names,
  /** A round was made, or something became of it: it is to be asked for again. */
  live: { inspectionRound: { RoundID: Type.String() } },
})
