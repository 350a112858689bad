import {
  abandonRound,
  answerRound,
  approveRound,
  deleteInspectionPlan,
  finishRound,
  getRound,
  insertInspectionPlan,
  inspectionChecklists,
  inspectionCode,
  inspectionLabels,
  inspectionPeople,
  listRoundLines,
  orderOfDefect,
  queryInspectionPlans,
  queryRounds,
  returnRound,
  roundCalendar,
  roundPackage,
  roundPhoto,
  roundSheet,
  sendRoundPhoto,
  startRound,
  updateInspectionPlan,
} from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Inspection } from './service.ts'

export function inspectionRoutes(serve: Serve, inspection: Inspection): void {
  const { plans, rounds, codes } = inspection
  serve(queryInspectionPlans, ({ actor, project, body }) => plans.query(actor, project, body))
  serve(insertInspectionPlan, ({ actor, project, body }) => plans.insert(actor, project, body))
  serve(updateInspectionPlan, ({ actor, body }) => plans.update(actor, body))
  serve(deleteInspectionPlan, ({ actor, body }) => plans.remove(actor, body.PlanID, body.Version))
  serve(inspectionPeople, ({ actor, project }) => inspection.people(actor, project))
  serve(inspectionChecklists, () => plans.checklists())
  serve(startRound, ({ actor, project, body }) => inspection.start(actor, project, body))
  serve(queryRounds, ({ actor, project, body }) => rounds.query(actor, project, body))
  serve(roundCalendar, ({ actor, project, body }) => inspection.calendar(actor, project, body))
  serve(getRound, ({ actor, params }) => rounds.get(actor, params.RoundID))
  serve(roundPackage, ({ actor, params }) => inspection.package(actor, params.RoundID))
  serve(listRoundLines, ({ actor, body }) => inspection.lines(actor, body))
  serve(roundSheet, ({ actor, params }) => rounds.sheet(actor, params.RoundID))
  serve(answerRound, ({ actor, params, body }) => inspection.answer(actor, params.RoundID, body))
  serve(sendRoundPhoto, ({ actor, params, body }) => inspection.sendPhoto(actor, params, body))
  serve(roundPhoto, ({ actor, params }) => inspection.photo(actor, params))
  serve(orderOfDefect, ({ actor, params, body }) => inspection.order(actor, params.RoundID, body))
  serve(finishRound, ({ actor, params, body }) => inspection.finish(actor, params.RoundID, body.Signature))
  serve(approveRound, ({ actor, params, body }) => inspection.approve(actor, params.RoundID, body))
  serve(returnRound, ({ actor, params, body }) => inspection.giveBack(actor, params.RoundID, body.Version, body.Reason))
  serve(abandonRound, ({ actor, params, body }) => inspection.abandon(actor, params.RoundID, body.Version, body.Reason))
  serve(inspectionCode, ({ actor, params }) => codes.read(actor, params.Code))
  serve(inspectionLabels, ({ actor, project, body }) => codes.labels(actor, project, body))
}
