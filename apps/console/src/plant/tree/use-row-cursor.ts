import { useVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useCoarse } from '../../ui/use-media.ts'
import { selectionText } from '../equipment.ts'
import { placeOf } from './tree-keys.ts'
import type { TreeRow } from './tree-nodes.ts'

/**
 * The rows in sight, and the one that the keys are on: what is selected, until a person goes on from there. `selected`: the selection's
 * text. It is scrolled into sight once it has a row.
 */
export function useRowCursor(rows: readonly TreeRow[], selected: string, scroller: RefObject<HTMLElement | null>) {
  const [active, setActive] = useState<string | null>(null)
  const selectedIndex = rows.findIndex(({ selection }) => selectionText(selection) === selected)
  const height = useCoarse() ? 44 : 28
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 8,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a finger needs higher rows than a mouse, and one device may have both in turn
  useEffect(() => virtual.measure(), [height, virtual])
  const shownFor = useRef<string | null>(null)
  useEffect(() => {
    if (selectedIndex < 0 || shownFor.current === selected) return
    shownFor.current = selected
    virtual.scrollToIndex(selectedIndex)
  }, [selectedIndex, selected, virtual])
  return {
    virtual,
    activeIndex: active === null ? Math.max(0, selectedIndex) : placeOf(rows, active),
    /** Null: what is selected. */
    setActive,
  }
}
