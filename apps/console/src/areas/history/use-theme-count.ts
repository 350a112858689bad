import { useEffect, useState } from 'react'

/** Counts up when the page's theme changes: what is drawn by hand has its colours from the tokens of the day. */
export function useThemeCount(): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    const themed = new MutationObserver(() => setCount((before) => before + 1))
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    return () => themed.disconnect()
  }, [])
  return count
}
