import type { EventRecord } from '@linewarden/contract'

/** Events to be acknowledged, each as it was shown: one that is raised once more until this arrives stays unacknowledged. */
export const asShown = (events: readonly EventRecord[]) => ({
  EventIDs: events.map(({ EventID }) => EventID),
  Raises: events.map(({ Raises }) => Raises),
})
