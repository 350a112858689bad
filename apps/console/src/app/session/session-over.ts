import i18next from 'i18next'
import { toast } from '../notify/toasts.tsx'
import { isRemembered } from './remembered.ts'
import { expire, isEnding, leave, useSession } from './session.ts'

let onSeatOver = () => {}

/** What a wall does whose session is over: it has a secret to come back with. */
export const whenSeatOver = (comesBack: () => void): void => {
  onSeatOver = comesBack
}

/**
 * The server says that the session is over (`CallError.endsSession`, or its live connection ended): back to the login, which goes on saying why. Told
 * once, however many requests hear of it; a remembered device signs in again by itself, and there is nothing to tell. Nor is there to who is
 * just ending it: they have left.
 */
export function sessionOver(): void {
  const { token, seated } = useSession.getState()
  if (token === '') return
  if (seated) {
    onSeatOver()
    return
  }
  if (isEnding()) {
    leave(true)
    return
  }
  expire()
  if (!isRemembered()) toast('error', i18next.t('http:h401'))
}
