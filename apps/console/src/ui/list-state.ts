import type { Sort } from '@linewarden/contract'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'

/** Sizes a person may choose; the first is the specification's default. */
export const pageSizes = [10, 20, 50, 100] as const

export interface ListState<K extends string = string> {
  readonly page: number
  readonly size: number
  /** The columns that the server can order by. */
  readonly sortable: readonly K[]
  /** A column's key; `-` in front: downwards. Empty: the list's own order. */
  readonly sort: Sort<K> | ''
  /** The order as a request names it. */
  readonly order: { readonly Sort?: Sort<K> }
  readonly filtered: boolean
  filter(name: string): string
  /** A new filter begins again at page 1. An empty value takes the filter away. */
  setFilter(name: string, value: string): void
  setPage(page: number): void
  setSize(size: number): void
  setSort(sort: string): void
  clear(): void
}

const none: readonly never[] = []

/**
 * Page, size, order and filters of a list, held by the address, so that a link shows the same and going back comes back. `sortable`: the keys
 * of the columns that the list's call can order by.
 */
export function useListState<const K extends string = never>(
  filters: readonly string[] = none,
  sortable: readonly K[] = none,
): ListState<K> {
  const [query, setQuery] = useSearchParams()
  return useMemo(() => {
    const change = (values: Readonly<Record<string, string>>, replace: boolean) =>
      setQuery(
        (before) => {
          for (const [name, value] of Object.entries(values)) {
            if (value === '') before.delete(name)
            else before.set(name, value)
          }
          return before
        },
        { replace },
      )
    const size = pageSizes.find((each) => String(each) === query.get('size')) ?? pageSizes[0]
    const page = Math.max(1, Number.parseInt(query.get('page') ?? '1', 10) || 1)
    const given = query.get('sort') ?? ''
    const key = sortable.find((each) => given === each || given === `-${each}`)
    const sort: Sort<K> | '' = key === undefined ? '' : given === key ? key : `-${key}`
    return {
      page,
      size,
      sortable,
      sort,
      order: sort === '' ? {} : { Sort: sort },
      filtered: filters.some((name) => (query.get(name) ?? '') !== ''),
      filter: (name) => query.get(name) ?? '',
      setFilter: (name, value) => change({ [name]: value, page: '' }, true),
      setPage: (to) => change({ page: to === 1 ? '' : String(to) }, false),
      setSize: (to) => change({ size: to === pageSizes[0] ? '' : String(to), page: '' }, true),
      setSort: (to) => change({ sort: to, page: '' }, true),
      clear: () => change(Object.fromEntries([...filters, 'page'].map((name) => [name, ''])), false),
    }
  }, [query, setQuery, filters, sortable])
}
