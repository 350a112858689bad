import { acknowledgeEvent, acknowledgeEvents, isNewMessage, listEvents, listUnacknowledged } from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Alarms } from './service.ts'

export function alarmRoutes(serve: Serve, alarms: Alarms): void {
  serve(isNewMessage, ({ actor, query }) => alarms.isNew(actor, query))
  serve(listEvents, ({ actor, project, body }) => alarms.list(actor, project, body))
  serve(listUnacknowledged, ({ actor, project, body }) => alarms.unacknowledged(actor, project, body))
  serve(acknowledgeEvents, ({ actor, body }) => alarms.acknowledgeAll(actor, body.EventIDs))
  serve(acknowledgeEvent, ({ actor, params }) => alarms.acknowledge(actor, params.EventID))
}
