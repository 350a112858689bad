import { listOrderNotices, readOrderNotices } from '@linewarden/contract'
import { useEffect } from 'react'
import { change } from '../../app/net/change.ts'
import { useCall } from '../../app/net/use-call.ts'
import { unreadOf } from './unread.ts'

/** The live link brings each as it comes; this finds what it lost. */
const everyMs = 60_000

/** What the reader was notified of about orders that they have not opened since. */
export const useOrderNotices = () => useCall(listOrderNotices, { query: {} }, { refetchInterval: everyMs, retry: false })

/** Whoever opens an order has seen what they were notified of about it, also what comes while it is open. */
export function useReadNotices(orderId: number): void {
  const { data } = useOrderNotices()
  const unread = data ? unreadOf(data, orderId) : null
  useEffect(() => {
    // One that fails is no matter of whoever reads: it counts as unread until the order is opened again.
    if (unread !== null) change(readOrderNotices, { body: { OrderID: orderId } }).catch(() => {})
  }, [unread, orderId])
}
