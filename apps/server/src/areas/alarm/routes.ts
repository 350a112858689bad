import {
  acknowledgeEvent,
  acknowledgeEvents,
  acknowledgeMatching,
  isNewMessage,
  listEvents,
  listUnacknowledged,
} from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Alarms } from './service.ts'

export function alarmRoutes(serve: Serve, alarms: Alarms): void {
  serve(isNewMessage, ({ actor, query }) => alarms.isNew(actor, query))
  serve(listEvents, ({ actor, project, body }) => alarms.list(actor, project, body))
  serve(listUnacknowledged, ({ actor, project, body }) => alarms.unacknowledged(actor, project, body))
  serve(acknowledgeEvents, ({ actor, body }) => alarms.acknowledgeAll(actor, body.EventIDs))
  serve(acknowledgeMatching, ({ actor, body }) => alarms.acknowledgeMatching(actor, body))
  serve(acknowledgeEvent, ({ actor, params }) => alarms.acknowledge(actor, params.EventID))
}
