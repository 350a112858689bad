import type { LiveListener } from '../../app/net/live-link.ts'
import { onSessionChange, useSession } from '../../app/session/session.ts'
import { forgetNotified, notifyEvent } from './notified-events.ts'
import { fetchNewEvents, forgetNotifiedUpTo, refreshLineEvents } from './queries.ts'
import { forgetUnacknowledged } from './unacknowledged.ts'

/** Whose pop-ups these are. */
let notifiedUser = useSession.getState().userId

onSessionChange(({ userId, over }) => {
  // It ended by itself, at a screen nobody attends: what popped up is there when the same person is signed in again.
  if (over === 'expired' || userId === notifiedUser) return
  notifiedUser = userId
  forgetNotified()
  forgetNotifiedUpTo()
  forgetUnacknowledged()
})

/** Each event is told once, whether the socket or the poll brings it. */
export const alarmLive: LiveListener = {
  onLive(message) {
    if (message.t !== 'event') return
    notifyEvent(message.event, message.isNew)
    refreshLineEvents(message.event)
  },
  onTurn: () => void fetchNewEvents(),
}
