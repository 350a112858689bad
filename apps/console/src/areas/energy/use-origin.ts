import { useSearchParams } from 'react-router'
import type { OriginPlace } from './origin-address.ts'
import { originText, readOrigin } from './origin-address.ts'

/** What is looked into, held by the address; none: the sheet is closed. */
export function useOrigin() {
  const [query, setQuery] = useSearchParams()
  const places = readOrigin(query.get('origin'))
  const go = (to: readonly OriginPlace[]) =>
    setQuery((before) => {
      if (to.length === 0) before.delete('origin')
      else before.set('origin', originText(to))
      return before
    })
  const open = (from: number, to: number) => go([{ part: null, from, to }])
  return { places, go, open }
}
