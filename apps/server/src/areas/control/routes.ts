import {
  closePermit,
  commandSteps,
  detection,
  getRun,
  inspect,
  inspections,
  ledger,
  lineCommands,
  lineFeed,
  lineSelfTests,
  lineTags,
  lineTrips,
  listRuns,
  operateLine,
  operationImpact,
  operationPermit,
  operationPermits,
  placeTag,
  quietHours,
  reclosure,
  recordTripCause,
  removeTag,
  selfTestCertificate,
  setDetection,
  setFeed,
  setQuietHours,
  setReclosure,
  startRun,
  stopRun,
  tagPhoto,
  testLeakages,
  testsDue,
  tripAnalysis,
} from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Control } from './service.ts'

export function controlRoutes(serve: Serve, control: Control): void {
  serve(operateLine, ({ params, body, actor, line }) =>
    control.operate({
      line,
      action: params.attr,
      actor,
      source: 'console',
      reason: body.Reason,
      commandId: body.CommandID,
      grant: body.Grant ?? null,
      confirmed: body.Confirmed ?? null,
      override: body.Override ?? null,
      deadlineMs: body.DeadlineMs ?? null,
    }),
  )
  serve(closePermit, ({ actor, line }) => control.interlocks.permit(actor, line, 'close'))
  serve(operationPermit, ({ actor, line, params }) => control.interlocks.permit(actor, line, params.attr))
  serve(operationPermits, ({ actor, lines, body }) => control.interlocks.permitsOf(actor, lines, body.Action))
  serve(operationImpact, ({ lines, body }) => control.impactOf(lines, body.Action))
  serve(lineCommands, ({ line, query }) => control.ledger(line, query.Size ?? 10))
  serve(recordTripCause, async ({ actor, line, body }) => {
    await control.recordTripCause(actor, line, body.Cause)
    return null
  })
  serve(placeTag, ({ actor, line, body }) => control.tags.place(actor, line, body))
  serve(removeTag, ({ actor, line, params, body }) => control.tags.remove(actor, line, params.TagID, body.Reason ?? null))
  serve(lineTags, ({ actor, line }) => control.tags.list(actor, line))
  serve(tagPhoto, ({ line, params }) => control.tags.photo(line, params.TagID))
  serve(inspect, ({ actor, gateway, body }) => control.inspections.begin(actor, gateway, body.ControllerID ?? null))
  serve(inspections, ({ gateway }) => control.inspections.list(gateway))
  serve(startRun, ({ actor, lines, body }) => control.groupOperations.start(actor, body.Action, lines, body))
  serve(testLeakages, ({ actor, lines, body }) => control.groupOperations.start(actor, 'selfTest', lines, body))
  serve(listRuns, ({ actor, query }) => control.groupOperations.list(actor, query))
  serve(getRun, ({ actor, params }) => control.groupOperations.get(actor, params.RunID))
  serve(stopRun, ({ actor, params }) => control.groupOperations.stop(actor, params.RunID))
  serve(lineSelfTests, ({ line }) => control.selfTests.ofLine(line))
  serve(selfTestCertificate, ({ line, params }) => control.selfTests.certificate(line, params.CommandID))
  serve(testsDue, ({ actor, project, query }) => control.selfTests.plans.due(actor, project, query.Overdue ?? false))
  serve(setDetection, ({ actor, gateway, body }) => control.selfTests.plans.set(actor, gateway, body))
  serve(detection, ({ gateway, params }) => control.selfTests.plans.of(gateway, params.LineID))
  serve(quietHours, ({ project }) => control.quietHours.of(project))
  serve(setQuietHours, ({ actor, project, body }) => control.quietHours.set(actor, project, body))
  serve(ledger, ({ actor, query }) => control.commands.page(actor, query))
  serve(commandSteps, ({ actor, params }) => control.commands.steps(actor, params.CommandID))
  serve(reclosure, ({ line }) => control.reclosures.of(line))
  serve(setReclosure, ({ actor, line, body }) => control.reclosures.set(actor, line, body))
  serve(lineTrips, ({ line }) => control.tripAnalysis.trips(line))
  serve(tripAnalysis, ({ actor, line, params }) => control.tripAnalysis.of(actor, line, params.EventID))
  serve(lineFeed, ({ actor, line }) => control.upstreamLines.neighbours(actor, line))
  serve(setFeed, ({ actor, line, body }) => control.upstreamLines.set(actor, line, body))
}
