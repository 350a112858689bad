import type { EventRecord } from '@linewarden/contract'

/** Events as they come, for whoever wants them. */
const eventListeners = new Set<(event: EventRecord, isNew: boolean) => void>()
/** Events that were told already, the oldest first; an older one may come late, after a newer one. */
const notified = new Set<string>()
const maxNotified = 5_000

export function onEvent(listener: (event: EventRecord, isNew: boolean) => void): () => void {
  eventListeners.add(listener)
  return () => eventListeners.delete(listener)
}

/** Forgets what was told: another account has to be told itself. */
export const forgetNotified = (): void => notified.clear()

/** Tells an event. The socket and the poll may both bring it; it is new only once. */
export function notifyEvent(event: EventRecord, isNew: boolean): void {
  // Announced once more it is new once more.
  const announcement = `${event.EventID} ${event.Announced}`
  const first = isNew && !notified.has(announcement)
  notified.add(announcement)
  for (const oldest of notified) {
    if (notified.size <= maxNotified) break
    notified.delete(oldest)
  }
  for (const listener of eventListeners) listener(event, first)
}
