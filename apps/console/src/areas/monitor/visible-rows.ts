import { useVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'
import { useCallback } from 'react'
import { useRowSlots } from './row-slots.ts'
import type { TableRow } from './table-rows.ts'
import { heightOf, keyOf } from './table-rows.ts'

/** Which rows the table shows where it is scrolled to, each with its slot and how far down it stands. */
export function useVisibleRows(rows: readonly TableRow[], shownBy: string, scroller: RefObject<HTMLElement | null>) {
  // The same function for the same rows: the virtualizer measures thousands of rows anew for another one.
  const getItemKey = useCallback((index: number) => keyOf(rows[index]), [rows])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(rows[index]),
    overscan: 8,
    getItemKey,
  })
  const items = virtual.getVirtualItems()
  const slots = useRowSlots(
    items.map(({ key }) => Number(key)),
    shownBy,
    scroller,
  )
  const visible = items.flatMap(({ key, index, start }) => {
    const row = rows[index]
    return row ? [{ row, key, index, start, slot: slots.get(Number(key)) }] : []
  })
  return { visible, totalSize: virtual.getTotalSize(), measure: virtual.measureElement }
}
