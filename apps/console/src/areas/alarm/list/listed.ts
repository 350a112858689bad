import type { EventRecord } from '@linewarden/contract'

interface Page {
  readonly items: readonly EventRecord[]
}

/** Pages in which some events are as they have become; where none is listed, the very same pages. */
export function withChanged<P extends Page>(pages: P[], changed: ReadonlyMap<string, EventRecord>): P[] {
  if (!pages.some(({ items }) => items.some(({ EventID }) => changed.has(EventID)))) return pages
  return pages.map((page) =>
    page.items.some(({ EventID }) => changed.has(EventID))
      ? { ...page, items: page.items.map((event) => changed.get(event.EventID) ?? event) }
      : page,
  )
}
