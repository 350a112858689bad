import { useEffect, useState } from 'react'
import { useKept } from '../../../../app/offline/kept.ts'
import type { KeptOrder } from './kept-orders.ts'
import { keptOrder, keptOrders } from './kept-orders.ts'

/** Read again whenever something was sent or stored, and when `asked` changes; undefined: it is being read. */
function useReadAgain<T>(read: () => Promise<T>, of: number, asked: number): T | undefined {
  const isOpen = useKept(({ state }) => state === 'open')
  const entries = useKept((all) => all.entries)
  const [value, setValue] = useState<T>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is read follows from these
  useEffect(() => {
    if (!isOpen) return
    let isCurrent = true
    read().then((found) => isCurrent && setValue(found), reportError)
    return () => {
      isCurrent = false
    }
  }, [isOpen, entries, of, asked])
  return value
}

export const useKeptOrders = (asked = 0): readonly KeptOrder[] | undefined => useReadAgain(keptOrders, 0, asked)
export const useKeptOrder = (orderId: number, asked: number): KeptOrder | null | undefined =>
  useReadAgain(() => keptOrder(orderId), orderId, asked)
