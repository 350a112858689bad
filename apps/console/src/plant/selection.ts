import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { onSessionChange } from '../app/session/session.ts'
import type { Selection } from './equipment.ts'
import { readSelection, selectionText } from './equipment.ts'

const key = 'linewarden.selection'

/** What was selected last, so that the next page with a tree begins there (the specification's shared list state); this tab keeps it. */
export const remembered = (): string => sessionStorage.getItem(key) ?? ''

/** A page with a tree shows what its address says, and that is what the next one begins with. */
export const rememberSelection = (text: string): void => sessionStorage.setItem(key, text)

onSessionChange(() => sessionStorage.removeItem(key))

/** The selection, held by the address, and how to change it. A change closes the open line with its tab; a tab of the page stays. */
export function useSelection(): [Selection, (to: Selection) => void] {
  const [query, setQuery] = useSearchParams()
  const text = query.get('at')
  const selection = useMemo(() => readSelection(text), [text])
  const select = useCallback(
    (to: Selection) => {
      setQuery((before) => {
        const after = selectionText(to)
        if (after === '') before.delete('at')
        else before.set('at', after)
        if (before.has('line')) for (const name of ['line', 'tab']) before.delete(name)
        return before
      })
    },
    [setQuery],
  )
  return [selection, select]
}
