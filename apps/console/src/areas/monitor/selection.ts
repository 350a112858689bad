import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { create } from 'zustand'
import { onSessionChange } from '../../app/session.ts'
import type { Selection } from './equipment.ts'
import { readSelection, selectionText } from './equipment.ts'

/** What was selected last, so that the next page with a tree begins there (the specification's shared list state). */
const useLast = create<{ text: string }>(() => ({ text: '' }))

onSessionChange(() => useLast.setState({ text: '' }))

/** The selection, held by the address, and how to change it. A change closes the open line. */
export function useSelection(): [Selection, (to: Selection) => void] {
  const [query, setQuery] = useSearchParams()
  const text = query.get('at')
  const selection = useMemo(() => readSelection(text), [text])
  const select = useCallback(
    (to: Selection) => {
      useLast.setState({ text: selectionText(to) })
      setQuery((before) => {
        const after = selectionText(to)
        if (after === '') before.delete('at')
        else before.set('at', after)
        before.delete('line')
        return before
      })
    },
    [setQuery],
  )
  return [selection, select]
}

/** The query that takes the selection along to another page: `?at=house%3A3`, or nothing. */
export function selectionQuery(present: URLSearchParams): string {
  const at = present.get('at') ?? useLast.getState().text
  return at === '' ? '' : `?${new URLSearchParams({ at })}`
}
