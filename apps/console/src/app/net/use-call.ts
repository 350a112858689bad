import type { Call, Reply, Request } from '@linewarden/contract'
import type { QueryKey, UseQueryOptions, UseQueryResult } from '@tanstack/react-query'
import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'
import { keyOf } from './keys.ts'

/** A reading call as a query: kept under its name and request, and read again when another call touches what it shows. */
export function queryOf<const C extends Call>(
  target: C,
  request: Request<C>,
): { readonly queryKey: QueryKey; readonly queryFn: () => Promise<Reply<C>> } {
  const ask = api.call as (target: C, request: Request<C>) => Promise<Reply<C>>
  return { queryKey: keyOf(target, request), queryFn: () => ask(target, request) }
}

/** What a call answers to a request, for a component. */
export const useCall = <const C extends Call, T = Reply<C>>(
  target: C,
  request: Request<C>,
  options: Omit<UseQueryOptions<Reply<C>, Error, T>, 'queryKey'> = {},
): UseQueryResult<T> => useQuery({ ...queryOf(target, request), ...options })
