import { useCallback, useRef } from 'react'

/** One and the same function from draw to draw, which does what the newest does: parts that are memoised are not drawn anew for it. */
export function useSteady<Args extends readonly unknown[]>(newest: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(newest)
  latest.current = newest
  return useCallback((...args: Args) => latest.current(...args), [])
}
