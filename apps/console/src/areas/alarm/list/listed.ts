import type { EventRecord } from '@linewarden/contract'

interface Page {
  readonly items: readonly EventRecord[]
}

/** An event as it has become. What comes live does not say what is folded under it: that stays as it was. */
export const become = (now: EventRecord, former: EventRecord | undefined): EventRecord => ({
  ...now,
  ...(now.Incident === undefined && former?.Incident !== undefined && { Incident: former.Incident }),
})

const changedFrom = (event: EventRecord, now: EventRecord | undefined): EventRecord => (now ? become(now, event) : event)

/** A page in which some events are as they have become; where none is listed, the very same page. */
export const withChanged = <P extends Page>(page: P, changed: ReadonlyMap<string, EventRecord>): P =>
  page.items.some(({ EventID }) => changed.has(EventID))
    ? { ...page, items: page.items.map((event) => changedFrom(event, changed.get(event.EventID))) }
    : page
