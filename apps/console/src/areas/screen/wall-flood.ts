import type { EventRecord } from '@linewarden/contract'

/** So many within a minute are a flood: nobody reads a list that moves like that. */
export const floodFrom = 60
const withinMs = 60_000

/** Whether events come faster than they can be read. */
export function isFlood(events: readonly Pick<EventRecord, 'AddTime'>[], now: number): boolean {
  let fresh = 0
  for (const { AddTime } of events) if (now - AddTime < withinMs) fresh += 1
  return fresh >= floodFrom
}

/** The newest first, whatever is worse: in a flood the list only says that it goes on. */
export const newest = (events: readonly EventRecord[], most: number): readonly EventRecord[] =>
  events.toSorted((one, other) => other.AddTime - one.AddTime).slice(0, most)
