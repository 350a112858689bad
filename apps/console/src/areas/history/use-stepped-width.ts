import { useEffect, useRef, useState } from 'react'

/** The width of an element in steps: a few pixels more or less ask for nothing new. */
export function useSteppedWidth() {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setWidth(Math.max(100, Math.round(element.clientWidth / 100) * 100))
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  return [box, width] as const
}
