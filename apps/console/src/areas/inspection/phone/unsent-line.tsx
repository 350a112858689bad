import { useEffect } from 'react'
import { closeKept, openKept, useKept } from '../../../app/offline/kept.ts'
import type { Sender } from '../../../app/offline/outbox.ts'
import { startOutbox } from '../../../app/offline/outbox.ts'
import { onSessionChange, useSession } from '../../../app/session/session.ts'
import { addTexts } from '../../../ui/i18n.ts'
import { phoneRounds } from './texts.ts'
import { WaitingStrip } from './waiting-strip.tsx'
import './phone.css'

addTexts({ phoneRounds })

onSessionChange(closeKept)

/** Above every page of a browser that walked rounds: what still waits, and it is sent from there, too. */
export function UnsentLine({ senders }: { senders: ReadonlyMap<string, Sender> }) {
  const userId = useSession((session) => session.userId)
  const isOpen = useKept(({ state }) => state === 'open')
  useEffect(() => {
    if (userId !== '') void openKept(userId)
  }, [userId])
  useEffect(() => (isOpen ? startOutbox(senders) : undefined), [isOpen, senders])
  return isOpen ? <WaitingStrip /> : null
}
