import type { RefObject } from 'react'
import { useLayoutEffect, useState } from 'react'

/** How wide an element is, in CSS pixels; 0 before it is drawn. */
export function useWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (!ref.current) return
    const seen = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)))
    seen.observe(ref.current)
    return () => seen.disconnect()
  }, [ref])
  return width
}
