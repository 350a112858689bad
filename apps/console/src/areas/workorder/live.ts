import type { LiveListener } from '../../app/net/live-link.ts'
import { refreshSoon } from '../../app/net/refresh-soon.ts'

/** One press can dispatch two hundred: they are asked for once. */
const afterMs = 300

export const workOrderLive: LiveListener = {
  onLive(message) {
    if (message.t === 'workOrder') refreshSoon({ shows: ['workOrders', 'hazards'] }, afterMs)
    if (message.t === 'hazard') refreshSoon({ shows: ['hazards'] }, afterMs)
    if (message.t === 'event' && message.event.Kind === 'order') refreshSoon({ shows: ['orderNotices'] }, afterMs)
  },
}
