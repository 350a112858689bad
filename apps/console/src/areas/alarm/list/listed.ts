import type { EventRecord } from '@linewarden/contract'

interface Page {
  readonly items: readonly EventRecord[]
}

/** An event as it has become. What comes live does not say what is folded under it: that stays as it was. */
const become = (event: EventRecord, changed: ReadonlyMap<string, EventRecord>): EventRecord => {
  const now = changed.get(event.EventID)
  return now ? { ...now, ...(now.Incident === undefined && event.Incident !== undefined && { Incident: event.Incident }) } : event
}

/** A page in which some events are as they have become; where none is listed, the very same page. */
export const withChanged = <P extends Page>(page: P, changed: ReadonlyMap<string, EventRecord>): P =>
  page.items.some(({ EventID }) => changed.has(EventID))
    ? { ...page, items: page.items.map((event) => become(event, changed)) }
    : page
