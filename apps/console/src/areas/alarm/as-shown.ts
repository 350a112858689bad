import type { EventRecord } from '@linewarden/contract'

/** Events to be acknowledged, each as it was shown: one that is raised once more until this arrives stays unacknowledged. */
export const asShown = (events: readonly EventRecord[]) => ({
  EventIDs: events.map(({ EventID }) => EventID),
  Raises: events.map(({ Raises }) => Raises),
})

/** An incident to be acknowledged as its root was shown; null: nothing is folded under the root, and it is acknowledged alone. */
export const incidentAsShown = ({ Incident, Raises }: EventRecord) =>
  Incident && Incident.Children > 0
    ? { params: { IncidentID: Incident.IncidentID }, query: { Raises, Mark: Incident.Mark } }
    : null
