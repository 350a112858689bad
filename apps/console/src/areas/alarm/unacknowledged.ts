import type { EventRecord } from '@linewarden/contract'
import { acknowledgeEvents, listUnacknowledged, maxAcknowledged } from '@linewarden/contract'
import { useQuery } from '@tanstack/react-query'
import { create } from 'zustand'
import { api } from '../../app/net/api.ts'
import { callWithToast } from '../../app/net/call-with-toast.ts'
import { keyOf } from '../../app/net/keys.ts'
import { refreshSoon } from '../../app/net/refresh-soon.ts'
import { useSession } from '../../app/session/session.ts'
import { asShown } from './as-shown.ts'
import type { PopUpGroup, Unacknowledged } from './pop-up-queue.ts'
import { cleared, nothingKnown, withEvent, withList, withoutPopUp } from './pop-up-queue.ts'
import { notifyRaisedAgain } from './raised-again.ts'

/** What nobody has acknowledged, as far as this screen needs it. */
export const useUnacknowledged = create<Unacknowledged>(() => nothingKnown)

/** More than the screen shows. */
const listed = 100
const refreshAfterMs = 1_000
/** As often as the specification polls; while the live socket tells each event, this finds what it could not tell. */
const pollMs = 6_000
const checkMs = 60_000

/** Told since the server was asked. */
const notifiedSince = new Set<string>()

/** Asks for them with every load, and again and again: pop-ups are what the server has, not what this page remembers. */
export function useUnacknowledgedList(polling: boolean): void {
  useQuery({
    queryKey: [...keyOf(listUnacknowledged), 'screen'],
    queryFn: async () => {
      const { token } = useSession.getState()
      notifiedSince.clear()
      const { items, total } = await api.call(listUnacknowledged, { body: { Sort: 'newest', Size: listed } })
      // Of what a former session was answered the present one knows nothing.
      if (useSession.getState().token === token)
        useUnacknowledged.setState((known) => withList(known, items, total, notifiedSince))
      return total
    },
    refetchInterval: polling ? pollMs : checkMs,
    refetchIntervalInBackground: true,
  })
}

/** Takes what was told of an event; answers whether it calls for somebody. */
export function takeEvent(event: EventRecord, isNew: boolean): boolean {
  const { known, announced } = withEvent(useUnacknowledged.getState(), event, isNew)
  notifiedSince.add(event.EventID)
  useUnacknowledged.setState(known)
  if (event.State !== null) refreshSoon(keyOf(listUnacknowledged), refreshAfterMs)
  return announced
}

/** Puts all pop-ups away on this screen; nobody has acknowledged anything by that. */
export const clearPopUps = (): void => useUnacknowledged.setState(cleared)

export const closePopUp = (group: PopUpGroup): void => useUnacknowledged.setState((known) => withoutPopUp(known, group))

/** Another person is signed in. */
export const forgetUnacknowledged = (): void => useUnacknowledged.setState(nothingKnown)

/** Acknowledges what a person has seen. */
export async function acknowledge(events: readonly EventRecord[]): Promise<void> {
  const alarms = events.filter(({ State }) => State !== null)
  for (let from = 0; from < alarms.length; from += maxAcknowledged) {
    const body = asShown(alarms.slice(from, from + maxAcknowledged))
    const done = await callWithToast(api.call(acknowledgeEvents, { body }))
    if (!done) break
    notifyRaisedAgain(done.reply.RaisedAgain)
  }
}
