import type { Call, Request, Resource } from '@linewarden/contract'
import type { Query, QueryFilters, QueryKey } from '@tanstack/react-query'

type Partly<T> = T extends readonly unknown[] ? T : T extends object ? { readonly [K in keyof T]?: Partly<T[K]> } : T

/** What a call answered to a request; to part of a request: all its answers to such ones. */
export const keyOf = <const C extends Call>(
  { name, shows = [] }: C,
  request: Partly<Request<C>> | Request<C> | null = null,
): QueryKey => [{ call: name, shows }, ...(request === null ? [] : [request])]

/** What is to be read again: answers by their key, or whatever shows some of these resources. */
export type Stale = QueryKey | { readonly shows: readonly Resource[] }

export const filtersOf = (stale: Stale): QueryFilters =>
  'shows' in stale ? { predicate: (query) => isShown(query, stale.shows) } : { queryKey: stale }

function isShown({ queryKey: [head] }: Query, resources: readonly Resource[]): boolean {
  if (typeof head !== 'object' || head === null || !('shows' in head)) return false
  const { shows } = head
  return Array.isArray(shows) && resources.some((each) => shows.includes(each))
}
