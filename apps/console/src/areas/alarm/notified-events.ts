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
  // Raised once more it may be new once more.
  const raise = `${event.EventID} ${event.Raises}`
  const first = isNew && !notified.has(raise)
  notified.add(raise)
  for (const oldest of notified) {
    if (notified.size <= maxNotified) break
    notified.delete(oldest)
  }
  for (const listener of eventListeners) listener(event, first)
}
