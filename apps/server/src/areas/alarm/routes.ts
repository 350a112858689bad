import {
  acknowledgeEvent,
  acknowledgeEvents,
  acknowledgeIncident,
  acknowledgeMatching,
  alarmFlood,
  alarmTuning,
  commentEvent,
  eventDetails,
  eventEvidence,
  eventPhoto,
  eventRationale,
  exportAlarmRationales,
  exportEvents,
  getIncident,
  groupEvents,
  isNewMessage,
  keepAlarmView,
  listAlarmRationales,
  listAlarmViews,
  listEventSteps,
  listEvents,
  listIncidents,
  listRationaleChanges,
  listTuningChanges,
  listUnacknowledged,
  offerAlarmTuning,
  removeAlarmView,
  restoreAlarmRationale,
  shelveEvents,
  standAlone,
  tuneAlarm,
  unshelveEvents,
  untuneAlarm,
  updateAlarmRationale,
} from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Alarms } from './service.ts'

export function alarmRoutes(serve: Serve, alarms: Alarms): void {
  serve(isNewMessage, ({ actor, query }) => alarms.isNew(actor, query))
  serve(eventDetails, ({ actor, params }) => alarms.details(actor, params.EventID))
  serve(listEvents, ({ actor, project, body }) => alarms.list(actor, project, body))
  serve(groupEvents, ({ actor, project, body }) => alarms.groups(actor, project, body))
  serve(listUnacknowledged, ({ actor, project, body }) => alarms.unacknowledged(actor, project, body))
  serve(acknowledgeEvents, ({ actor, body }) => alarms.acknowledgeAll(actor, body))
  serve(acknowledgeMatching, ({ actor, body }) => alarms.acknowledgeMatching(actor, body))
  serve(acknowledgeEvent, ({ actor, params, query }) => alarms.acknowledge(actor, params.EventID, query))
  serve(listEventSteps, ({ actor, params, query }) => alarms.steps(actor, params.EventID, query))
  serve(alarmFlood, ({ actor }) => alarms.flood(actor))
  serve(eventEvidence, ({ actor, params, query }) => alarms.evidence(actor, params.EventID, query))
  serve(eventPhoto, ({ actor, params }) => alarms.photo(actor, params.EventID, params.CommentID))
  serve(commentEvent, ({ actor, params, body }) => alarms.comment(actor, params.EventID, body))
  serve(shelveEvents, ({ actor, body }) => alarms.shelve(actor, body))
  serve(unshelveEvents, ({ actor, body }) => alarms.unshelve(actor, body))
  serve(alarmTuning, ({ actor, params }) => alarms.tuning(actor, params.EventID))
  serve(offerAlarmTuning, ({ actor, params }) => alarms.tuningOffer(actor, params.EventID))
  serve(tuneAlarm, ({ actor, params, body }) => alarms.tune(actor, params.EventID, body))
  serve(untuneAlarm, ({ actor, params, body }) => alarms.untune(actor, params.EventID, body))
  serve(listTuningChanges, ({ actor, params, query }) => alarms.tuningChanges(actor, params.EventID, query))
  serve(listIncidents, ({ actor, project, body }) => alarms.incidents(actor, project, body))
  serve(getIncident, ({ actor, params }) => alarms.incident(actor, params.IncidentID))
  serve(acknowledgeIncident, ({ actor, params, query }) => alarms.acknowledgeIncident(actor, params.IncidentID, query))
  serve(standAlone, ({ actor, params }) => alarms.standAlone(actor, params.EventID))
  serve(eventRationale, ({ actor, params }) => alarms.rationale(actor, params.EventID))
  serve(listAlarmRationales, ({ actor, project }) => alarms.rationales(actor, project))
  serve(updateAlarmRationale, ({ actor, project, body }) => alarms.updateRationale(actor, project, body))
  serve(restoreAlarmRationale, ({ actor, project, body }) => alarms.restoreRationale(actor, project, body))
  serve(listRationaleChanges, ({ actor, project, query }) => alarms.rationaleChanges(actor, project, query))
  serve(exportAlarmRationales, ({ actor, project, body }) => alarms.exportRationales(actor, project, body))
  serve(exportEvents, ({ actor, project, body }) => alarms.export(actor, project, body))
  serve(listAlarmViews, ({ actor }) => alarms.views(actor))
  serve(keepAlarmView, ({ actor, body }) => alarms.keepView(actor, body))
  serve(removeAlarmView, async ({ actor, body }) => {
    await alarms.removeView(actor, body.ViewID)
    return null
  })
}
