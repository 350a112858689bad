import type { EventRecord } from '@linewarden/contract'

/** At most eight are open; beyond that the oldest close (specification section 9). */
export const mostPopUps = 8

/** The pop-ups after an event, newest first. Back-filled and journal events open none; a change of an open one replaces it where it is. */
export function popUpsAfter(open: readonly EventRecord[], event: EventRecord, isNew: boolean): readonly EventRecord[] {
  if (open.some(({ EventID }) => EventID === event.EventID))
    return open.map((each) => (each.EventID === event.EventID ? event : each))
  if (!isNew || event.Historical || event.Kind === 'journal') return open
  return [event, ...open].slice(0, mostPopUps)
}
