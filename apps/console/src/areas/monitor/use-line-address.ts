import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { LineRef } from '../../plant/equipment.ts'
import { useSteady } from '../../ui/use-steady.ts'
import { nextSort, readSort } from './line-sort.ts'
import type { StripFilter } from './summary-strip.tsx'
import { isStripFilter } from './summary-strip.tsx'

/** Search, filter, order and the open line, as the address has them, and how a person changes each. */
export function useLineAddress() {
  const [query, setQuery] = useSearchParams()
  const filter = query.get('state')
  const sortText = query.get('sort')
  const sort = useMemo(() => readSort(sortText), [sortText])
  const set = (name: string, value: string | null) =>
    setQuery(
      (before) => {
        if (value === null || value === '') before.delete(name)
        else before.set(name, value)
        // Another line's drawer begins with its first tab.
        if (name === 'line') before.delete('tab')
        return before
      },
      // Letters of a search are no places to go back to. At once: as a transition it would wait behind the live values of a busy plant, and
      // a letter that comes back late breaks the input of Chinese.
      { replace: name === 'q', flushSync: true },
    )
  return {
    search: query.get('q') ?? '',
    setSearch: (text: string) => set('q', text),
    filter: isStripFilter(filter) ? filter : null,
    setFilter: useSteady((value: StripFilter | null) => set('state', value)),
    sort,
    sortText,
    setSort: (text: string | null) => set('sort', text),
    sortBy: useSteady((key: string) => set('sort', nextSort(sort, key))),
    line: query.get('line'),
    open: useSteady(({ line }: LineRef) => set('line', String(line.LineID))),
    close: () => set('line', null),
    /** All lines again. */
    clear: () =>
      setQuery((before) => {
        for (const name of ['q', 'state']) before.delete(name)
        return before
      }),
  }
}

export type LineAddress = ReturnType<typeof useLineAddress>
