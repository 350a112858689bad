import { useEffect } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { closeKept, openKept, useKept } from '../../../app/offline/kept.ts'
import type { Sender } from '../../../app/offline/outbox.ts'
import { startOutbox } from '../../../app/offline/outbox.ts'
import { mayOpen } from '../../../app/session/permitted-pages.ts'
import { onSessionChange, useSession } from '../../../app/session/session.ts'
import { paths } from '../../../paths.ts'
import { addTexts } from '../../../ui/i18n.ts'
import { monitor } from '../../monitor/texts.ts'
import { workOrders } from '../../workorder/texts.ts'
import { inspection } from '../texts.ts'
import { phoneOrders } from './orders/texts.ts'
import { phoneRounds } from './texts.ts'

addTexts({ inspection, phoneRounds, phoneOrders, workOrders, monitor })

onSessionChange(closeKept)

/** What stands around every page of the phone: what it keeps is opened, and sent. Who may not open rounds, or orders, finds none. */
export function PhoneRoot({ senders }: { senders: ReadonlyMap<string, Sender> }) {
  const { userId, user } = useSession()
  const { pathname } = useLocation()
  const isOpen = useKept(({ state }) => state === 'open')
  useEffect(() => {
    if (userId !== '') void openKept(userId)
  }, [userId])
  useEffect(() => (isOpen ? startOutbox(senders) : undefined), [isOpen, senders])
  const pages = [paths.rounds, paths.workOrders].filter((page) => pathname === paths.phoneWaiting || pathname.startsWith(page))
  if (user && !pages.some((page) => mayOpen(page, user))) return <Navigate to={paths.notFound} replace />
  return <Outlet />
}
